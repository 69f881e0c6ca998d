"""A bout: opening, beating, throwing in, taking (R4)."""

from __future__ import annotations

import pytest

from bots_sdk.durak import Card, Move, hints
from tests.bots_sdk.durak.tables import hand, legal, play, refusal, rules, table, table_of


def test_the_swedish_rules_worked_example_of_three_attacks_plays_as_printed() -> None:
    """West attacks north with 8♠; east throws in 8♥ and west J♦; north beats all three (S3)."""
    west, north, east, south = range(4)
    state = table(
        "8S JD 6C 6D",
        "JS JH 9H AC",
        "8H TC QC",
        "KS KC KD",
        rules="podkidnoy-swedish",
        talon="7D 7C 9D 9C QD TH",
        attacker=west,
    )
    play(state, "a8S")
    play(state, "pass pass pass b8S:JS")
    assert "aJD" in legal(state), "jack lies on the table"
    play(state, "pass")
    assert state.seat_to_move == east
    assert "a8H" in legal(state), "eight lies on the table"
    play(state, "a8H pass pass b8H:JH")
    assert state.seat_to_move == west
    play(state, "aJD pass pass pass bJD:9H")
    assert table_of(state) == [["8S", "JS"], ["8H", "JH"], ["JD", "9H"]]
    play(state, "pass pass pass")
    assert state.discarded == 36 - sum(len(hand(state, seat)) for seat in range(4)) - len(state.talon)
    assert hand(state, west) >= {"7D", "7C", "9D", "9C"}, "west draws first, up to six"
    assert state.seat_to_move == north, "the defender attacks next"
    assert len(hand(state, south)) == 3


def test_r4_1_one_card_or_several_of_one_rank_open_a_bout() -> None:
    state = table("8S 8H 9D", "JS QS KS")
    assert legal(state) == {"a8S", "a8H", "a9D", "a8S8H"}
    refused = refusal(state, "a8S9D")
    assert refused.rule == "R4.1"
    assert refused.message == "8♠ and 9♦ cannot open together: they are not of one rank"
    assert refused.cards == (Card.parse("8S"), Card.parse("9D"))


@pytest.mark.parametrize("name", ["podkidnoy-long", "podkidnoy-app", "perevodnoy-long", "perevodnoy-app"])
def test_r4_1_without_multi_open_only_one_card_opens(name: str) -> None:
    state = table("8S 8H 9D", "JS QS KS", rules=name)
    assert legal(state) == {"a8S", "a8H", "a9D"}
    assert refusal(state, "a8S8H").message == "a bout is opened with one card, not with 8♠ and 8♥"


def test_r4_1_the_attacker_must_open_and_can_only_attack() -> None:
    state = table("8S 9D", "JS QS KS")
    assert refusal(state, "pass").message == "the attacker opens the bout: he cannot pass"
    assert refusal(state, "take").rule == "R4.2"
    assert refusal(state, "bJS:8S").rule == "R4.2"
    assert refusal(state, "aKD").message == "K♦ is not in your hand"


def test_r4_1_the_defender_is_the_next_seat_clockwise_with_cards() -> None:
    state = table("8S 9D", "", "JS QS", "KS")
    assert state.defender == 2


def test_r4_2_the_defender_chooses_which_card_to_beat_and_may_always_take() -> None:
    state = play(table("8S 8D 9D", "JS JD QS", trump="C"), "a8S8D")
    assert legal(state) == {"b8S:JS", "b8S:QS", "b8D:JD", "take"}
    play(state, "b8D:JD")
    assert legal(state) == {"b8S:JS", "b8S:QS", "take"}
    assert refusal(state, "b8D:QS").message == "8♦ is beaten already"
    assert refusal(state, "b9D:JS").message == "there is no 9♦ to beat among the attack cards"
    assert refusal(state, "b8S:AC").message == "A♣ is not in your hand"
    assert refusal(state, "pass").message == "the defender cannot pass: beat a card, or take"
    assert refusal(state, "aJS").message == "you are the defender: beat a card, or take"


@pytest.mark.parametrize(
    ("attack", "card", "message"),
    [
        ("JS", "8S", "8♠ does not beat J♠: it is not higher"),
        ("JS", "KD", "K♦ does not beat J♠: it is neither of the same suit nor a trump"),
        ("JH", "KD", "K♦ does not beat J♥: only a higher trump does"),
        ("JH", "9H", "9♥ does not beat J♥: it is not higher"),
    ],
)
def test_r1_a_card_that_does_not_beat_is_refused_with_the_reason(attack: str, card: str, message: str) -> None:
    state = play(table(attack, f"{card} 6C 7C", "AC"), f"a{attack}")
    refused = refusal(state, f"b{attack}:{card}")
    assert (refused.rule, refused.message) == ("R1", message)
    assert refused.cards == (Card.parse(card), Card.parse(attack))


