"""Positions: read with sensible defaults, refused with the field and the reason (R13)."""

from __future__ import annotations

import random
from typing import Any

import pytest

from bots_sdk.durak import GameState, PositionError, deal
from tests.bots_sdk.durak.tables import PRESETS, TABLES, legal, play, table

EIGHTS = [["8S", "TS"], ["8D", "TD"], ["8C", "TC"], ["8H", "TH"]]
THREE: dict[str, Any] = {"hands": [["8S", "KS"], ["JS", "QS"], ["9D", "TS"]], "trump": "H"}


def test_a_position_can_be_written_in_three_lines() -> None:
    state = GameState.from_position({"hands": [["8S"], ["JS", "QS"]], "trump": "H"})
    assert state.rules.name == "podkidnoy"
    assert (state.attacker, state.defender, state.seat_to_move) == (0, 1, 0)
    assert state.discarded == 33
    assert legal(state) == {"a8S"}


def test_the_talon_s_last_card_is_the_turn_up_and_names_the_trump() -> None:
    state = GameState.from_position({"hands": [["8S"], ["JS"]], "talon": ["6C", "7H"]})
    assert str(state.deal_info.turn_up) == "7H"
    assert state.deal_info.trumps == ("H",)


def test_a_position_in_the_middle_of_a_bout_goes_on_where_it_stands() -> None:
    state = GameState.from_position({**THREE, "table": [["7S", "9S"], ["9C", None]]})
    assert state.seat_to_move == 1
    thrown = GameState.from_position({**THREE, "table": [["8D", "JD"]], "passed": [0]})
    assert thrown.seat_to_move == 2
    taking = GameState.from_position({**THREE, "table": [["8D", None]], "taking": True})
    assert taking.seat_to_move == 0
    assert legal(taking) == {"a8S", "pass"}


def test_a_position_in_which_nobody_is_to_be_asked_goes_on_to_the_next_decision() -> None:
    state = GameState.from_position({**THREE, "table": [["8D", "JD"]], "passed": [0, 2]})
    assert state.bout == 2
    assert state.seat_to_move == 1


def test_a_position_with_one_holder_is_over() -> None:
    state = GameState.from_position({"hands": [["8S"], []], "trump": "H"})
    assert state.result is not None
    assert state.result.duraks == {0}


def test_a_finished_deal_reads_back_finished() -> None:
    state = play(table("8S", "JC QC"), "a8S take")
    again = GameState.from_position(state.to_position())
    assert again.result == state.result
    assert again.to_position() == state.to_position()
    assert again.legal_moves() == ()


def test_the_count_of_repetitions_goes_with_the_position() -> None:
    state = table("6S 7S", "8S 9S", "TS JS")
    for _ in range(40):
        state = GameState.from_position(state.to_position())
        if state.is_over:
            break
        state.play(next((move for move in state.legal_moves() if move.kind != "beat"), state.legal_moves()[0]))
    while not state.is_over:
        state = GameState.from_position(state.to_position())
        state.play(next((move for move in state.legal_moves() if move.kind != "beat"), state.legal_moves()[0]))
    assert state.result is not None
    assert state.result.reason == "repetition"


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"hands": None}, "hands is needed"),
        ({"hands": [["8S"]]}, "1 seats"),
        ({"hands": [["8S"], ["8S"]]}, "8S is there 2 times"),
        ({"hands": [["2S"], ["8S"]]}, "2S is not in a deck of 36"),
        ({"hands": [["8X"], ["8S"]]}, "hands of seat 0: '8X' is not a card"),
        ({"hands": ["8S", ["9S"]]}, "hands of seat 0 = '8S'; it is a list of cards"),
        ({"hands": [[8], ["8S"]]}, "a card is a text like 8S"),
        ({"rules": "bridge"}, "there is no preset 'bridge'"),
        ({"rules": 3}, "it is a preset's name or an object of options"),
        ({"rules": {"deck": 37}}, "deck = 37"),
        ({"trump": None}, "trump is needed"),
        ({"trump": "X"}, "it is a suit"),
        ({"trump": ["H", "S"]}, "these rules have 1 different trump suits"),
        ({"attacker": 3}, "attacker = 3; it is a seat, 0 to 2"),
        ({"attacker": True}, "attacker = True"),
        ({"attacker": 0, "defender": 0}, "seat 0 cannot attack seat 0"),
        ({"table": [["8D"]]}, "a pair is"),
        ({"table": "8D"}, "it is a list of pairs"),
        ({"table": [["8D", "7D"]]}, "on the table 7D does not beat 8D"),
        ({"table": [["8D", None], ["8C", None], ["8H", None]]}, "3 attack cards are unbeaten.*holds 2"),
        ({"taking": True}, "no attack card is unbeaten"),
        ({"taking": "yes"}, "it is true or false"),
        ({"helping": True, "table": [["8D", None]]}, "helping is true, but no partner"),
        ({"passed": [7]}, "it is a list of seats"),
        ({"limit": 0}, "limit = 0; it is a whole number from 1 to 2"),
        ({"limit": 3}, "limit = 3; it is a whole number from 1 to 2"),
        ({"limit": 1, "table": [["7S", "9S"], ["9C", None]]}, "limit = 1; it is a whole number from 2 to 3"),
        ({"bout": 0}, "bout = 0; it is a whole number from 1 to 300"),
        ({"bout": 301}, "bout = 301; it is a whole number from 1 to 300"),
        ({"discarded": 4}, "hold 6 cards and 4 are discarded, but there are 36"),
        ({"known": [["9D"], [], []]}, "known cards of seat 0 are not all in its hand"),
        ({"known": [[]]}, "it is a list of 3 lists"),
        ({"history": {}}, "history"),
        ({"history": [{}]}, "each has an attacker, hands and times"),
        ({"history": [{"hands": [["8S"], ["JS"]]}]}, "history has an entry with 2 hands; there are 3 seats"),
        ({"history": [{"hands": [["8S"], ["JS"], [], []]}]}, "history has an entry with 4 hands; there are 3 seats"),
        ({"history": [{"hands": [[], [], []], "attacker": 3}]}, "attacker = 3; it is a seat, 0 to 2"),
        ({"history": [{"hands": [[], [], []], "times": 3}]}, "times = 3; it is a whole number from 1 to 2"),
        ({"history": [{"hands": [[], [], []]}], "talon": ["6C"]}, "once the talon is gone"),
        ({"result": {"reason": "luck"}}, "it has duraks, reason"),
        ({"result": {"reason": []}}, "it has duraks, reason"),
        ({"result": {"reason": "team", "cards_left": [1, 1, 1]}}, "the hands have"),
        ({"colour": "red"}, "there is no field 'colour'"),
        ({"hands": [[], ["8S"], ["9S"]]}, "the attacker, seat 0, has no cards; name a seat that has"),
        ({"hands": [["8S"], [], ["9S"]], "defender": 1}, "the defender, seat 1, has no cards; name a seat that has"),
        ({"attacker": 0, "defender": 2}, r"against seat 1, the next in play, not against 2 \(R4.1\)"),
        (
            {"table": EIGHTS, "rules": "siberian", "hands": [["KS"], ["JS"], ["9D"]]},
            r"holds 4 attack cards; against seat 1 they are 3 at most",
        ),
        ({"passed": [2]}, "passed names seats, but nothing lies on the table"),
        ({"passed": [1], "table": [["8D", None]]}, r"passed names seat \[1\], but nobody passes against himself"),
        ({"passed": [-1]}, "it is a list of seats, 0 to 2"),
        ({"shown": ["8H"]}, "these rules show none"),
        ({"rules": "proyezdnoy", "shown": ["8S", "8H"]}, r"shown names \['8S'\], but only trumps are shown"),
        ({"opener": 2}, "opener is seat 2, but no attack was passed on"),
        ({"rules": "perevodnoy", "opener": 2}, "opener is seat 2, but no attack was passed on"),
        ({"attack_place": 2}, "attack_place is 2, where seat 0 does not play"),
        ({"defend_place": 2}, "defend_place is 2, where seat 1 does not play"),
        ({"talon": ["6C", "7H"], "turn_up": "6C"}, "turn_up is '6C', but the talon's last card 7H"),
        ({"talon": ["6C", "7H"], "turn_up_in_hand": True}, "turn_up_in_hand is true, but there is a talon"),
    ],
)
def test_a_position_that_cannot_be_is_refused_with_the_field_and_the_reason(
    change: dict[str, Any], reason: str
) -> None:
    with pytest.raises(PositionError, match=reason):
        GameState.from_position({**THREE, **change})


