"""Svoi kozyri, sentence by sentence of R9.4."""

from __future__ import annotations

import pytest

from bots_sdk.durak import RuleSet, deal
from tests.bots_sdk.durak.book import hand, legal, play, table

RULES = RuleSet.preset("svoi-kozyri")


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_all_cards_are_dealt_and_every_seat_has_a_trump_of_its_own_and_its_six(seats: int) -> None:
    for number in range(10):
        position = deal(RULES, seats=seats, seed=number.to_bytes(16, "big")).to_position()
        trumps = list(position["trump"])
        assert len(trumps) == seats == len(set(trumps))
        assert [len(cards) for cards in position["hands"]] == [36 // seats] * seats
        assert not position["talon"]
        for seat, trump in enumerate(trumps):
            assert "6" + trump in position["hands"][seat]


@pytest.mark.parametrize("seats", [5, 6])
def test_more_than_four_seats_are_refused(seats: int) -> None:
    with pytest.raises(ValueError, match="seat"):
        deal(RULES, seats=seats, seed=bytes(16))


@pytest.mark.parametrize("dealer", [0, 1, 2])
def test_the_dealers_left_leads_any_card(dealer: int) -> None:
    state = deal(RULES, seats=3, seed=bytes(16), dealer=dealer)
    leader = (dealer + 1) % 3
    assert state.seat_to_move == leader
    assert legal(state) == {"a" + card for card in hand(state, leader)}


def test_the_next_beats_the_top_with_a_higher_card_or_his_own_trump_or_takes() -> None:
    state = table("svoi-kozyri", "8S 9S", "7S 9C TS 6H AD", "KD QD", trump="SHD")
    play(state, "a8S")
    assert state.seat_to_move == 1
    assert legal(state) == {"b8S:TS", "b8S:6H", "take"}


def test_his_own_trump_beats_another_seats_trump_but_not_a_higher_card_of_itself() -> None:
    state = play(table("svoi-kozyri", "AS 9H", "6H 8H TH", "KD QD", trump="SHD"), "aAS")
    assert legal(state) == {"bAS:6H", "bAS:8H", "bAS:TH", "take"}
    state = play(table("svoi-kozyri", "AS 9H", "6H 8H TH", "KD QD", trump="SHD"), "a9H")
    assert legal(state) == {"b9H:TH", "take"}


def test_the_pile_grows_and_the_next_beats_the_new_top() -> None:
    state = play(table("svoi-kozyri", "8S 9S", "TS 6H AD", "JS QS 7D", trump="SHD"), "a8S b8S:TS")
    assert state.seat_to_move == 2
    assert legal(state) == {"bTS:JS", "bTS:QS", "bTS:7D", "take"}


def test_who_takes_the_pile_takes_all_of_it_and_the_next_seat_leads() -> None:
    state = play(table("svoi-kozyri", "8S 9S", "TS 6H AD", "6C 7C", trump="SHD"), "a8S b8S:TS take")
    assert hand(state, 2) == {"6C", "7C", "8S", "TS"}
    assert state.seat_to_move == 0
    assert legal(state) == {"a9S"}


def test_with_svoi_pickup_top_only_the_top_is_taken_and_the_new_top_is_answered() -> None:
    start = table("svoi-kozyri", "8S 9S", "TS 6H AD", "6C 7C", trump="SHD", svoi_pickup="top")
    state = play(start, "a8S b8S:TS take")
    assert hand(state, 2) == {"6C", "7C", "TS"}
    assert state.seat_to_move == 0
    assert legal(state) == {"b8S:9S", "take"}


def test_when_everyone_has_added_a_card_the_pile_is_away_and_the_last_leads() -> None:
    state = play(table("svoi-kozyri", "8S 9S", "TS 6H AD", "JS 7C", trump="SHD"), "a8S b8S:TS bTS:JS")
    assert state.to_position()["table"] == []
    assert state.seat_to_move == 2
    assert legal(state) == {"a7C"}


def test_the_last_holder_is_durak() -> None:
    state = play(table("svoi-kozyri", "8S", "TS 6H", trump="SH"), "a8S")
    while not state.is_over:
        state.play(state.legal_moves()[0])
    assert state.result is not None
    assert set(state.result.duraks) == {1}