def test_r4_3_a_bout_has_no_more_attack_cards_than_the_defender_held() -> None:
    state = play(table("6S 6D 7C KC", "7S 8D", "6C 8C AS"), "a6S b6S:7S a6D b6D:8D")
    assert state.bout == 2, "two cards were beaten by two: though 7♣ and 8♣ fit, nobody is asked"


def test_r4_3_a_bout_never_has_more_than_six_attack_cards() -> None:
    state = table("6S", "7S 8S 9S TS JS QS KS", trump="H")
    assert state.limit == 6


def test_r4_3_siberian_allows_three_attack_cards() -> None:
    pairs = [["6S", "7S"], ["6D", "7D"]]
    state = play(table("6C 7C KS", "8C QS AS", rules="siberian", table=pairs), "a6C b6C:8C")
    assert state.bout == 2, "with the third card beaten the bout is over, though 7♣ would fit"
    opening = table("6S 6H 6D 6C", "7S 8S 9S TS", rules="siberian")
    assert refusal(opening, "a6S6H6D6C").message == "4 cards are too many: a bout has at most 3 attack cards"


def test_r4_3_until_discard_holds_early_bouts_to_five_as_long_as_nothing_is_discarded() -> None:
    early = rules(first_limit="until_discard")
    hands = ("6S 6H 6D 6C 7S 7D", "8S 8D 8C 9S 9D 9C", "8H 9H TH JH QH KH")
    talon = "TS JS QS KS AS TD JD QD KD AD TC JC QC KC AC 7H 7C AH"
    assert table(*hands, rules=early, talon=talon, bout=1).limit == 5
    assert table(*hands, rules=early, talon=talon, bout=3).limit == 5
    assert table(*hands, rules=early, talon=talon[6:], bout=3).limit == 6
    assert table(*hands, talon=talon, bout=1).limit == 6


def test_r4_4_a_card_is_thrown_in_if_its_rank_lies_on_the_table_as_attack_or_defence() -> None:
    state = play(table("8S 8D JC 9S", "JS JD QS QD"), "a8S b8S:JS")
    assert legal(state) == {"a8D", "aJC", "pass"}
    refused = refusal(state, "a9S")
    assert (refused.rule, refused.cards) == ("R4.4", (Card.parse("9S"),))
    assert refused.message == "9♠ cannot be thrown in: no 9 lies on the table"


def test_r4_4_all_but_the_defender_throw_in_up_to_four_seats() -> None:
    state = play(table("8S KS", "JS JD QS", "8D TS", "8C AS"), "a8S b8S:JS pass")
    assert state.seat_to_move == 2
    play(state, "pass")
    assert state.seat_to_move == 3
    assert legal(state) == {"a8C", "pass"}


FIVE = ("8S KS", "JS JD QS", "8D TS", "8C AS", "8H AD")


def test_r4_4_from_five_seats_only_the_defender_s_neighbours_throw_in() -> None:
    state = play(table(*FIVE, trump="C"), "a8S b8S:JS pass pass")
    assert state.bout == 2, "seats 0 and 2 were asked, 3 and 4 were not"


@pytest.mark.parametrize("name", ["podkidnoy-long", "podkidnoy-app"])
def test_r4_4_with_throwers_all_everybody_throws_in_at_five_seats_too(name: str) -> None:
    state = play(table(*FIVE, trump="C", rules=name), "a8S b8S:JS pass pass")
    assert state.seat_to_move == 3
    play(state, "pass")
    assert legal(state) == {"a8H", "pass"}


def test_r4_4_with_throwers_neighbours_two_sit_out_at_four_seats() -> None:
    state = play(table("8S KS", "JS JD QS", "8D TS", "8C AS", rules="neighbours"), "a8S b8S:JS pass pass")
    assert state.bout == 2


def test_r4_4_with_throwers_attacker_only_the_main_attacker_throws_in() -> None:
    state = play(table("8S KS", "JS JD QS", "8D TS", rules=rules(throwers="attacker")), "a8S b8S:JS pass")
    assert state.bout == 2


def test_r4_4_a_neighbour_who_is_out_gives_way_to_the_next_in_play() -> None:
    state = table("8S KS", "JS JD QS", "", "8C AS", "8H AD", trump="C")
    play(state, "a8S b8S:JS pass")
    assert state.seat_to_move == 3


def test_r4_5_cards_are_thrown_in_only_when_all_is_beaten() -> None:
    state = play(table("8S 8D KS", "JS JD QS", "8C TS"), "a8S")
    assert state.seat_to_move == 1


