"""Listing and filtering matches, challenging, following, calling off."""

from __future__ import annotations

import hashlib

import pytest

from arena.accounts.models import User
from arena.matches.models import Match
from arena.matches.queue import attempt_finish, attempt_void
from tests.arena.api.conftest import Client, played_out

URL = "/api/v1/matches/"


@pytest.fixture
def challenge(owner, arena):
    mine, other = arena.version().bot, arena.version().bot
    return owner.post(URL, {"bot": mine.slug, "opponents": [other.slug], "sets": 2}, format="json")


def test_a_challenge_is_an_unrated_match_of_the_newest_ready_versions(challenge):
    assert challenge.status_code == 201
    body = challenge.json()
    assert (body["kind"], body["state"], body["preset"], body["ladder"]) == ("challenge", "queued", "podkidnoy", None)
    assert (body["sets"], body["deals_total"], body["deals_done"]) == (2, 4, 0)
    assert [p["version"] for p in body["participants"]] == [1, 1]
    assert body["created_by"] == "owner"
    assert challenge.headers["Location"] == f"http://testserver{URL}{body['id']}/"


def test_the_seed_is_hidden_until_the_match_is_finished_and_then_fits_its_commitment(anyone, arena, challenge):
    match = Match.objects.get()
    before = anyone.get(f"{URL}{match.pk}/")
    assert before.json()["seed"] is None
    assert bytes(match.seed).hex() not in before.content.decode()
    attempt = arena.claim(match)
    assert anyone.get(f"{URL}{match.pk}/").json()["seed"] is None
    attempt_finish(attempt=attempt, played=played_out(match))
    after = anyone.get(f"{URL}{match.pk}/").json()
    assert (
        hashlib.sha256(bytes.fromhex(after["seed"])).hexdigest() == after["commitment"] == before.json()["commitment"]
    )


@pytest.mark.parametrize("state", ["cancelled", "queued", "running"])
def test_a_match_that_is_not_finished_keeps_its_seed(anyone, owner, arena, challenge, state):
    pk = challenge.json()["id"]
    if state == "cancelled":
        owner.post(f"{URL}{pk}/cancel/", {"reason": "a try"}, format="json")
    elif state == "running":
        arena.claim(Match.objects.get(pk=pk))
    body = anyone.get(f"{URL}{pk}/").json()
    assert (body["state"], body["seed"]) == (state, None)


def test_every_attempt_stays_readable(anyone, arena, challenge):
    match = Match.objects.get()
    attempt_void(attempt=arena.claim(match), reason="the sandbox's daemon went away")
    Match.objects.update(retry_at=None)
    attempt_finish(attempt=arena.claim(match), played=played_out(match))
    attempts = anyone.get(f"{URL}{match.pk}/").json()["attempts"]
    assert [(a["number"], a["outcome"]) for a in attempts] == [(1, "void"), (2, "finished")]
    assert attempts[0]["reason"] == "the sandbox's daemon went away"


def test_a_ladder_match_shows_what_it_did_to_the_ratings(anyone, finished):
    body = anyone.get(f"{URL}{finished.pk}/").json()
    assert body["ladder"] == "podkidnoy-2"
    changes = body["rating_changes"]
    assert [change["participant"] for change in changes] == [0, 1]
    assert [change["before"] for change in changes] == [1500, 1500]
    assert changes[0]["after"] + changes[1]["after"] == pytest.approx(3000)


def test_matches_are_filtered_by_bot_ladder_kind_state_and_preset(anyone, owner, arena, finished):
    first = finished.participants.first().version.bot.slug
    mine = arena.version().bot.slug
    other = owner.post(URL, {"bot": mine, "opponents": [first], "preset": "perevodnoy"}, format="json").json()["id"]

    def found(**query: str) -> list[int]:
        return [row["id"] for row in anyone.get(URL, query).json()["results"]]

    assert found() == [other, finished.pk]
    assert found(bot=mine) == [other]
    assert found(bot=first) == [other, finished.pk]
    assert found(ladder="podkidnoy-2") == [finished.pk]
    assert found(kind="challenge") == [other]
    assert found(state="finished") == [finished.pk]
    assert found(preset="perevodnoy", state="queued") == [other]
    assert found(preset="perevodnoy", state="finished") == []


@pytest.mark.parametrize(
    ("query", "status", "field"),
    [
        ({"state": "lost"}, 400, "state"),
        ({"kind": "friendly"}, 400, "kind"),
        ({"bot": "nobody"}, 404, None),
        ({"ladder": "nowhere"}, 404, None),
        ({"bot": "a b"}, 400, "bot"),
        ({"preset": "x\0y"}, 400, "preset"),
        ({"cursor": "nonsense"}, 404, None),
    ],
)
def test_a_bad_filter_is_refused_naming_it(anyone, db, query, status, field):
    answer = anyone.get(URL, query)
    assert answer.status_code == status
    assert answer.json()["error"]["field"] == field


