"""Two against two and three against three (R8)."""

from __future__ import annotations

import pytest

from bots_sdk.durak import hints
from tests.bots_sdk.durak.tables import PRESETS, hand, legal, play, refusal, rules, table


def test_r8_1_opposite_partners_sit_alternately() -> None:
    assert [PRESETS["pairs"].team_of(seat) for seat in range(4)] == [0, 1, 0, 1]
    assert [PRESETS["trios"].team_of(seat) for seat in range(6)] == [0, 1, 0, 1, 0, 1]


def test_r8_3_adjacent_partners_sit_side_by_side() -> None:
    assert [PRESETS["pairs-adjacent"].team_of(seat) for seat in range(4)] == [0, 0, 1, 1]


def test_r8_1_the_defender_s_partner_never_throws_in() -> None:
    state = play(table("8S KS", "JS JD QS", "8D TS", "8C AS", rules="pairs"), "a8S b8S:JS pass pass")
    assert state.bout == 2, "seats 0 and 2 were asked, seat 3 was not"


def test_r8_1_in_trios_only_the_defender_s_neighbours_throw_in_and_they_are_opponents() -> None:
    state = table("8S KS", "JS JD QS", "8D TS", "8C AS", "8H AD", "9C AC", rules="trios", trump="D")
    play(state, "a8S b8S:JS pass pass")
    assert state.bout == 2


def test_r8_1_where_a_player_without_cards_should_defend_his_partner_does() -> None:
    state = play(table("8S KS", "", "8D TS", "8C AS", rules="pairs"), "a8S")
    assert state.seat_to_move == 3


def test_r8_1_the_turn_moves_by_places() -> None:
    state = table("8S KS", "", "8D TS", "8C AS 9S", rules="pairs")
    play(state, "a8S b8S:9S pass")
    assert state.seat_to_move == 2
    play(state, "pass") if state.bout == 1 else None
    assert (state.attack_place, state.attacker) == (1, 3), "place 1 attacks next, played by seat 3"
    assert state.defender == 2


def test_r8_1_in_trios_the_next_partner_clockwise_with_cards_stands_in() -> None:
    state = table("8S KS", "", "8D TS", "", "9D AD", "8C AS", rules="trios", trump="D")
    assert state.defender == 5, "of the team 1, 3, 5 only seat 5 holds cards"
    state = table("8S KS", "", "8D TS", "JC JH", "9D AD", "8C AS", rules="trios", trump="D")
    assert state.defender == 3


def test_r8_2_a_team_whose_members_are_all_out_has_won() -> None:
    state = play(table("8S", "JS JD", "", "AS", rules="pairs"), "a8S b8S:JS")
    assert state.result is not None
    assert state.result.duraks == {1, 3}
    assert state.result.reason == "team"


def test_r8_2_one_partner_out_ends_nothing() -> None:
    state = play(table("8S", "JS JD", "9S", "AS", rules="pairs"), "a8S b8S:JS pass")
    assert not state.is_over


def test_r8_2_both_teams_empty_is_a_draw() -> None:
    state = play(table("8S", "JS", "", "", rules="pairs"), "a8S b8S:JS")
    assert state.result is not None
    assert state.result.is_draw


def test_a_fault_loses_for_the_whole_team() -> None:
    state = table("8S", "JS", "9S", "AS", rules="pairs")
    state.fault(2)
    assert state.result is not None
    assert state.result.duraks == {0, 2}
    assert state.result.reason == "fault"


@pytest.mark.parametrize(("attacker", "defender"), [(0, 2), (1, 2), (2, 0), (3, 0)])
def test_r8_3_attacks_go_to_the_next_opponent_s_place(attacker: int, defender: int) -> None:
    state = table("8S KS", "JS JD", "8D TS", "8C AS", rules="pairs-adjacent", attacker=attacker)
    assert state.defender == defender


ADJACENT = ("8S 8D KS", "9C TC", "JD QD 7S", "JS QS 9D")


def test_r8_3_before_the_defender_takes_his_partner_may_beat_for_him_one_by_one() -> None:
    state = play(table(*ADJACENT, rules="pairs-adjacent"), "a8S8D take")
    assert state.seat_to_move == 3
    assert legal(state) == {"b8S:JS", "b8S:QS", "b8D:9D", "pass"}
    assert refusal(state, "take").rule == "R4.2"
    assert refusal(state, "aJS").rule == "R8.3"
    play(state, "b8S:JS")
    assert state.seat_to_move == 3
    play(state, "b8D:9D")
    assert not state.taking
    assert state.seat_to_move == 0, "all is beaten: cards may be thrown in again"
    play(state, "pass pass")
    assert state.bout == 2
    assert hand(state, 2) == {"JD", "QD", "7S"}
    assert state.attacker == 2


@pytest.mark.parametrize("transfer", ["none", "perevodnoy"])
def test_r12_a_partner_who_may_beat_is_told_of_each_card_why_it_does_not_beat(transfer: str) -> None:
    hands = ("8S 8D KS", "9C TC", "JD QD 7S", "JS KD 8C")
    state = play(table(*hands, rules=rules("pairs-adjacent", transfer=transfer)), "a8S take")
    assert state.seat_to_move == 3
    assert {str(card): str(hint) for card, hint in hints(state).items()} == {
        "KD": "K♦ does not beat 8♠: it is neither of the same suit nor a trump (R1)",
        "8C": "8♣ does not beat 8♠: it is neither of the same suit nor a trump (R1)",
    }


def test_r8_3_if_the_partner_declines_the_defender_takes_it_all() -> None:
    state = play(table(*ADJACENT, rules="pairs-adjacent"), "a8S8D take b8S:JS pass")
    assert state.seat_to_move == 0
    play(state, "pass pass")
    assert hand(state, 2) == {"JD", "QD", "7S", "8S", "JS", "8D"}
    assert hand(state, 3) == {"QS", "9D"}


def test_r8_3_the_limit_stays_what_the_defender_held_whoever_beats() -> None:
    state = play(table("8S 8D KS 9S", "9C TC", "JD QD", "JS QS 9D", rules="pairs-adjacent"), "a8S take b8S:JS")
    assert state.limit == 2
    play(state, "a8D") if "a8D" in legal(state) else None
    assert len(state.attacks) == 2


def test_r8_3_a_partner_without_cards_is_not_asked() -> None:
    state = play(table("8S 8D KS", "9C TC", "JD QD 7S", "", rules="pairs-adjacent"), "a8S take")
    assert state.seat_to_move == 0