def test_r4_5_with_any_time_they_are_thrown_in_before_the_next_answer_too() -> None:
    state = play(table("8S 8D KS", "JS JD QS", "8C TS", rules="podkidnoy-swedish"), "a8S")
    assert state.seat_to_move == 0
    assert legal(state) == {"a8D", "pass"}
    play(state, "a8D")
    assert state.seat_to_move == 0, "a seat that throws in is asked again until it passes"
    play(state, "pass a8C")
    assert state.seat_to_move == 1, "three cards lie against three"
    assert legal(state) == {"b8S:JS", "b8S:QS", "b8D:JD", "take"}


def test_r4_6_the_main_attacker_is_asked_first_then_clockwise_and_again_after_each_defence() -> None:
    state = table("KS 8D", "8S TS TD", "JS JD QS AS", "8C JC", attacker=1)
    play(state, "a8S b8S:JS")
    assert state.seat_to_move == 1
    play(state, "pass")
    assert state.seat_to_move == 3
    play(state, "pass")
    assert state.seat_to_move == 0
    play(state, "a8D")
    assert state.seat_to_move == 2


def test_r4_6_after_a_new_defence_card_who_passed_is_asked_again() -> None:
    state = play(table("8S JC KS", "JS 9D TS TD", "8D AS", trump="H"), "a8S b8S:JS pass a8D b8D:9D")
    assert state.seat_to_move == 0
    assert legal(state) == {"aJC", "pass"}


def test_r4_6_cards_are_thrown_in_one_at_a_time() -> None:
    state = play(table("8S 8D 8C KS", "JS 9D TS TD"), "a8S b8S:JS")
    assert refusal(state, "a8D8C").rule == "R4.6"


def test_r4_6_the_bout_is_beaten_when_the_defender_has_no_card_left() -> None:
    state = play(table("8S JD KS", "JS", "8D AS", talon="6C 7C 9C TC QC AD 9D TD QD KD AC 7H"), "a8S b8S:JS")
    assert state.bout == 2
    assert state.seat_to_move == 1


def test_r4_6_a_seat_without_cards_is_not_asked() -> None:
    state = play(table("8S", "JS JD QS", "8D AS", talon="6C 7C 9C TC QC AD 7H"), "a8S b8S:JS")
    assert state.seat_to_move == 2


def test_r4_7_after_take_each_thrower_may_add_until_he_passes() -> None:
    state = play(table("8S 8D KS", "JS JD QS QD", "8C TS", trump="H"), "a8S take")
    assert state.seat_to_move == 0
    play(state, "a8D")
    assert state.seat_to_move == 0
    assert legal(state) == {"pass"}
    play(state, "pass a8C pass")
    assert hand(state, 1) >= {"8S", "8D", "8C"}
    assert state.bout == 2


@pytest.mark.parametrize("name", ["podkidnoy-long", "perevodnoy-long"])
def test_r4_7_without_throw_on_take_the_defender_takes_at_once(name: str) -> None:
    state = play(table("8S 8D KS", "JS JD QS QD", "8C TS", rules=name), "a8S take")
    assert state.bout == 2
    assert hand(state, 1) == {"8S", "JS", "JD", "QS", "QD"}


def test_r4_7_the_taker_picks_up_beaten_cards_and_beating_ones_too() -> None:
    state = play(table("8S 8D KS", "JS 9C QS QD", trump="H"), "a8S b8S:JS a8D take pass")
    assert hand(state, 1) == {"8S", "JS", "8D", "9C", "QS", "QD"}


def test_r4_8_a_decision_with_one_legal_move_is_a_decision_all_the_same() -> None:
    state = play(table("8S KS", "JS JD QS", "9D TS"), "a8S b8S:JS")
    assert state.legal_moves() == (Move("pass"),)


def test_r12_a_refused_move_changes_nothing() -> None:
    state = play(table("8S 8D 9S", "JS JD QS"), "a8S")
    before = state.to_position()
    refusal(state, "b8S:8D")
    assert state.to_position() == before


def test_r12_each_card_that_cannot_be_played_has_a_hint() -> None:
    state = play(table("8S 8D 9S TC", "JS JD QS"), "a8S b8S:JS")
    assert {str(card): hint.message for card, hint in hints(state).items()} == {
        "9S": "9♠ cannot be thrown in: no 9 lies on the table",
        "TC": "10♣ cannot be thrown in: no 10 lies on the table",
    }
    defending = play(table("9S", "8S JD 7H QS", "AC"), "a9S")
    assert {str(card): hint.message for card, hint in hints(defending).items()} == {
        "8S": "8♠ does not beat 9♠: it is not higher",
        "JD": "J♦ does not beat 9♠: it is neither of the same suit nor a trump",
    }
    transferring = play(table("9S 9C", "9H 8D 8S", "AC", rules="perevodnoy"), "a9S")
    assert {str(card): hint.rule for card, hint in hints(transferring).items()} == {"8D": "R1", "8S": "R1"}
    assert hints(play(table("6S", "9D"), "a6S take")) == {}
