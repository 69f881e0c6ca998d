"""Severny: two trump suits, then one (R9.3)."""

from __future__ import annotations

import pytest

from bots_sdk.durak import Chronicle, deal
from tests.bots_sdk.durak.tables import PRESETS, legal, play, refusal, rules, table


@pytest.mark.parametrize(("turn_up", "trumps"), [("6H", "HD"), ("6D", "DH"), ("6S", "SC"), ("6C", "CS")])
def test_the_suit_of_the_turn_up_and_the_other_of_its_colour_are_trumps(turn_up: str, trumps: str) -> None:
    for number in range(60):
        state = deal(PRESETS["severny"], 2, number.to_bytes(16, "big"))
        if str(state.deal_info.turn_up)[1] == turn_up[1]:
            assert "".join(state.deal_info.trumps) == trumps
            return
    pytest.fail(f"no seed turned up {turn_up[1]}")


def test_a_trump_of_one_suit_does_not_beat_a_trump_of_the_other() -> None:
    state = play(table("8D KS", "AH 9D 7H", rules="severny", trump=["H", "D"]), "a8D")
    assert legal(state) == {"b8D:9D", "take"}
    assert refusal(state, "b8D:AH").message == "A♥ does not beat 8♦: one trump suit does not beat the other"


def test_both_trumps_beat_a_plain_card() -> None:
    state = play(table("8S KS", "6H 6D 7C", rules="severny", trump=["H", "D"]), "a8S")
    assert legal(state) == {"b8S:6H", "b8S:6D", "take"}


def test_with_cross_trump_a_higher_trump_of_either_suit_beats() -> None:
    crossing = rules("severny", cross_trump=True)
    state = play(table("8D KS", "AH 9D 7H", rules=crossing, trump=["H", "D"]), "a8D")
    assert legal(state) == {"b8D:9D", "b8D:AH", "take"}
    assert refusal(state, "b8D:7H").message == "7♥ does not beat 8♦: it is not a higher trump"


def test_the_last_face_down_card_is_shown_and_names_the_only_trump_from_the_next_bout() -> None:
    state = table(
        "8S KS AS TS QS 9S",
        "JS JD JC QC KC AC",
        rules="severny",
        trump=["H", "D"],
        talon="7C 6H",
    )
    chronicle = Chronicle(state)
    play_through(chronicle, "a8S b8S:JS pass")
    assert state.trumps == [3]
    change = next(event for event in chronicle.events if event.kind == "trump_change")
    assert change.seen_by(None) == {"kind": "trump_change", "count": 1, "cards": ["7C"], "trump": ["C"]}
    assert state.view(None)["trump"] == ["C"]
    assert state.view(None)["known"] == [["7C"], ["6H"]], "both last cards of the talon are public"


def test_as_long_as_a_face_down_card_is_left_both_suits_stay_trump() -> None:
    state = table("8S KS AS TS QS 9S", "JS JD JC QC KC AC", rules="severny", trump=["H", "D"], talon="7C 8C 9C 6H")
    play(state, "a8S b8S:JS pass")
    assert state.trumps == [1, 2]


def play_through(chronicle: Chronicle, moves: str) -> None:
    from bots_sdk.durak import Move

    for text in moves.split():
        chronicle.play(Move.parse(text))
