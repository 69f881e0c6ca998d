"""The duel (R9.1)."""

from __future__ import annotations

import pytest

from bots_sdk.durak import IllegalMove, Move
from tests.bots_sdk.durak.tables import hand, legal, play, refusal, table

TALON = "6C 7C 8C 9C TC QC KC AC QD KD 6H"


def test_the_leader_plays_one_card_and_the_other_beats_or_takes_it() -> None:
    state = table("8S 8D KS", "JS JD QS", rules="duel")
    assert legal(state) == {"a8S", "a8D", "aKS"}
    play(state, "a8S")
    assert legal(state) == {"b8S:JS", "b8S:QS", "take"}


def test_beaten_both_cards_are_put_away_both_refill_the_beater_first_and_he_leads() -> None:
    state = play(table("8S 8D KS", "JS JD QS", rules="duel", talon=TALON), "a8S b8S:JS")
    assert hand(state, 1) == {"JD", "QS", "6C", "7C", "8C", "9C"}
    assert hand(state, 0) == {"8D", "KS", "TC", "QC", "KC", "AC"}
    assert state.seat_to_move == 1
    assert state.table_faces() == []
    assert state.legal_moves()[0].kind == "attack", "nothing is thrown in"


def test_not_beaten_the_card_is_taken_and_the_leader_refills_and_leads_again() -> None:
    state = play(table("8S 8D KS", "JS JD QS", rules="duel", talon=TALON), "a8S take")
    assert hand(state, 1) == {"JS", "JD", "QS", "8S"}
    assert hand(state, 0) == {"8D", "KS", "6C", "7C", "8C", "9C"}
    assert state.seat_to_move == 0


def test_with_the_talon_gone_whoever_leads_his_last_card_has_won_at_once() -> None:
    state = play(table("8S", "JS", rules="duel"), "a8S")
    assert state.result is not None
    assert state.result.duraks == {1}
    assert state.result.reason == "first_out"


def test_with_the_talon_gone_whoever_beats_with_his_last_card_has_won_at_once() -> None:
    state = play(table("8S KS", "JS", rules="duel"), "a8S b8S:JS")
    assert state.result is not None
    assert state.result.duraks == {0}


def test_the_other_moves_are_refused_with_the_reason() -> None:
    state = table("8S 8D KS", "JS JD QS", rules="duel")
    assert refusal(state, "take").message == "you lead: play a card"
    assert refusal(state, "pass").message == "in a duel a card is led, and beaten or taken: there is no pass"
    assert refusal(state, "aJS").message == "J♠ is not in your hand"
    with pytest.raises(IllegalMove, match="one card is led at a time"):
        state.verify(Move.parse("a8S8D"))
    play(state, "a8S")
    assert refusal(state, "aJS").message == "8♠ lies before you: beat it, or take it"
    assert refusal(state, "b8D:JD").message == "8♦ is not the card that was led"
    assert refusal(state, "b8S:JD").rule == "R1"
    assert refusal(state, "t8D").rule == "R9.1"
