"""Teams, sentence by sentence of R8 and of the Swedish rules ("Spel i lag")."""

from __future__ import annotations

import pytest

from bots_sdk.durak import GameState, RuleSet, deal
from tests.bots_sdk.durak.book import hand, legal, play, sizes, table


def to_move(state: GameState, *steps: str) -> list[int | None]:
    """Who is to move at first, and after each of these steps of moves."""
    return [state.seat_to_move, *(play(state, moves).seat_to_move for moves in steps)]


def ended(state: GameState) -> tuple[set[int], str]:
    """Who lost a deal that is over, and by what."""
    assert state.result is not None
    return set(state.result.duraks), state.result.reason


@pytest.mark.parametrize(("preset", "fitting"), [("pairs", {4}), ("trios", {6}), ("pairs-adjacent", {4})])
def test_teams_play_with_their_own_number_of_seats_only(preset: str, fitting: set[int]) -> None:
    for seats in range(2, 7):
        if seats in fitting:
            assert deal(RuleSet.preset(preset), seats=seats, seed=bytes(16)).seats == seats
        else:
            with pytest.raises(ValueError, match=r"seat|team"):
                deal(RuleSet.preset(preset), seats=seats, seed=bytes(16))


def test_a_defenders_partner_never_throws_in() -> None:
    state = play(table("pairs", "8S 6C KC", "9S TS 7C KD", "8H JC", "8D 8C QC"), "a8S b8S:9S")
    assert state.seat_to_move == 0
    play(state, "pass")
    assert state.seat_to_move == 2
    assert legal(state) == {"a8H", "pass"}
    play(state, "pass")
    assert state.seat_to_move == 1
    assert state.to_position()["table"] == []


def test_in_threes_a_defenders_partners_never_throw_in() -> None:
    hands = ("8S 6C", "9S TS", "8H 7H", "8D 9D", "8C 9C", "9H QC")
    state = play(table("trios", *hands, trump="D", throwers="all"), "a8S b8S:9S")
    asked = []
    while state.to_position()["table"]:
        asked.append(state.seat_to_move)
        play(state, "pass")
    assert asked == [0, 2, 4]


def test_a_partner_attacks_for_one_without_cards_and_the_turn_moves_by_places() -> None:
    state = table("pairs", "", "8S 9S 6D", "6C 6S KC QC", "7S 7C 8C", first=2, attack_place=0)
    # Place 1 takes, so place 2 attacks next, and place 3 defends.
    assert to_move(state, "a6C", "take pass", "aKC") == [2, 1, 2, 3]


def test_a_partner_defends_for_one_without_cards_and_the_next_place_attacks() -> None:
    state = table("pairs", "6C 6S KC", "", "9D 9H", "7S 7C 8D", first=0)
    # Place 1 beats it: it attacks, by the hand of 3, and place 2 defends.
    assert to_move(state, "a6C", "b6C:7C pass pass", "a8D") == [0, 3, 3, 2]


def test_after_a_take_by_a_partner_the_place_left_of_the_empty_one_attacks() -> None:
    state = table("pairs", "6C 6S KC", "", "9D 9H", "7S 7C 8D", first=0)
    assert to_move(state, "a6C take pass pass", "a9D") == [0, 2, 3]


def test_in_threes_the_next_partner_clockwise_with_cards_stands_in() -> None:
    state = table("trios", "", "8S 9S", "", "7S 7C", "6C 6S", "TC JC", trump="D", first=4, attack_place=0)
    assert to_move(state, "a6C") == [4, 1]


def test_the_team_whose_members_are_all_out_has_won() -> None:
    state = play(table("pairs", "6C", "8S 9S", "", "7S"), "a6C take")
    assert ended(state) == ({1, 3}, "team")


def test_one_member_out_ends_nothing() -> None:
    state = play(table("pairs", "6C", "8S 9S", "QD", "7S"), "a6C take pass")
    assert state.seat_to_move == 2


def test_both_teams_empty_is_a_draw() -> None:
    state = play(table("pairs", "6C", "7C", "", ""), "a6C b6C:7C")
    assert ended(state) == (set(), "both_empty")


def test_adjacent_partners_attack_the_next_opponents_place() -> None:
    hands = ("6C 6S", "7C 7S", "8C 8S", "9C 9S")
    for first, defender in ((0, 2), (1, 2), (2, 0), (3, 0)):
        state = table("pairs-adjacent", *hands, first=first)
        assert to_move(state, str(state.legal_moves()[0])) == [first, defender]


def test_before_the_defender_takes_his_adjacent_partner_may_beat_for_him_or_decline() -> None:
    hands = ("6C 6S TD", "7C 7S AD", "8S KD QD", "9C 9S 9D")
    state = play(table("pairs-adjacent", *hands, trump="D", talon="JC QC KC JD"), "a6C6S take")
    assert state.seat_to_move == 3
    options = legal(state)
    assert {move for move in options if move[0] == "b"} == {"b6C:9C", "b6C:9D", "b6S:9S", "b6S:9D"}
    assert len(options) == 5
    play(state, "b6C:9C")
    assert state.seat_to_move == 3
    play(state, "b6S:9S")
    assert sorted(state.to_position()["table"]) == [["6C", "9C"], ["6S", "9S"]]
    play(state, "pass pass")
    # Beaten: the defender's place attacks next, the partner has lent his cards.
    assert state.seat_to_move == 2
    assert sizes(state) == [5, 3, 3, 1]


def test_when_his_adjacent_partner_declines_the_defender_takes() -> None:
    hands = ("6C 6S TD", "7C 7S AD", "8S KD QD", "9C 9S 9D")
    state = play(table("pairs-adjacent", *hands, trump="D"), "a6C take")
    decline = next(move for move in legal(state) if move[0] != "b")
    play(state, f"{decline} pass pass")
    assert hand(state, 2) == {"8S", "KD", "QD", "6C"}
    # Left of the defender.
    assert state.seat_to_move == 3