def test_a_list_of_matches_takes_the_same_few_queries_however_long(anyone, arena, django_assert_max_num_queries):
    ladder = arena.ladder()
    versions = [arena.version() for _ in range(6)]
    for n in range(25):
        arena.queue(ladder, [versions[n % 6], versions[(n + 1) % 6]])
    with django_assert_max_num_queries(4):
        assert len(anyone.get(URL).json()["results"]) == 25


def test_a_match_takes_a_bounded_number_of_queries(anyone, finished, django_assert_max_num_queries):
    with django_assert_max_num_queries(6):
        anyone.get(f"{URL}{finished.pk}/")


def test_nobody_challenges_with_somebody_elses_bot(stranger, arena):
    a, b = arena.version().bot, arena.version().bot
    answer = stranger.post(URL, {"bot": a.slug, "opponents": [b.slug]}, format="json")
    assert answer.status_code == 403
    assert not Match.objects.exists()


def test_nobody_challenges_without_signing_in(anyone, arena):
    assert anyone.post(URL, {"bot": "a", "opponents": ["b"]}, format="json").status_code == 401


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"preset": "podkidnoi"}, "preset"),
        ({"sets": 0}, "sets"),
        ({"sets": 10_000}, "sets"),
        ({"opponents": []}, "opponents"),
        ({"opponents": ["not ok"]}, "opponents.0"),
        ({"bot": None}, "bot"),
    ],
)
def test_a_bad_challenge_is_refused_naming_the_field(owner, arena, change, field):
    a, b = arena.version().bot, arena.version().bot
    answer = owner.post(URL, {"bot": a.slug, "opponents": [b.slug]} | change, format="json")
    assert answer.status_code == 400
    assert answer.json()["error"]["field"] == field


def test_an_opponent_that_does_not_play_these_rules_is_refused(owner, arena):
    mine, other = arena.version().bot, arena.version(presets=["duel"]).bot
    answer = owner.post(URL, {"bot": mine.slug, "opponents": [other.slug]}, format="json")
    assert answer.status_code == 400
    assert "does not play podkidnoy" in answer.json()["error"]["message"]


def test_an_opponent_without_a_ready_version_is_a_conflict(owner, arena):
    mine, other = arena.version().bot, arena.bot()
    assert owner.post(URL, {"bot": mine.slug, "opponents": [other.slug]}, format="json").status_code == 409


def test_too_many_open_challenges_are_refused(owner, arena, settings):
    settings.CHALLENGES_OPEN = 2
    a, b = arena.version().bot, arena.version().bot
    codes = [owner.post(URL, {"bot": a.slug, "opponents": [b.slug]}, format="json").status_code for _ in range(3)]
    assert codes == [201, 201, 429]


def test_challenges_are_throttled(owner, arena, monkeypatch):
    monkeypatch.setattr("arena.api.throttles.WriteThrottle.THROTTLE_RATES", {"challenge": "1/hour"})
    assert owner.post(URL, {}, format="json").status_code == 400
    answer = owner.post(URL, {}, format="json")
    assert answer.status_code == 429
    assert int(answer.headers["Retry-After"]) > 0


def test_who_made_a_challenge_may_call_it_off(owner, challenge):
    url = f"{URL}{challenge.json()['id']}/cancel/"
    answer = owner.post(url, {"reason": "a try"}, format="json")
    assert (answer.status_code, answer.json()["state"]) == (200, "cancelled")
    assert "a try" in answer.json()["reason"]
    assert owner.post(url, {"reason": "again"}, format="json").status_code == 409


def test_nobody_else_may_call_it_off(stranger, anyone, challenge):
    url = f"{URL}{challenge.json()['id']}/cancel/"
    assert stranger.post(url, {"reason": "spite"}, format="json").status_code == 403
    assert anyone.post(url, {"reason": "spite"}, format="json").status_code == 401


def test_the_staff_may_call_any_match_off(arena, db):
    staff = Client().bearer(User.objects.create_user("staff", is_staff=True))
    match = arena.queue(arena.ladder(), [arena.version(), arena.version()])
    assert staff.post(f"{URL}{match.pk}/cancel/", {"reason": "a hole"}, format="json").json()["state"] == "cancelled"


def test_a_match_that_there_is_not_is_not_found(anyone, db):
    for pk in ("1", "99999999999999999999"):
        assert anyone.get(f"{URL}{pk}/").json()["error"]["code"] == "not_found"
