"""The duel, sentence by sentence of the seed (its own numbers) and R9.1."""

from __future__ import annotations

import pytest

from bots_sdk.durak import RuleSet, deal
from tests.bots_sdk.durak.book import hand, legal, play, refusal, sizes, table


def seeds(count: int) -> list[bytes]:
    return [number.to_bytes(16, "big") for number in range(count)]


def test_1_3_4_six_cards_each_of_thirty_six_and_twenty_four_in_the_stock() -> None:
    state = deal(RuleSet.preset("duel"), seats=2, seed=bytes(16))
    position = state.to_position()
    assert sizes(state) == [6, 6]
    assert len(position["talon"]) == 24
    assert len({card for cards in [*position["hands"], position["talon"]] for card in cards}) == 36


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_only_two_play_a_duel(seats: int) -> None:
    with pytest.raises(ValueError, match=r"2|two"):
        deal(RuleSet.preset("duel"), seats=seats, seed=bytes(16))


def test_5_the_bottom_card_of_the_stock_is_trump_and_drawn_last() -> None:
    for seed in seeds(20):
        position = deal(RuleSet.preset("duel"), seats=2, seed=seed).to_position()
        trump = position["trump"]
        assert position["talon"][-1][1] in trump


@pytest.mark.parametrize("dealer", [0, 1])
def test_6_the_dealer_begins_whoever_holds_the_lowest_trump(dealer: int) -> None:
    for seed in seeds(30):
        assert deal(RuleSet.preset("duel"), seats=2, seed=seed, dealer=dealer).seat_to_move == dealer


def test_6_the_lead_is_one_card_even_with_a_pair_in_hand() -> None:
    state = table("duel", "8S 8D 9C", "6S 7S KC")
    assert legal(state) == {"a8S", "a8D", "a9C"}
    assert refusal(state, "a8S8D").rule.startswith(("R4.1", "R9.1"))


def test_7_8_the_answer_is_a_higher_card_of_the_suit_or_a_trump_or_buying() -> None:
    state = play(table("duel", "8S 9C", "6S 9S AS 8D AC 6H"), "a8S")
    assert legal(state) == {"b8S:9S", "b8S:AS", "b8S:6H", "take"}


def test_8_a_led_trump_is_beaten_by_a_higher_trump_only() -> None:
    state = play(table("duel", "8H 9C", "6H 9H AS"), "a8H")
    assert legal(state) == {"b8H:9H", "take"}


def test_8_9_11_the_beater_draws_first_and_leads_and_both_cards_are_away() -> None:
    state = table("duel", "8S 7C 7D 9C TC JC", "9S 6C 6D 9D TD JD", talon="QC QD KC AH")
    play(state, "a8S b8S:9S")
    assert hand(state, 1) == {"6C", "6D", "9D", "TD", "JD", "QC"}
    assert hand(state, 0) == {"7C", "7D", "9C", "TC", "JC", "QD"}
    assert state.seat_to_move == 1
    assert state.to_position()["table"] == []


def test_9_nothing_is_thrown_in_after_a_beaten_card() -> None:
    state = play(table("duel", "8S 8C 9D", "9S 6C 6D"), "a8S b8S:9S")
    assert state.seat_to_move == 1
    assert legal(state) == {"a6C", "a6D"}


def test_10_who_holds_six_or_more_draws_nothing() -> None:
    state = table("duel", "8S 7C 7D 9C TC JC QC KC", "9S 6C 6D 9D TD JD", talon="QD KD AH")
    play(state, "a8S b8S:9S")
    assert sizes(state) == [7, 6]
    assert state.to_position()["talon"] == ["KD", "AH"]


def test_15_16_the_bought_card_joins_the_hand_and_the_leader_draws_and_leads_again() -> None:
    state = table("duel", "8S 7C 7D 9C TC JC", "9S 6C 6D 9D TD JD", talon="QC QD KC AH")
    play(state, "a8S take")
    assert hand(state, 1) == {"9S", "6C", "6D", "9D", "TD", "JD", "8S"}
    assert hand(state, 0) == {"7C", "7D", "9C", "TC", "JC", "QC"}
    assert state.seat_to_move == 0
    assert "pass" not in legal(state)


def test_15_a_buyer_with_fewer_than_six_draws_nothing() -> None:
    state = table("duel", "8S 7C 7D 9C TC JC", "9S 6C", talon="QC QD KC AH")
    play(state, "a8S take")
    assert sizes(state) == [6, 3]


def test_9_the_last_card_of_the_stock_goes_to_the_beater() -> None:
    state = table("duel", "8S 7C 7D 9C TC JC", "9S 6C 6D 9D TD JD", talon="AH")
    play(state, "a8S b8S:9S")
    assert "AH" in hand(state, 1)
    assert sizes(state) == [5, 6]


def test_12_13_the_leader_who_plays_his_last_card_with_the_stock_gone_has_won_at_once() -> None:
    state = play(table("duel", "8S", "9S"), "a8S")
    assert state.is_over
    assert state.result is not None
    assert set(state.result.duraks) == {1}
    assert legal(state) == set()


def test_13_the_beater_who_plays_his_last_card_with_the_stock_gone_has_won_at_once() -> None:
    state = play(table("duel", "8S 7C", "9S"), "a8S b8S:9S")
    assert state.is_over
    assert state.result is not None
    assert set(state.result.duraks) == {0}
    assert tuple(state.result.cards_left) == (1, 0)


def test_12_play_goes_on_without_a_stock() -> None:
    state = play(table("duel", "8S 7C 6D", "9S KC"), "a8S take")
    assert not state.is_over
    assert state.seat_to_move == 0
    assert sizes(state) == [2, 3]


def test_there_is_no_transfer_in_a_duel() -> None:
    state = play(table("duel", "8S 7C", "8D KC"), "a8S")
    assert legal(state) == {"take"}
    refusal(state, "t8D")


def test_8_the_last_two_beaten_cards_are_away_too_and_on_no_table() -> None:
    position = play(table("duel", "8S 7C", "9S"), "a8S b8S:9S").to_position()
    assert position["table"] == []
    assert position["discarded"] == 35


@pytest.mark.parametrize(("hands", "lying"), [(("", "9S"), []), (("8S", ""), []), (("", "9S 7C"), [["8S", None]])])
def test_13_a_duel_in_which_somebody_has_no_cards_left_cannot_go_on(
    hands: tuple[str, str], lying: list[list[str | None]]
) -> None:
    with pytest.raises(ValueError, match="no cards"):
        table("duel", *hands, table=lying)
