"""Svoi kozyri: own trumps (R9.4)."""

from __future__ import annotations

import pytest

from bots_sdk.durak import IllegalMove, Move
from tests.bots_sdk.durak.tables import hand, legal, play, refusal, rules, table

OWN = ["S", "H", "D"]


def test_any_card_is_led_and_the_next_seat_beats_it_or_takes() -> None:
    state = table("8C KS", "JC 6H QS", "9D TS", rules="svoi-kozyri", trump=OWN)
    assert legal(state) == {"a8C", "aKS"}
    play(state, "a8C")
    assert legal(state) == {"b8C:JC", "b8C:6H", "take"}, "a higher club, or hearts, which are seat 1's own trumps"


def test_an_own_trump_on_top_is_beaten_only_by_a_higher_one() -> None:
    state = play(table("8H KS", "9H 7H AS AC", "9D TS", rules="svoi-kozyri", trump=OWN), "a8H")
    assert legal(state) == {"b8H:9H", "take"}
    assert refusal(state, "b8H:AS").message == "A♠ does not beat 8♥: only a higher trump does"


def test_another_s_trump_is_a_plain_suit() -> None:
    state = play(table("AS KS", "6H 7C", "9D TS", rules="svoi-kozyri", trump=OWN), "aAS")
    assert legal(state) == {"bAS:6H", "take"}
    assert refusal(state, "bAS:7C").message == "7♣ does not beat A♠: it is neither of the same suit nor your trump"


def test_the_pile_grows_until_every_player_has_added_a_card_and_the_last_one_leads() -> None:
    state = table("8C KS 7S", "JC QS 7C", "QC TS 8D", rules="svoi-kozyri", trump=OWN, discarded=27)
    play(state, "a8C b8C:JC")
    assert state.view(None)["pile"] == ["8C", "JC"]
    assert refusal(state, "b8C:QC").message == "only the top of the pile is beaten: it is J♣"
    play(state, "bJC:QC")
    assert state.discarded == 30
    assert state.view(None)["pile"] == []
    assert state.seat_to_move == 2


def test_who_takes_the_pile_is_passed_over_and_the_next_seat_leads() -> None:
    state = play(table("8C KS", "JC QS", "9D TS", rules="svoi-kozyri", trump=OWN), "a8C b8C:JC take")
    assert hand(state, 2) == {"9D", "TS", "8C", "JC"}
    assert state.seat_to_move == 0
    assert state.view(None)["known"][2] == ["8C", "JC"]


def test_with_pickup_top_only_the_top_is_taken_and_the_next_answers_the_new_top() -> None:
    top = rules("svoi-kozyri", svoi_pickup="top")
    state = play(table("8C KS", "JC QS", "9D TS", rules=top, trump=OWN), "a8C b8C:JC take")
    assert hand(state, 2) == {"9D", "TS", "JC"}
    assert state.view(None)["pile"] == ["8C"]
    assert state.seat_to_move == 0
    play(state, "take")
    assert state.seat_to_move == 1, "with the pile gone the next seat leads"
    assert state.legal_moves()[0].kind == "attack"


def test_a_player_without_cards_is_out_and_the_pile_waits_only_for_those_in_play() -> None:
    state = table("8C", "JC QS", "QC 9D", rules="svoi-kozyri", trump=OWN)
    play(state, "a8C b8C:JC bJC:QC")
    assert state.view(None)["pile"] == []
    assert state.seat_to_move == 2
    play(state, "a9D take")
    assert state.is_over


def test_the_last_holder_is_the_durak() -> None:
    state = play(table("8C", "JH QS", rules="svoi-kozyri", trump=["S", "H"]), "a8C b8C:JH")
    assert state.result is not None
    assert state.result.duraks == {1}


def test_both_last_cards_on_one_pile_are_a_draw() -> None:
    state = play(table("8C", "JC", rules="svoi-kozyri", trump=["S", "H"]), "a8C b8C:JC")
    assert state.result is not None
    assert state.result.is_draw


def test_the_other_moves_are_refused_with_the_reason() -> None:
    state = table("8C KS", "JC QS", "9D TS", rules="svoi-kozyri", trump=OWN)
    assert refusal(state, "take").message == "you lead: play a card"
    assert refusal(state, "pass").rule == "R9.4"
    with pytest.raises(IllegalMove, match="one card is led at a time"):
        state.verify(Move.parse("a8CKS"))
    play(state, "a8C")
    assert refusal(state, "aJC").message == "8♣ is on top of the pile: beat it, or take"
    assert refusal(state, "bAC:KC").rule == "R9.4"
