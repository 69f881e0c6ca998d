"""The one log of a deal and who may see what in it."""

from __future__ import annotations

import json
import random

import pytest

from bots_sdk.durak import EVENT_KINDS, Chronicle, DurakError, Event, GameState, IllegalMove, Move, deal
from tests.bots_sdk.durak.tables import PRESETS, TABLES, rules, table


def finished(name: str, seats: int, seed: bytes = bytes(16)) -> Chronicle:
    chronicle = Chronicle(deal(PRESETS[name], seats, seed))
    choose = random.Random(seed)
    while not chronicle.state.is_over:
        chronicle.play(choose.choice(chronicle.state.legal_moves()))
    return chronicle


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_what_the_log_tells_a_seat_is_enough_to_know_its_hand_and_nobody_else_s(name: str, seats: int) -> None:
    """Each viewer follows the log; his own hand comes out, and hidden cards are counts to him."""
    chronicle = finished(name, seats, b"sixteen bytes 01")
    for viewer in range(seats):
        held: list[str] = []
        counts = [0] * seats
        for event in chronicle.events:
            seen = event.seen_by(viewer)
            assert seen["kind"] in EVENT_KINDS
            json.dumps(seen)
            seat, kind = seen.get("seat"), seen["kind"]
            if kind in ("deal", "draw"):
                assert ("cards" in seen) == (seat == viewer)
                counts[seat] += seen["count"]
                held += seen.get("cards", [])
            elif kind in ("attack", "beat", "transfer"):
                counts[seat] -= len(seen["cards"])
                if seat == viewer:
                    for card in seen["cards"]:
                        held.remove(card)
            elif kind == "bout_over" and seen["how"] != "beaten":
                counts[seat] += len(seen["cards"])
                held += seen["cards"] if seat == viewer else []
        final = chronicle.state.to_position()["hands"]
        assert sorted(held) == sorted(final[viewer])
        assert counts == [len(hand) for hand in final]


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_a_spectator_sees_no_card_that_is_dealt_or_drawn_and_the_full_log_every_one(name: str, seats: int) -> None:
    chronicle = finished(name, seats, b"sixteen bytes 02")
    for event in chronicle.events:
        hidden = event.kind in ("deal", "draw")
        assert ("cards" in event.seen_by(None)) == (bool(event.cards) and not hidden)
        assert ("cards" in event.seen_by("all")) == bool(event.cards)
    assert chronicle.seen_by("all")[-1]["kind"] == "deal_over"


def test_the_opening_shows_hands_to_their_owners_the_turn_up_and_the_lowest_trump_to_all() -> None:
    chronicle = Chronicle(deal(PRESETS["podkidnoy"], 3, bytes(range(16))))
    kinds = [event.kind for event in chronicle.events]
    assert kinds == ["deal", "deal", "deal", "turn_up", "show_lowest_trump"]
    assert chronicle.events[3].seen_by(None) == {"kind": "turn_up", "count": 1, "cards": ["9C"], "trump": ["C"]}
    assert chronicle.events[4].seen_by(None) == {"kind": "show_lowest_trump", "seat": 0, "count": 1, "cards": ["6C"]}


def test_a_trump_that_stays_in_the_dealer_s_hand_is_shown_with_its_seat() -> None:
    chronicle = Chronicle(deal(PRESETS["podkidnoy"], 6, bytes(16), 4))
    [shown] = [event for event in chronicle.events if event.kind == "turn_up"]
    assert shown.seat == 4


def test_redeals_are_told() -> None:
    few = rules(hand_size=1)
    found = 0
    for number in range(40):
        state = deal(few, 2, number.to_bytes(16, "big"))
        first = Chronicle(state).events[0]
        assert (first.kind == "redeal") == (state.redeals > 0)
        found += first.kind == "redeal"
    assert found


