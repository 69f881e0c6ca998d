"""The app's help (the second seed), sentence by sentence."""

from __future__ import annotations

from tests.bots_sdk.durak.book import hand, legal, play, refusal, sizes, table

APP = "podkidnoy-app"


def test_the_attacker_opens_with_one_card_and_anyone_adds_ranks_on_the_table() -> None:
    state = table(APP, "8S 8D 6C", "9S TC QC", "9D 7C", "8C KD")
    assert legal(state) == {"a8S", "a8D", "a6C"}
    play(state, "a8S b8S:9S")
    assert legal(state) == {"a8D", "pass"}
    play(state, "pass a9D")
    assert state.seat_to_move == 1


def test_at_most_five_attack_cards_in_the_very_first_bout_and_six_later() -> None:
    attacker = "6S 6D 6C 7D 7C 8S 8D"
    defender = "7S 8C 9S 9D 9C TS TD 6H 7H 8H 9H"
    moves = "a6S b6S:7S a6D b6D:6H a6C b6C:7H a7D b7D:8H a7C b7C:8C"
    first = play(table(APP, attacker, defender, bout=1), moves)
    assert first.to_position()["table"] == []
    later = play(table(APP, attacker, defender, bout=2), moves)
    assert later.seat_to_move == 0
    assert legal(later) == {"a8S", "a8D", "pass"}
    play(later, "a8S b8S:9S")
    assert later.to_position()["table"] == []


def test_the_limit_of_the_first_bout_holds_after_take_too() -> None:
    attacker = "6S 6D 6C 7D 7C 8S 8D"
    defender = "7S 8C 9S 9D 9C TS TD 6H 7H 8H 9H"
    state = play(table(APP, attacker, defender, bout=1), "a6S b6S:7S a6D take a6C a7D a7C")
    assert state.to_position()["table"] == []
    assert sizes(state) == [2, 16]


def test_who_takes_gets_what_the_others_add_and_misses_his_turn() -> None:
    state = play(table(APP, "8S 8D 6C", "7S TC QC", "8C KD"), "a8S take")
    assert legal(state) == {"a8D", "pass"}
    play(state, "a8D pass a8C")
    assert hand(state, 1) == {"7S", "TC", "QC", "8S", "8D", "8C"}
    assert state.seat_to_move == 2


def test_once_the_stock_is_empty_who_has_no_cards_is_out_and_not_before() -> None:
    state = play(table(APP, "8S", "9S TC QC", "JC KD", talon="6D 7D 6H"), "a8S b8S:9S pass")
    assert sizes(state) == [3, 2, 2]


def test_the_last_two_emptying_their_hands_together_is_a_draw() -> None:
    result = play(table(APP, "8S", "9S"), "a8S b8S:9S").result
    assert result is not None
    assert not result.duraks
    assert result.reason == "both_empty"


def test_the_last_card_must_still_be_beaten() -> None:
    state = play(table(APP, "8S", "9S TC"), "a8S")
    assert not state.is_over
    play(state, "b8S:9S")
    assert state.result is not None
    assert set(state.result.duraks) == {1}


def test_passing_on_goes_to_the_next_who_has_enough_cards_and_on_and_on() -> None:
    hands = ("8S 9S 6C 6D 7D", "8D TC QC", "8C KC KD 9C", "8H JC QD QS")
    state = play(table("perevodnoy-app", *hands, trump="H"), "a8S t8D t8C t8H")
    position = state.to_position()
    assert position["defender"] == 0
    assert position["attacker"] == 3
    assert legal(state) == {"b8S:9S", "take"}


def test_passing_on_is_refused_once_something_is_beaten() -> None:
    state = play(table("perevodnoy-app", "8S 8C 6C", "8D 9S TC", "KC KD KS"), "a8S b8S:9S a8C")
    assert refusal(state, "t8D").rule == "R7.1"


def test_why_a_dimmed_card_cannot_be_played_is_said_in_words() -> None:
    state = play(table(APP, "8S 9D 6C", "TS TC QC", "KC KD"), "a8S b8S:TS")
    refused = refusal(state, "a9D")
    assert refused.rule == "R4.4"
    assert [str(card) for card in refused.cards] == ["9D"]
    assert "9♦" in str(refused)
    assert "9" in refused.message
    assert "table" in refused.message
