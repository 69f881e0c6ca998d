"""What follows a bout: who attacks, the refill, leaving and the end (R5, R6)."""

from __future__ import annotations

import pytest

from tests.bots_sdk.durak.tables import hand, legal, play, rules, table


def test_r5_1_a_beaten_bout_goes_to_the_discard_and_the_defender_attacks() -> None:
    state = table("8S KS", "JS JD QS", "9D TS", discarded=29)
    play(state, "a8S b8S:JS pass pass")
    assert state.discarded == 31
    assert state.attacker == 1
    assert state.view(None)["discarded"] == 31


@pytest.mark.parametrize(("name", "attacker"), [("podkidnoy", 2), ("podkidnoy-app", 2), ("podkidnoy-long", 0)])
def test_r5_2_after_a_take_the_left_of_the_defender_or_the_same_attacker_attacks(name: str, attacker: int) -> None:
    state = play(table("8S KS", "JS JD QS", "9D TS", rules=name), "a8S take")
    while state.bout == 1:
        play(state, "pass")
    assert state.attacker == attacker


def test_r5_3_the_main_attacker_draws_first_then_clockwise_then_the_defender() -> None:
    state = table("8S KS", "JS JD QS", "9D TS", talon="6C 7C 8C 9C TC QC KC AC QD KD 6H")
    play(state, "a8S b8S:JS pass pass")
    assert hand(state, 0) == {"KS", "6C", "7C", "8C", "9C", "TC"}
    assert hand(state, 2) == {"9D", "TS", "QC", "KC", "AC", "QD"}
    assert hand(state, 1) == {"JD", "QS", "KD", "6H"}, "the turn-up is drawn last"
    assert state.view(None)["known"][1] == ["6H"]


def test_r5_3_a_defender_with_an_empty_hand_still_draws_last() -> None:
    state = play(table("8S KS", "JS", talon="6C 7C 8C 9C TC QC KC AC QD KD 6H"), "a8S b8S:JS")
    assert hand(state, 1) == {"QC", "KC", "AC", "QD", "KD", "6H"}
    assert state.attacker == 1


def test_r5_3_hands_are_refilled_to_six_even_after_a_start_with_more() -> None:
    state = table("8S KS 6S 7S 9S TS QS AS", "JS JD QD KD AD TD", talon="6C 7C 8C 6H", rules="ladder")
    play(state, "a8S b8S:JS pass")
    assert len(hand(state, 0)) == 7
    assert len(hand(state, 1)) == 6


def test_r5_4_whoever_should_attack_but_is_out_is_replaced_by_the_next_in_play() -> None:
    state = play(table("8S KS 9C", "JS", "9D TS"), "a8S b8S:JS")
    assert state.attacker == 2
    assert state.defender == 0


def test_r5_4_the_same_attacker_who_is_out_is_replaced_by_the_taker() -> None:
    state = play(table("8S", "JC QC", "9D TS", rules=rules(after_take="same_attacker")), "a8S take pass")
    assert state.attacker == 1


def test_r6_1_without_cards_a_player_stays_in_as_long_as_there_is_a_talon() -> None:
    state = play(table("8S", "JS JD", talon="6C 7C 8C 9C TC QC KC AC QD KD 6H"), "a8S b8S:JS")
    assert not state.is_over
    assert len(hand(state, 0)) == 6


@pytest.mark.parametrize("name", ["podkidnoy-long", "perevodnoy-long"])
def test_r6_1_immediate_whoever_plays_his_last_card_is_out_and_draws_no_more(name: str) -> None:
    state = table("8S", "JS JD", "9D TS", talon="6C 7C 8C 9C TC QC KC AC QD KD 6H", rules=name)
    play(state, "a8S b8S:JS")
    play(state, "pass")
    assert hand(state, 0) == set()
    assert len(hand(state, 1)) == len(hand(state, 2)) == 6 or len(state.talon) == 0
    assert state.bout == 2
    assert state.defender == 2


def test_r6_2_the_end_is_looked_for_after_the_bout() -> None:
    state = play(table("8S", "JS JD"), "a8S")
    assert not state.is_over
    assert legal(state) == {"b8S:JS", "take"}
    play(state, "b8S:JS")
    assert state.is_over
    assert state.result is not None
    assert state.result.duraks == {1}


@pytest.mark.parametrize("name", ["podkidnoy-long", "perevodnoy-long"])
def test_r6_2_immediate_the_deal_ends_as_soon_as_one_player_alone_holds_cards(name: str) -> None:
    state = play(table("8S", "JS", rules=name, talon="6C 6H"), "a8S")
    assert state.result is not None
    assert state.result.duraks == {1}, "he might have beaten it with his last card, but is not asked"
    assert state.result.cards_left == (0, 1)


def test_r6_2_immediate_with_a_talon_nobody_is_alone_while_others_can_draw() -> None:
    state = play(table("8S", "JS JD", rules=rules(end_check="immediate"), talon="6C 6H"), "a8S")
    assert not state.is_over


def test_r6_3_the_last_holder_is_the_durak_and_more_than_six_cards_make_him_a_double_one() -> None:
    six, seven = "JC QC KC AC JD", "JC QC KC AC JD QD"
    for cards, double in ((six, False), (seven, True)):
        state = play(table("8S", cards), "a8S take")
        assert state.result is not None
        assert state.result.reason == "last_holder"
        assert state.result.double == double
        assert state.result.cards_left == (0, len(cards.split()) + 1)


def test_r6_3_with_both_empty_defender_the_last_defender_is_the_durak() -> None:
    state = play(table("6S", "7S", rules=rules(both_empty="defender")), "a6S b6S:7S")
    assert state.result is not None
    assert state.result.duraks == {1}
    assert state.result.reason == "both_empty"


def test_r6_4_the_same_hands_with_the_same_attacker_for_the_third_time_are_a_draw() -> None:
    state = table("6S 7S", "8S 9S", "TS JS")
    starts = {}
    while not state.is_over:
        if not state.table_faces():
            key = (state.attacker, *state.hands)
            starts[key] = starts.get(key, 0) + 1
        state.play(next((move for move in state.legal_moves() if move.kind != "beat"), state.legal_moves()[0]))
    assert state.result is not None
    assert state.result.reason == "repetition"
    assert max(starts.values()) == 2, "the third start is the end and no decision"


def test_r6_4_a_deal_that_reaches_its_last_bout_is_a_draw_of_its_own_kind() -> None:
    state = play(table("8S KS", "JS JD QS", "9D TS", rules=rules(max_bouts=7), bout=7), "a8S b8S:JS pass pass")
    assert state.result is not None
    assert state.result.is_draw
    assert state.result.reason == "max_bouts"


def test_r6_4_a_loser_found_in_the_last_bout_has_lost() -> None:
    state = play(table("8S", "JS JD", rules=rules(max_bouts=7), bout=7), "a8S take")
    assert state.result is not None
    assert state.result.duraks == {1}
