"""What bots did wrong, and what they wrote: each owner reads his own and nobody else's."""

from __future__ import annotations

import pytest

from arena.accounts.models import User
from tests.arena.api.conftest import SECRET, Client


@pytest.fixture
def rival(finished) -> Client:
    return Client().bearer(User.objects.get(username="rival"))


@pytest.fixture
def staff(db: None) -> Client:
    return Client().bearer(User.objects.create_user("staff", is_staff=True))


def test_everybody_reads_verdict_and_reason(anyone, finished):
    answer = anyone.get(f"/api/v1/matches/{finished.pk}/faults/")
    rows = answer.json()["results"]
    assert len(rows) == 4
    assert (rows[0]["participant"], rows[0]["deal"], rows[0]["turn"], rows[0]["verdict"]) == (1, 0, 3, "illegal_move")
    assert rows[0]["reason"] == "It played a card twice."


@pytest.mark.parametrize("who", ["anyone", "owner", "stranger"])
def test_only_the_owner_reads_what_a_bot_sent_and_saw(request, finished, who):
    answer = request.getfixturevalue(who).get(f"/api/v1/matches/{finished.pk}/faults/")
    assert all(row["line"] is None and row["view"] is None for row in answer.json()["results"])
    assert SECRET not in answer.content.decode()


@pytest.mark.parametrize("who", ["rival", "staff"])
def test_the_owner_and_the_staff_read_it(request, finished, who):
    row = request.getfixturevalue(who).get(f"/api/v1/matches/{finished.pk}/faults/").json()["results"][0]
    assert row["line"] == SECRET
    assert row["view"] == {"hand": ["6S"]}


def test_each_reads_the_logs_of_his_own_bots_and_no_others(owner, rival, finished):
    url = f"/api/v1/matches/{finished.pk}/logs/"
    for client, participant in ((owner, 0), (rival, 1)):
        answer = client.get(url)
        rows = answer.json()["results"]
        assert [row["sitting"] for row in rows] == [0, 1]
        assert {row["participant"] for row in rows} == {participant}
        assert rows[0]["stderr"] == f"{SECRET} of {participant}\n"
        assert f"of {1 - participant}" not in answer.content.decode()


def test_a_stranger_reads_no_logs(stranger, finished):
    assert stranger.get(f"/api/v1/matches/{finished.pk}/logs/").json()["results"] == []


def test_nobody_reads_logs_without_signing_in(anyone, finished):
    answer = anyone.get(f"/api/v1/matches/{finished.pk}/logs/")
    assert answer.status_code == 401
    assert SECRET not in answer.content.decode()


def test_both_are_paged(rival, finished):
    page = rival.get(f"/api/v1/matches/{finished.pk}/faults/", {"limit": 3}).json()
    assert (len(page["results"]), page["previous"]) == (3, None)
    last = rival.get(page["next"]).json()
    assert (len(last["results"]), last["next"]) == (1, None)
    assert rival.get(last["previous"]).json()["results"] == page["results"]


@pytest.mark.parametrize("cursor", ["nonsense", "ZnJvbT0tMQ==", "ZnJvbT05OTk5OTk5OTk5OTk5", "éé", "b3RoZXI9Mw=="])
def test_a_cursor_that_is_none_is_refused(rival, finished, cursor):
    assert rival.get(f"/api/v1/matches/{finished.pk}/faults/", {"cursor": cursor}).status_code == 404


def test_logs_and_faults_take_few_queries(owner, finished, django_assert_max_num_queries):
    for part in ("logs", "faults"):
        owner.get(f"/api/v1/matches/{finished.pk}/{part}/")
        with django_assert_max_num_queries(7):
            owner.get(f"/api/v1/matches/{finished.pk}/{part}/")
