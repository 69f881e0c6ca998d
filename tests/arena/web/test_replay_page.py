"""The replay's page and frames over HTTP."""

import json
import re

import pytest
from django.test import Client

from arena.matches.models import Match
from bots_sdk.durak import DealRecord
from tests.arena.factories import match_make
from tests.arena.web.factories import REASON, bots, played_match

pytestmark = pytest.mark.django_db
CARD = re.compile(r'"([2-9TJQKA][SHDC])"')


@pytest.fixture
def match() -> Match:
    return played_match(bots("fox", "owl", "hare"), preset="podkidnoy", fault_in=1)


def test_it_tells_the_whole_deal_in_words(client: Client, match: Match) -> None:
    page = client.get(f"/matches/{match.pk}/deals/0/").content.decode()
    record = DealRecord.parse(match.deals.get(index=0).record)
    assert page.count("<li value=") >= len(record.moves) + 2
    assert "deals 6 cards to each" in page
    assert ("A draw" if record.result.is_draw else "is the d") in page.rsplit("<li value=", 1)[1]


def test_a_link_names_deal_step_and_perspective_and_they_are_taken_up(client: Client, match: Match) -> None:
    page = client.get(f"/matches/{match.pk}/deals/0/?step=5&seat=1").content.decode()
    assert 'data-step="5"' in page
    assert 'data-seat="1"' in page
    assert '<option value="1" selected>' in page
    assert re.search(r'href="\?step=5&amp;seat=1" aria-current="step"', page)


@pytest.mark.parametrize("step", ["99999", "9" * 5000, "last"])
def test_a_step_beyond_the_end_opens_the_last_one(client: Client, match: Match, step: str) -> None:
    page = client.get(f"/matches/{match.pk}/deals/0/?step={step}").content.decode()
    last = re.search(r'data-last="(\d+)"', page)[1]
    assert f'data-step="{last}"' in page


@pytest.mark.parametrize("step", ["", "-1", "x", "²"])
def test_what_is_no_step_opens_the_first_one(client: Client, match: Match, step: str) -> None:
    assert 'data-step="0"' in client.get(f"/matches/{match.pk}/deals/0/?step={step}").content.decode()


def test_the_neighbouring_deals_are_linked_with_the_perspective(client: Client, match: Match) -> None:
    page = client.get(f"/matches/{match.pk}/deals/1/?seat=2").content.decode()
    assert f'href="/matches/{match.pk}/deals/0/?seat=2"' in page
    assert f'href="/matches/{match.pk}/deals/2/?seat=2"' in page


def test_a_fault_is_a_step_of_its_own_with_its_cause(client: Client, match: Match) -> None:
    frames = client.get(f"/matches/{match.pk}/deals/1/replay.json").json()["frames"]
    fault = frames[-2]
    assert fault["kind"] == "fault"
    assert fault["fault"]["verdict"] == "illegal_move"
    assert fault["fault"]["reason"] == REASON
    page = client.get(f"/matches/{match.pk}/deals/1/").content.decode()
    assert "illegal move" in page


@pytest.mark.parametrize("seat", ["0", "1", "2", "none"])
def test_the_json_of_a_perspective_holds_no_card_that_it_may_not_know(client: Client, match: Match, seat: str) -> None:
    """At the first step only the own hand, the turn-up and the lowest trump shown are known."""
    data = client.get(f"/matches/{match.pk}/deals/0/replay.json?seat={seat}").json()
    state = DealRecord.parse(match.deals.get(index=0).record).deal()
    info = state.deal_info
    allowed = {str(info.turn_up), str(info.lowest_trump)}
    if seat != "none":
        allowed |= set(state.view(int(seat))["hand"])
    assert set(CARD.findall(json.dumps(data["frames"][0]))) <= allowed


def test_an_impossible_perspective_is_refused_in_words(client: Client, match: Match) -> None:
    answer = client.get(f"/matches/{match.pk}/deals/0/?seat=7")
    assert answer.status_code == 400
    assert "use a seat from 0 to 2" in answer.content.decode()


def test_a_running_match_shows_no_deal(client: Client, db) -> None:
    match = match_make(2)
    for path in ("", "replay.json", "record.txt"):
        assert client.get(f"/matches/{match.pk}/deals/0/{path}").status_code == 404


def test_the_record_replays_to_the_result_shown(client: Client, match: Match) -> None:
    text = client.get(f"/matches/{match.pk}/deals/0/record.txt").content.decode()
    assert DealRecord.parse(text).replay().result == DealRecord.parse(text).result


def test_the_page_costs_few_queries(client: Client, match: Match, django_assert_max_num_queries) -> None:
    with django_assert_max_num_queries(6):
        client.get(f"/matches/{match.pk}/deals/0/")