@pytest.mark.parametrize(
    ("rules", "change", "reason"),
    [
        ("duel", {"table": [["8D", "JD"]]}, "one unbeaten card at most"),
        ("duel", {"defender": 0}, "cannot attack itself"),
        ("duel", {"hands": [[], ["8S"]]}, "seat 0 has no cards left: the duel is over"),
        ("svoi-kozyri", {"table": [["8D", None]]}, "are the pile"),
        ("svoi-kozyri", {"talon": ["8D"]}, "there is no talon"),
        ("svoi-kozyri", {"added": [1]}, "added names seats, but there is no pile"),
        (
            "svoi-kozyri",
            {"pile": ["8D"], "hands": [["8S", "KS"], []]},
            "seat 0 answers, but has added a card since the lead",
        ),
        ("svoi-kozyri", {"trump": "H"}, "these rules have 2 different trump suits"),
    ],
)
def test_the_other_games_positions_are_checked_too(rules: str, change: dict[str, Any], reason: str) -> None:
    position: dict[str, Any] = {"rules": rules, "hands": [["8S", "KS"], ["JS", "QS"]]}
    if rules == "duel":
        position["trump"] = "H"
    with pytest.raises(PositionError, match=reason):
        GameState.from_position({**position, **change})


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"passed": [3], "table": [["6C", None]]}, r"passed names seat \[3\], but nobody passes against .* a partner"),
        ({"attack_place": 1}, "attack_place is 1, where seat 0 does not play"),
        ({"table": [["6C", None]], "defend_place": 2}, "defend_place is 2, where seat 1 does not play"),
        ({"defender": 3}, "against seat 1, the next in play, not against 3"),
        ({"defender": 2}, "seat 0 cannot attack seat 2"),
    ],
)
def test_the_seats_and_places_of_teams_are_checked_too(change: dict[str, Any], reason: str) -> None:
    hands = [["8S"], ["9S"], ["TS"], ["JS"]]
    with pytest.raises(PositionError, match=reason):
        GameState.from_position({"rules": "pairs", "hands": hands, "trump": "H", **change})


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_what_a_deal_in_play_comes_to_is_never_refused(name: str, seats: int) -> None:
    rng = random.Random(f"{name} {seats}")
    state = deal(PRESETS[name], seats, rng.randbytes(16))
    while not state.is_over:
        state.play(rng.choice(state.legal_moves()))
        if rng.random() < 0.2:
            assert GameState.from_position(state.to_position()).to_position() == state.to_position()


def test_what_is_no_object_is_no_position() -> None:
    with pytest.raises(PositionError, match="a position is an object"):
        GameState.from_position([])  # type: ignore[arg-type]
