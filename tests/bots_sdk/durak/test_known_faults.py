"""Faults that other programs had at the table: each is ruled out here, and with it its kind."""

from __future__ import annotations

import random

import pytest

from bots_sdk.durak import Card, DurakError, IllegalMove, Move, RuleSet, deal
from tests.bots_sdk.durak.tables import PRESETS, hand, legal, play, refusal, rules, table


def test_1_where_the_next_attacker_of_a_team_has_no_cards_his_partner_attacks_in_his_place() -> None:
    state = play(table("6S 9C", "7S", "8D", "TD JC", rules="pairs"), "a6S b6S:7S")
    assert state.seat_to_move == 3
    assert state.attacker == 3
    assert state.defender == 2
    assert legal(state) == {"aTD", "aJC"}


def test_2_a_defender_with_two_cards_who_takes_one_seven_gets_one_card_more_and_not_three() -> None:
    state = play(table("7S 7H 7D 7C KC", "9D TD"), "a7S take")
    play(state, "a7H")
    assert state.seat_to_move != 0 or "pass" not in legal(state)
    assert state.discarded + sum(hand.bit_count() for hand in state.hands) == 36
    assert hand(state, 1) == {"7S", "7H", "9D", "TD"}


def test_3_a_fourth_unbeaten_card_is_refused_when_the_defender_holds_three() -> None:
    state = table("8S 8H 8D 8C KC", "9D TD JD")
    assert refusal(state, "a8S8H8D8C").rule == "R4.3"
    assert "the defender holds only 3" in refusal(state, "a8S8H8D8C").message
    play(state, "a8S8H8D")
    assert state.seat_to_move == 1


def test_3_throwing_in_at_any_time_stops_at_the_defender_s_cards_too() -> None:
    state = play(table("8S 8H 8D 8C KC", "9D TD JD", rules="podkidnoy-swedish"), "a8S a8H a8D")
    assert state.seat_to_move == 1


def test_4_whoever_takes_the_last_card_of_the_last_other_player_is_the_durak() -> None:
    state = play(table("6S", "9D TD"), "a6S take")
    assert state.is_over
    assert state.result is not None
    assert state.result.duraks == {1}
    assert state.result.reason == "last_holder"


def test_5_beating_the_last_card_with_the_last_card_is_a_draw() -> None:
    state = play(table("6S", "7S", ""), "a6S b6S:7S")
    assert state.result is not None
    assert state.result.is_draw
    assert state.result.reason == "both_empty"


def test_6_a_beaten_bout_discards_all_its_cards_and_a_card_is_never_lost() -> None:
    state = play(table("6S 6D 9C KC", "7S 7D 8C AC"), "a6S b6S:7S a6D b6D:7D")
    before = state.discarded
    play(state, "pass")
    assert state.discarded - before == 4


def test_7_a_finished_deal_offers_no_moves_and_refuses_every_one() -> None:
    state = play(table("6S", "9D TD"), "a6S take")
    assert state.legal_moves() == ()
    assert state.seat_to_move is None
    for text in ("pass", "take", "a9D", "b6S:9D"):
        with pytest.raises(IllegalMove, match="the deal is over"):
            state.play(Move.parse(text))
    with pytest.raises(DurakError, match="over"):
        state.fault(0)


@pytest.mark.parametrize("name", ["podkidnoy", "prostoy", "duel", "svoi-kozyri"])
def test_8_a_card_named_twice_in_one_attack_is_refused(name: str) -> None:
    trump = ["S", "H"] if name == "svoi-kozyri" else "H"
    state = table("6C 7S 8S 9S", "9D TD JD QD", rules=name, trump=trump)
    six = Card.parse("6C")
    with pytest.raises(IllegalMove) as refused:
        state.play(Move("attack", (six, six)))
    assert refused.value.cards == (six,)
    assert "named twice, but you hold only one" in refused.value.message
    assert state.hands[0].bit_count() == 4


def test_8_in_two_packs_a_card_held_twice_may_open_twice_but_not_three_times() -> None:
    state = table("6C 6C KS", "9D TD JD", "9S", "TS", "JS", "QS", rules="two-packs")
    assert "a6C6C" in legal(state)
    assert refusal(state, "a6C6C6C").message == "6♣ is named 3 times, but you hold only two"


def test_9_every_deal_ends_and_the_result_says_how() -> None:
    choose = random.Random(9)
    for number in range(300):
        name = choose.choice(list(PRESETS))
        seats = choose.choice([n for n in PRESETS[name].seat_counts if n <= 6])
        state = deal(RuleSet.preset(name), seats, number.to_bytes(16, "big"))
        decisions = 0
        while not state.is_over:
            state.play(choose.choice(state.legal_moves()))
            decisions += 1
            assert decisions < 50_000
        assert state.result is not None


def test_9_players_who_only_ever_take_end_in_a_draw_by_repetition() -> None:
    state = table("6S 7S", "8S 9S", "TS JS")
    while not state.is_over:
        state.play(next((move for move in state.legal_moves() if move.kind != "beat"), state.legal_moves()[0]))
    assert state.result is not None
    assert state.result.is_draw
    assert state.result.reason == "repetition"


def test_10_a_seventh_attack_card_is_refused() -> None:
    state = table("6S 6H 7S 7H 8S 8H 9C", "9S 9H TS TH JS JH QC KC", trump="D", rules="podkidnoy")
    play(state, "a6S b6S:9S a6H b6H:9H a9C")
    play(state, "b9C:QC")
    attacks = 3
    while state.seat_to_move == 0 and state.bout == 1 and any(move.kind == "attack" for move in state.legal_moves()):
        play(state, str(state.legal_moves()[0]))
        attacks += 1
    assert attacks <= 6


def test_10_six_cards_in_a_bout_end_it_although_another_would_fit() -> None:
    pairs = [["6S", "7S"], ["6H", "7H"], ["6D", "7D"], ["6C", "7C"], ["8S", "9S"]]
    state = table("8H KS", "9H QS", trump="C", table=pairs, passed=[], bout=3, rules="podkidnoy")
    play(state, "a8H b8H:9H")
    assert state.bout == 4, "the bout is beaten at six cards: nobody is asked for a seventh"


def test_10_a_sixth_card_in_a_first_bout_of_five_is_refused() -> None:
    pairs = [["6S", "7S"], ["6H", "7H"], ["6D", "7D"], ["6C", "7C"]]
    six = table("8S 8H 7C KS", "9S 9H QS", trump="C", rules="first-five", bout=2, table=pairs[:3])
    assert six.limit == 6
    five = table("6C KS", "9C QS AC", trump="C", rules="first-five", bout=1, table=pairs[:3])
    assert five.limit == 5
    opening = table("8S 8H 8D 8C 8S 8H KS", "9S 9H QS TS JS KH", *["AS"] * 1, "AH", "AD", "AC",
                    trump="C", rules=rules("first-five", packs=2), bout=1)  # fmt: skip
    assert refusal(opening, "a8S8S8H8H8D8C").rule == "R4.3"
    assert "so early in the deal a bout has at most 5" in refusal(opening, "a8S8S8H8H8D8C").message


def test_11_after_a_take_no_more_is_thrown_in_than_the_defender_could_have_beaten() -> None:
    state = play(table("7S 7H 7D KC", "9S 9D TC", "7C QS"), "a7S take a7H a7D")
    assert state.bout == 2, "three cards lie against three: the defender takes at once"
    assert hand(state, 1) >= {"7S", "7H", "7D"}
    assert hand(state, 2) == {"7C", "QS"}