def test_own_trumps_are_told_in_svoi_kozyri() -> None:
    told = [event.seen_by(None) for event in Chronicle(deal(PRESETS["svoi-kozyri"], 2, bytes(16))).events]
    assert {"kind": "own_trump", "seat": 1, "count": 1, "cards": ["6H"], "suit": "H"} in told
    assert not any(event["kind"] == "turn_up" for event in told)


def story(state: GameState, moves: str) -> list[Event]:
    chronicle = Chronicle(state)
    before = len(chronicle.events)
    for text in moves.split():
        chronicle.play(Move.parse(text))
    return list(chronicle.events[before:])


def test_a_beaten_bout_tells_moves_then_the_end_of_the_bout_then_draws_in_order() -> None:
    events = story(table("8S KS", "JS JD QS", talon="6C 7C 8C 9C TC QC KC AC QD 6H"), "a8S b8S:JS pass")
    assert [(event.kind, event.seat, event.count) for event in events] == [
        ("attack", 0, 1),
        ("beat", 1, 1),
        ("pass", 0, 0),
        ("bout_over", 1, 2),
        ("draw", 0, 5),
        ("draw", 1, 4),
    ]
    assert events[1].data == {"target": "8S"}
    assert events[3].seen_by(None)["how"] == "beaten"
    assert events[4].seen_by(0)["cards"] == ["6C", "7C", "8C", "9C", "TC"]
    assert events[4].seen_by(1) == {"kind": "draw", "seat": 0, "count": 5}


def test_a_taken_bout_an_exit_and_the_end_are_told() -> None:
    events = story(table("8S", "JS JD"), "a8S take")
    assert [(event.kind, event.seat) for event in events] == [
        ("attack", 0),
        ("out", 0),
        ("take", 1),
        ("bout_over", 1),
        ("hand", 1),
        ("deal_over", None),
    ]
    assert events[3].seen_by(0) == {"kind": "bout_over", "seat": 1, "count": 1, "cards": ["8S"], "how": "taken"}
    assert events[-1].data["result"]["duraks"] == [1]


def test_a_forced_pass_and_a_chosen_one_look_the_same() -> None:
    forced = story(table("8S KS", "JS JD QS"), "a8S b8S:JS pass")
    chosen = story(table("8S JC", "JS JD QS"), "a8S b8S:JS pass")
    assert forced[2].seen_by(1) == chosen[2].seen_by(1)


def test_taking_only_the_top_of_a_pile_is_told_apart() -> None:
    top = rules("svoi-kozyri", svoi_pickup="top")
    state = table("8C KS", "JC QS", "9D TS", rules=top, trump=["S", "H", "D"])
    events = story(state, "a8C b8C:JC take take")
    assert [event.data["how"] for event in events if event.kind == "bout_over"] == ["top_taken", "taken"]


def test_a_fault_ends_the_log_with_its_verdict() -> None:
    chronicle = Chronicle(deal(PRESETS["podkidnoy"], 3, bytes(16)))
    events = chronicle.fault(1, "timeout")
    assert events[0].seen_by(0) == {"kind": "fault", "seat": 1, "verdict": "timeout"}
    assert events[-1].kind == "deal_over"
    assert chronicle.state.result is not None
    assert chronicle.state.result.duraks == {1}
    with pytest.raises(DurakError, match="over"):
        chronicle.fault(1, "timeout")


def test_a_refused_move_leaves_no_trace_in_the_log() -> None:
    chronicle = Chronicle(deal(PRESETS["podkidnoy"], 3, bytes(16)))
    before = chronicle.events
    with pytest.raises(IllegalMove):
        chronicle.play(Move("pass"))
    assert chronicle.events == before
    assert chronicle.moves == []


def test_a_fault_of_a_seat_that_is_not_there_is_refused() -> None:
    with pytest.raises(DurakError, match="the seats are 0 to 2"):
        Chronicle(deal(PRESETS["podkidnoy"], 3, bytes(16))).fault(3, "crash")
