"""Passing an attack on: perevodnoy and proyezdnoy (R7)."""

from __future__ import annotations

import pytest

from tests.bots_sdk.durak.tables import hand, legal, play, refusal, rules, table, table_of

PASSED_ON = ["perevodnoy", "perevodnoy-app", "proyezdnoy", "ladder"]


@pytest.mark.parametrize("name", PASSED_ON)
def test_r7_1_a_card_of_the_attack_s_rank_passes_it_on_to_the_next_seat(name: str) -> None:
    state = play(table("8S KS", "8D JD QS", "9D TS JS", rules=name, bout=2), "a8S")
    assert "t8D" in legal(state)
    play(state, "t8D")
    assert state.defender == state.seat_to_move == 2
    assert table_of(state) == [["8S", None], ["8D", None]]
    assert hand(state, 1) == {"JD", "QS"}


def test_r7_without_transfer_none_is_possible() -> None:
    state = play(table("8S KS", "8D JD QS", "9D TS JS"), "a8S")
    assert refusal(state, "t8D").message == "these rules have no transfer"
    assert refusal(state, "s8D").rule == "R7.4"


def test_r7_1_another_rank_does_not_pass_it_on() -> None:
    state = play(table("8S KS", "8D JD QS", "9D TS JS", rules="perevodnoy"), "a8S")
    assert refusal(state, "tJD").message == "J♦ cannot transfer: the attack is of rank 8"


def test_r7_1_once_a_card_is_beaten_the_attack_stays() -> None:
    state = play(table("8S 8C KS", "8D JD QS", "9D TS JS", rules="perevodnoy"), "a8S b8S:QS a8C")
    assert "t8D" not in legal(state)
    assert refusal(state, "t8D").message == "a card is beaten already: the attack can no longer be transferred"


def test_r7_1_the_next_seat_must_hold_as_many_cards_as_then_lie_on_the_table() -> None:
    state = play(table("8S 8C KS", "8D JD QS", "9D TS", rules="perevodnoy"), "a8S8C")
    refused = refusal(state, "t8D")
    assert (refused.rule, refused.message) == ("R7.1", "seat 2 holds 2 cards and cannot be made to face 3")
    enough = play(table("8S 8C KS", "8D JD QS", "9D TS JC", rules="perevodnoy"), "a8S8C")
    assert "t8D" in legal(enough)


def test_r7_1_the_limit_is_counted_afresh_from_the_new_defender_s_hand() -> None:
    state = play(table("8S KS 8H", "8D JD QS", "9D TS JS QD", rules="perevodnoy"), "a8S")
    assert state.limit == 3
    play(state, "t8D")
    assert state.limit == 4


def test_r7_1_a_transfer_past_the_limit_of_attack_cards_is_refused() -> None:
    state = play(table("8S 8C KS", "8D JD QS", "9D TS JC", rules=rules("perevodnoy", max_attack=2)), "a8S8C")
    assert refusal(state, "t8D").rule == "R4.3"


def test_r7_1_a_chain_may_come_back_to_the_attacker_and_go_round_again() -> None:
    state = table("8S 8H KS QD", "8D JD QS AD", "8C TS JS 9D", rules="perevodnoy", trump="C")
    play(state, "a8S t8D t8C")
    assert state.defender == 0
    assert refusal(state, "t8H").message == "seat 1 holds 3 cards and cannot be made to face 4"


def test_r7_1_at_two_seats_the_attacker_becomes_the_defender() -> None:
    state = play(table("8S KS QD", "8D JD QS", rules="perevodnoy"), "a8S t8D")
    assert (state.attacker, state.defender) == (1, 0)
    play(state, "take")
    assert state.seat_to_move == 1


def test_r7_1_a_seat_that_is_out_is_passed_by() -> None:
    state = play(table("8S KS QD", "8D JD QS", "", "9D TS JS", rules="perevodnoy"), "a8S t8D")
    assert state.defender == 3


def test_r7_2_the_last_card_may_be_used_to_pass_an_attack_on() -> None:
    state = play(table("8S KS QD", "8D", "9D TS JS", rules="perevodnoy"), "a8S")
    assert "t8D" in legal(state)


def test_r7_2_in_the_long_rules_it_may_not() -> None:
    state = play(table("8S KS QD", "8D", "9D TS JS", rules="perevodnoy-long"), "a8S")
    assert "t8D" not in legal(state)
    assert refusal(state, "t8D").message == "who is down to his last card cannot transfer"


