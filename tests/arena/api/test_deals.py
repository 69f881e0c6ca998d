"""Deals, records and events of a match, which nobody sees before it is finished."""

from __future__ import annotations

import pytest

from arena.matches.models import Match
from bots_sdk.durak import DealRecord


@pytest.fixture
def waiting(arena) -> Match:
    return arena.queue(arena.ladder(seats=3, preset="perevodnoy"), [arena.version() for _ in range(3)])


def test_deals_are_listed_in_order_with_who_lost(anyone, finished):
    page = anyone.get(f"/api/v1/matches/{finished.pk}/deals/", {"limit": 3}).json()
    rest = anyone.get(page["next"]).json()
    rows = page["results"] + rest["results"]
    assert [row["index"] for row in rows] == [0, 1, 2, 3]
    assert {tuple(row["seating"]) for row in rows} == {(0, 1), (1, 0)}
    assert [row["duraks"] for row in rows] == [deal.duraks for deal in finished.deals.all()]


def test_a_record_is_text_that_replays(anyone, finished):
    answer = anyone.get(f"/api/v1/matches/{finished.pk}/deals/2/record/")
    assert answer.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert "attachment" in answer.headers["Content-Disposition"]
    text = answer.content.decode()
    assert text == finished.deals.get(index=2).record
    assert DealRecord.parse(text).replay().is_over


@pytest.mark.parametrize("part", ["", "0/record/", "0/events/"])
@pytest.mark.parametrize("running", [False, True])
def test_nothing_of_a_deal_is_told_before_the_match_is_finished(anyone, owner, arena, waiting, part, running):
    if running:
        arena.claim(waiting)
    for client in (anyone, owner):
        answer = client.get(f"/api/v1/matches/{waiting.pk}/deals/{part}")
        assert answer.status_code == 409
        assert answer.json()["error"]["code"] == "not_finished"


def test_the_events_with_open_cards_hold_every_hand(anyone, finished):
    events = anyone.get(f"/api/v1/matches/{finished.pk}/deals/0/events/").json()
    assert events["seat"] == "all"
    kinds = [event["kind"] for event in events["events"]]
    assert kinds[0] == "deal"
    assert kinds[-1] == "deal_over"


def test_a_seat_sees_its_own_cards_and_of_the_others_only_how_many(anyone, finished):
    url = f"/api/v1/matches/{finished.pk}/deals/0/events/"
    shown = {}
    for seat in ("all", "0", "1", "none"):
        events = anyone.get(url, {"seat": seat}).json()["events"]
        shown[seat] = [event.get("cards") for event in events if event["kind"] == "deal"]
    assert all(cards for cards in shown["all"])
    assert shown["0"][0] == shown["all"][0]
    assert not shown["0"][1]
    assert not shown["1"][0]
    assert shown["1"][1] == shown["all"][1]
    assert not any(shown["none"])


@pytest.mark.parametrize("seat", ["2", "-1", "x", "\N{ARABIC-INDIC DIGIT ONE}", "99"])
def test_a_perspective_that_there_is_not_is_refused(anyone, finished, seat):
    answer = anyone.get(f"/api/v1/matches/{finished.pk}/deals/0/events/", {"seat": seat})
    assert answer.status_code == 400
    assert answer.json()["error"]["field"] == "seat"


def test_a_deal_that_there_is_not_is_not_found(anyone, finished):
    assert anyone.get(f"/api/v1/matches/{finished.pk}/deals/4/record/").status_code == 404
    assert anyone.get(f"/api/v1/matches/{finished.pk}/deals/{10**20}/events/").status_code == 404


def test_deals_take_the_same_few_queries_however_many(anyone, finished, django_assert_max_num_queries):
    with django_assert_max_num_queries(4):
        anyone.get(f"/api/v1/matches/{finished.pk}/deals/")
