"""The long rules (the first seed), sentence by sentence, by the presets that play exactly as they say."""

from __future__ import annotations

import pytest

from bots_sdk.durak import RuleSet, deal
from tests.bots_sdk.durak.book import hand, legal, play, refusal, sizes, table

LONG = "podkidnoy-long"


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_deal_2_six_cards_each_from_the_dealers_left(seats: int) -> None:
    assert sizes(deal(RuleSet.preset(LONG), seats=seats, seed=bytes(16))) == [6] * seats


def test_deal_5_the_lowest_trump_opens_and_every_deal_has_one() -> None:
    for number in range(100):
        position = deal(RuleSet.preset(LONG), seats=2, seed=number.to_bytes(16, "big")).to_position()
        order = "6789TJQKA"
        lowest = min(
            (order.index(card[0]), seat)
            for seat, cards in enumerate(position["hands"])
            for card in cards
            if card[1] == position["trump"]
        )
        assert position["attacker"] == lowest[1]


def test_attack_1_the_attacker_opens_with_one_card() -> None:
    state = table(LONG, "8S 8D 9C", "6S 7S KC")
    assert legal(state) == {"a8S", "a8D", "a9C"}
    assert refusal(state, "a8S8D").rule == "R4.1"


def test_attack_2_plain_cards_fall_to_higher_ones_or_any_trump_and_trumps_to_higher_trumps() -> None:
    assert legal(play(table(LONG, "8S 9C", "6S 9S 6H AD"), "a8S")) == {"b8S:9S", "b8S:6H", "take"}
    assert legal(play(table(LONG, "8H 9C", "6S AS 6H 9H AD"), "a8H")) == {"b8H:9H", "take"}


def test_attack_3_everyone_but_the_defender_may_throw_in_ranks_of_attack_and_defence_once_beaten() -> None:
    hands = ("8S 8D 6C", "9S TC QC KC", "9D 7C", "8C 9C JD", "8H 7D")
    state = play(table(LONG, *hands), "a8S")
    assert state.seat_to_move == 1
    play(state, "b8S:9S")
    assert legal(state) == {"a8D", "pass"}
    play(state, "pass")
    assert legal(state) == {"a9D", "pass"}
    play(state, "pass")
    assert legal(state) == {"a8C", "a9C", "pass"}
    play(state, "pass")
    assert legal(state) == {"a8H", "pass"}


def test_attack_3_nothing_is_thrown_in_before_the_attack_is_beaten() -> None:
    state = play(table(LONG, "8S 8D 6C", "TS TC QC", "8C 7C"), "a8S")
    assert state.seat_to_move == 1


def test_attack_4_a_bout_has_at_most_six_attack_cards() -> None:
    attacker = "6S 6D 6C 7D 7C 8S 8D AC"
    defender = "7S 8C 9S 9D 9C TS TD TC 6H 7H 8H 9H"
    state = table(LONG, attacker, defender, trump="H")
    play(state, "a6S b6S:7S a6D b6D:6H a6C b6C:7H a7D b7D:8H a7C b7C:8C a8S")
    play(state, "b8S:9S")
    assert state.to_position()["table"] == []
    assert state.seat_to_move == 1


def test_attack_4_or_as_many_as_the_defender_held_when_it_began() -> None:
    state = play(table(LONG, "6S 6D 6C 7C", "7S 6H AD"), "a6S b6S:7S a6D b6D:6H a6C take")
    assert hand(state, 1) == {"AD", "6S", "7S", "6D", "6H", "6C"}


def test_attack_5_the_beaten_cards_go_away_and_the_defender_attacks() -> None:
    state = play(table(LONG, "6S 8D", "7S AD", "JC QC"), "a6S b6S:7S pass pass")
    assert state.seat_to_move == 1
    assert legal(state) == {"aAD"}


