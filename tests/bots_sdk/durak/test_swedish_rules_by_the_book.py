"""The Swedish rules (the fourth seed), sentence by sentence."""

from __future__ import annotations

from tests.bots_sdk.durak.book import hand, legal, play, sizes, table

SWEDISH = "podkidnoy-swedish"


def test_a_low_trump_beats_the_ace_of_another_suit() -> None:
    assert "bAS:7H" in legal(play(table(SWEDISH, "AS 6C", "7H 8C"), "aAS pass"))


def test_the_attacker_opens_with_one_or_several_cards_of_one_rank() -> None:
    state = table(SWEDISH, "8S 8H 9C 8D", "6S 7S KC")
    assert legal(state) == {
        *("a8S", "a8H", "a8D", "a9C", "a8H8S", "a8D8S", "a8D8H", "a8D8H8S"),
    }


def test_the_worked_example_of_three_attacks_in_the_order_of_the_text() -> None:
    # West 0 attacks north 1; east 2.
    hands = ("8S JD 6C 6D 7D 7S", "JS JH 9H QC KC AC", "8H 9D TD QD KD AD")
    state = table(SWEDISH, *hands, trump="H", talon="6S TS QS KS AS TC 6H 7H QH")
    play(state, "a8S pass pass b8S:JS pass a8H")
    # East may add more, passes, and the defender answers.
    play(state, "pass b8H:JH aJD pass pass bJD:9H")
    assert state.to_position()["table"] == [["8S", "JS"], ["8H", "JH"], ["JD", "9H"]]
    while state.to_position()["table"]:
        play(state, "pass")
    assert hand(state, 0) >= {"6S", "TS"}
    assert "QS" in hand(state, 2)
    assert hand(state, 1) >= {"KS", "AS", "TC"}
    assert state.seat_to_move == 1
    assert sizes(state) == [6, 6, 6]


def test_the_others_throw_in_before_the_defender_answers_too() -> None:
    state = play(table(SWEDISH, "8S 8D 6C", "9S 9D TC QC", "8C KD"), "a8S")
    assert state.seat_to_move == 0
    assert legal(state) == {"a8D", "pass"}
    play(state, "pass")
    assert state.seat_to_move == 2
    assert legal(state) == {"a8C", "pass"}
    play(state, "a8C")
    play(state, "pass") if state.seat_to_move == 2 else None
    assert state.seat_to_move == 1


def test_never_more_than_six_cards_nor_more_than_the_defender_holds() -> None:
    state = play(table(SWEDISH, "8S 8D 8C 6C", "9S 9D", "KD"), "a8S a8D")
    assert state.seat_to_move == 1


def test_the_attackers_add_to_what_is_taken() -> None:
    state = play(table(SWEDISH, "8S 8D 6C", "7S TC QC", "KC KD"), "a8S pass pass take a8D pass pass")
    assert hand(state, 1) == {"7S", "TC", "QC", "8S", "8D"}
    assert state.seat_to_move == 2


def test_the_turn_skips_who_is_out() -> None:
    state = play(table(SWEDISH, "6S 7C", "", "7S QC", "KC KD"), "a6S")
    while state.seat_to_move != 2:
        play(state, "pass")
    play(state, "b6S:7S")
    while state.to_position()["table"]:
        play(state, "pass")
    assert state.seat_to_move == 2
    assert state.to_position()["defender"] == 3


def test_play_ends_only_after_a_bout_and_nobody_with_cards_is_a_draw() -> None:
    state = play(table(SWEDISH, "6S", "7S"), "a6S")
    assert not state.is_over
    play(state, "b6S:7S")
    assert state.result is not None
    assert not state.result.duraks


def test_two_play_with_twenty_four_cards_from_ace_to_nine() -> None:
    state = table("mini", "9S TC", "TS 9H")
    assert legal(state) == {"a9S", "aTC"}


def test_with_five_seats_only_the_defenders_neighbours_throw_in() -> None:
    hands = ("8S 8D 6C", "9S TC QC", "9D 7C", "8C KD", "8H QD")
    for preset in ("podkidnoy", "neighbours"):
        state = play(table(preset, *hands), "a8S b8S:9S pass")
        assert state.seat_to_move == 2
        play(state, "pass")
        assert state.to_position()["table"] == []
    state = play(table("podkidnoy", *hands, throwers="all"), "a8S b8S:9S pass pass")
    assert state.seat_to_move == 3


def test_the_neighbours_preset_keeps_to_neighbours_at_four_seats_and_the_main_rules_do_not() -> None:
    hands = ("8S 8D 6C", "9S TC QC", "9D 7C", "8C KD")
    state = play(table("neighbours", *hands), "a8S b8S:9S pass pass")
    assert state.to_position()["table"] == []
    state = play(table("podkidnoy", *hands), "a8S b8S:9S pass pass")
    assert state.seat_to_move == 3


def test_first_five_limits_the_first_bout_only() -> None:
    attacker = "6S 6D 6C 7D 7C 8S 8D"
    defender = "7S 8C 9S 9D 9C TS TD 6H 7H 8H 9H"
    moves = "a6S b6S:7S a6D b6D:6H a6C b6C:7H a7D b7D:8H a7C b7C:8C"
    assert play(table("first-five", attacker, defender, bout=1), moves).to_position()["table"] == []
    assert play(table("first-five", attacker, defender, bout=2), moves).to_position()["table"] != []
