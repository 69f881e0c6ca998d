"""Severny, sentence by sentence of R9.3."""

from __future__ import annotations

from bots_sdk.durak import Chronicle, RuleSet, deal
from tests.bots_sdk.durak.book import legal, play, table

BLACK = {"S", "C"}
RED = {"H", "D"}


def test_there_are_two_trumps_the_turn_ups_and_the_other_of_its_colour() -> None:
    seen = set()
    for number in range(40):
        position = deal(RuleSet.preset("severny"), seats=3, seed=number.to_bytes(16, "big")).to_position()
        turned = position["talon"][-1][1]
        assert set(position["trump"]) == (BLACK if turned in BLACK else RED)
        seen.add(turned)
    assert seen == BLACK | RED


def test_either_trump_beats_a_plain_card_but_not_the_other_trump() -> None:
    state = play(table("severny", "8S AC", "6H 7D 7H 9S KC", trump="HD", talon="TC JC QC KH"), "a8S")
    assert legal(state) == {"b8S:6H", "b8S:7D", "b8S:7H", "b8S:9S", "take"}
    state = play(table("severny", "8H AC", "6H 9H AD KD 9S", trump="HD", talon="TC JC QC KH"), "a8H")
    assert legal(state) == {"b8H:9H", "take"}


def test_with_cross_trump_a_higher_trump_beats_the_other_trump() -> None:
    state = play(table("severny", "8H AC", "6H 9H 6D KD 9S", trump="HD", talon="TC JC QC KH", cross_trump=True), "a8H")
    assert legal(state) == {"b8H:9H", "b8H:KD", "take"}


def test_the_last_face_down_card_drawn_names_the_only_trump_from_the_next_bout() -> None:
    state = table("severny", "8S 7C 7S 9C TC JC", "9S 6H 6D 9D TD JD", trump="HD", talon="QC KH")
    play(state, "a8S b8S:9S pass")
    assert set(state.to_position()["trump"]) == {"C"}
    play(state, "a6H")
    assert legal(state) >= {"b6H:7C", "b6H:9C", "b6H:QC"}


def test_both_trumps_hold_as_long_as_a_face_down_card_is_left() -> None:
    state = table("severny", "8S 7C 7S 9C TC JC", "9S 6H 6D 9D TD JD", trump="HD", talon="QC KC QS KH")
    play(state, "a8S b8S:9S pass")
    assert set(state.to_position()["trump"]) == RED


def test_the_card_that_changes_the_trump_is_shown_to_all() -> None:
    for number in range(5):
        state = deal(RuleSet.preset("severny"), seats=2, seed=number.to_bytes(16, "big"))
        last = state.to_position()["talon"][-2]
        chronicle = Chronicle(state)
        while not state.is_over and state.to_position()["talon"]:
            chronicle.play(state.legal_moves()[0])
        changes = [event for event in chronicle.events if event.kind == "trump_change"]
        assert len(changes) == 1
        assert changes[0].visible_to is None
        assert last in str(changes[0].seen_by(None))
        assert set(state.to_position()["trump"]) == {last[1]}


def test_with_six_seats_nothing_is_drawn_and_both_trumps_stay() -> None:
    state = deal(RuleSet.preset("severny"), seats=6, seed=bytes(16))
    for _ in range(40):
        if state.is_over:
            break
        state.play(state.legal_moves()[0])
        assert len(set(state.to_position()["trump"])) == 2