def test_attack_6_the_defender_takes_the_whole_pile_and_the_attacker_stays() -> None:
    state = play(table(LONG, "6S 6D 8D", "7S AD", "JC QC"), "a6S b6S:7S a6D take")
    assert hand(state, 1) == {"AD", "6S", "7S", "6D"}
    assert state.seat_to_move == 0
    play(state, "a8D")
    # He has no card left, so he is out and the two others play on.
    assert state.seat_to_move == 1


def test_attack_6_nothing_is_added_to_what_is_taken() -> None:
    state = play(table(LONG, "6S 6D 8D", "7C AD KD", "6C QC"), "a6S take")
    assert sizes(state) == [2, 4, 2]
    assert state.seat_to_move == 0


def test_attack_7_attackers_draw_first_and_the_defender_last() -> None:
    hands = ("6S 6D 8D 9D TD JD", "7S 7C 8C 9C TC JC", "6C 7D QS QC KS KC")
    state = table(LONG, *hands, talon="QD KD AD AC AS 6H")
    play(state, "a6S b6S:7S pass a6C b6C:8C pass pass")
    assert hand(state, 0) == {"6D", "8D", "9D", "TD", "JD", "QD"}
    assert "KD" in hand(state, 2)
    assert {"AD", "AC"} <= hand(state, 1)
    assert state.to_position()["talon"] == ["AS", "6H"]


def test_out_1_who_plays_his_last_card_is_out_at_once_and_draws_no_more() -> None:
    state = table(LONG, "6S", "7S AD 9C", "JC QC KC", talon="QD KD AC AS TH TC JD QS KS 6H")
    play(state, "a6S b6S:7S pass")
    assert sizes(state) == [0, 6, 6]
    assert state.seat_to_move == 1
    play(state, "aAD")
    assert state.seat_to_move == 2


def test_out_1_a_defender_who_beats_the_last_card_with_his_last_is_out() -> None:
    state = table(LONG, "6S 9D", "7S", "JC QC KC", talon="QD KD AC AS TH TC JD QS KS 6H")
    play(state, "a6S b6S:7S")
    assert sizes(state) == [6, 0, 6]
    # He should attack but is out: the next seat does.
    assert state.seat_to_move == 2


def test_out_4_the_deal_ends_at_once_when_one_player_alone_holds_cards() -> None:
    state = play(table(LONG, "6S", "7S AD 9C", talon="QD KD 6H"), "a6S")
    assert state.is_over
    assert state.result is not None
    assert set(state.result.duraks) == {1}
    state = play(table(LONG, "6S 8C", "7S"), "a6S b6S:7S")
    assert state.is_over
    assert state.result is not None
    assert set(state.result.duraks) == {0}


def test_out_5_a_durak_with_more_than_six_cards_is_double() -> None:
    for held, double in (("7S 8S 9S TS JS QS", False), ("7S 8S 9S TS JS QS KS", True)):
        result = play(table(LONG, "6S", held), "a6S").result
        assert result is not None
        assert result.double is double
        assert tuple(result.cards_left) == (0, len(held.split()))


def test_perevodnoy_the_attack_goes_on_and_the_original_attacker_stays_first() -> None:
    hands = ("8S 9D 6C", "8D TC QC", "KC KD KS 9C", "9S 7C 7D")
    state = play(table("perevodnoy-long", *hands), "a8S t8D")
    assert state.seat_to_move == 2
    assert state.to_position()["attacker"] == 0
    assert state.to_position()["defender"] == 2
    assert state.to_position()["table"] == [["8S", None], ["8D", None]]


def test_perevodnoy_the_last_card_may_not_be_passed_on() -> None:
    state = play(table("perevodnoy-long", "8S 9D 6C", "8D", "KC KD KS"), "a8S")
    assert legal(state) == {"take"}
    assert refusal(state, "t8D").rule == "R7.2"


def test_perevodnoy_not_to_one_with_too_few_cards_nor_after_beating() -> None:
    state = play(table("perevodnoy-long", "8S 9D 6C", "8D 9S", "KC"), "a8S")
    assert legal(state) == {"b8S:9S", "take"}
    assert refusal(state, "t8D").rule == "R7.1"
    state = play(table("perevodnoy-long", "8S 8C 6C", "8D 9S 9C", "KC KD KS"), "a8S b8S:9S a8C")
    assert legal(state) == {"b8C:9C", "take"}
    assert refusal(state, "t8D").rule == "R7.1"