def test_r7_2_without_transfer_first_bout_the_first_bout_stays() -> None:
    late = rules("perevodnoy", transfer_first_bout=False)
    first = play(table("8S KS QD", "8D JD", "9D TS JS", rules=late, bout=1), "a8S")
    assert refusal(first, "t8D").message == "the first bout cannot be transferred"
    second = play(table("8S KS QD", "8D JD", "9D TS JS", rules=late, bout=2), "a8S")
    assert "t8D" in legal(second)


CHAIN = ("8S KS QD", "8D JD QS", "9D TS JS 9S", "AS AD")


def test_r7_3_the_original_attacker_stays_main_attacker() -> None:
    state = play(table(*CHAIN, rules="perevodnoy"), "a8S t8D b8S:9S b8D:9D")
    assert state.attacker == 0
    assert state.seat_to_move == 0, "he is asked first"


def test_r7_3_with_transferrer_whoever_passed_it_on_is_main_attacker() -> None:
    state = play(table(*CHAIN, rules=rules("perevodnoy", transfer_lead="transferrer")), "a8S t8D b8S:9S b8D:9D")
    assert state.attacker == 1
    assert state.seat_to_move == 1


def test_r7_3_if_the_original_attacker_defends_the_last_transferrer_is_main_attacker() -> None:
    state = table("8S 8H KS QD", "8D JD QS AD 9H", "8C TS JS 9D", rules="perevodnoy", trump="S")
    play(state, "a8S t8D t8C")
    assert (state.attacker, state.defender) == (2, 0)
    play(state, "t8H")
    assert (state.attacker, state.defender) == (0, 1), "and when he passes it on he is it again"


def test_r7_3_the_main_attacker_refills_first_after_a_transfer() -> None:
    state = table(*CHAIN, rules="perevodnoy", talon="6C 7C 8C 9C TC QC KC AC KD TD 6D 7D 6S 7H 8H 6H")
    play(state, "a8S t8D take pass pass pass")
    assert hand(state, 0) == {"KS", "QD", "6C", "7C", "8C", "9C"}


def test_r7_4_the_trump_of_the_attack_s_rank_may_be_shown_instead_of_played() -> None:
    state = play(table("8S KS", "8H JD QS", "9D TS JS", rules="proyezdnoy"), "a8S")
    assert {"s8H", "t8H"} <= legal(state)
    play(state, "s8H")
    assert state.defender == 2
    assert table_of(state) == [["8S", None]]
    assert "8H" in hand(state, 1)
    assert state.view(None)["known"][1] == ["8H"], "what is shown is public"
    assert state.view(2)["shown"] == ["8H"]


def test_r7_4_in_perevodnoy_nothing_is_shown() -> None:
    state = play(table("8S KS", "8H JD QS", "9D TS JS", rules="perevodnoy"), "a8S")
    assert refusal(state, "s8H").message == "in these rules an attack is not passed on by showing a trump"


def test_r7_2_in_the_long_rules_nobody_passes_on_by_showing_his_last_card_either() -> None:
    state = play(table("8S KS QD", "8H", "9D TS JS", rules=rules("perevodnoy-long", transfer="proyezdnoy")), "a8S")
    assert refusal(state, "s8H").message == "who is down to his last card cannot transfer"


def test_r7_4_only_the_trump_of_the_rank_is_shown() -> None:
    state = play(table("8S KS", "8D 9H QS", "9D TS JS", rules="proyezdnoy"), "a8S")
    assert refusal(state, "s8D").message == "8♦ is not a trump: only a trump can be shown"
    assert refusal(state, "s9H").message == "9♥ cannot transfer: the attack is of rank 8"


def test_r7_4_the_next_defender_needs_only_as_many_cards_as_lie_there() -> None:
    state = play(table("8S 8C KS", "8H JD QS", "9D TS", rules="proyezdnoy"), "a8S8C")
    assert "s8H" in legal(state)
    assert "t8H" not in legal(state)


def test_r7_4_each_card_is_shown_once_a_deal() -> None:
    state = play(table("8S KS", "8H JD QS", rules="proyezdnoy", shown="8H"), "a8S")
    assert refusal(state, "s8H").message == "8♥ was shown before in this deal"


def test_r7_4_with_show_limit_bout_it_is_shown_again_in_another_bout() -> None:
    state = play(table("8S KS 8D 9C", "8H JD QS", rules=rules("proyezdnoy", show_limit="bout")), "a8S s8H")
    assert state.view(None)["shown"] == ["8H"]
    play(state, "take pass")
    assert "shown" not in state.view(None)