def test_podkidnoy_has_no_passing_on() -> None:
    state = play(table(LONG, "8S 9D 6C", "8D 9S", "KC KD"), "a8S")
    assert refusal(state, "t8D").rule.startswith("R7")


def test_proyezdnoy_a_trump_of_the_rank_is_shown_and_goes_back_to_the_hand() -> None:
    hands = ("8S 9D 6C", "8H TC QC", "KC", "9S 7C 7D")
    state = play(table("proyezdnoy", *hands), "a8S")
    assert "s8H" in legal(state)
    assert "t8H" not in legal(state)  # two cards would lie before one who holds one
    play(state, "s8H")
    position = state.to_position()
    assert (position["defender"], position["table"]) == (2, [["8S", None]])
    assert "8H" in position["hands"][1]


def test_proyezdnoy_a_card_is_shown_once_a_deal_or_once_a_bout() -> None:
    hands = ("8S 8C 9D 6C AC", "8H TC QC KC", "KS QS JS TS")
    for limit, again in (("deal", False), ("bout", True)):
        state = play(table("proyezdnoy", *hands, show_limit=limit), "a8S s8H take pass pass")
        # Seat 2 took 8S, so seat 0 attacks seat 1 once more.
        assert state.seat_to_move == 0
        play(state, "a8C")
        assert ("s8H" in legal(state)) is again


def test_proyezdnoy_only_the_trump_of_that_rank_may_be_shown() -> None:
    state = play(table("proyezdnoy", "8S 9D 6C", "8D 9H TC", "KC KD KS"), "a8S")
    assert {move for move in legal(state) if move[0] == "s"} == set()
    assert refusal(state, "s8D").rule == "R7.4"
    assert refusal(state, "s9H").rule == "R7.1"


def test_siberian_attacks_are_three_cards() -> None:
    state = table("siberian", "6S 6D 6C 7D 7C", "7S 8C 9S 9D 9C 7H 6H", trump="H")
    assert "a6C6D6S" in legal(state)
    play(state, "a6S b6S:7S a6D b6D:6H a7D b7D:7H")
    assert state.to_position()["table"] == []


def test_mini_has_twenty_four_cards_and_full_fifty_two() -> None:
    for preset, lowest, count in (("mini", "9", 24), ("full", "2", 52), ("podkidnoy", "6", 36)):
        position = deal(RuleSet.preset(preset), seats=2, seed=bytes(16)).to_position()
        cards = [card for cards in [*position["hands"], position["talon"]] for card in cards]
        assert len(cards) == len(set(cards)) == count
        assert min("23456789TJQKA".index(card[0]) for card in cards) == "23456789TJQKA".index(lowest)


def test_two_packs_for_six_have_every_card_twice() -> None:
    position = deal(RuleSet.preset("two-packs"), seats=6, seed=bytes(16)).to_position()
    cards = [card for cards in [*position["hands"], position["talon"]] for card in cards]
    assert len(cards) == 72
    assert all(cards.count(card) == 2 for card in cards)


def test_an_identical_card_does_not_beat() -> None:
    hands = ("8S 9D 6C", "8S 8H 9S", "KC", "KC", "KD", "KD")
    state = play(table("two-packs", *hands), "a8S")
    assert legal(state) == {"b8S:9S", "b8S:8H", "take"}


def test_proyezdnoy_who_is_down_to_his_last_card_may_not_show_it_either_where_that_is_forbidden() -> None:
    for allowed in (True, False):
        state = table("proyezdnoy", "QS AC", "QD", "KS KC", trump="D", transfer_last_card=allowed, bout=2)
        play(state, "aQS")
        assert ("sQD" in legal(state)) is allowed
        assert "bQS:QD" in legal(state)
    assert refusal(state, "sQD").rule == "R7.2"
