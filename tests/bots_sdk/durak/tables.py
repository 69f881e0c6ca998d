"""Short ways to set a table up and to say what happens at it."""

from __future__ import annotations

from typing import Any

from bots_sdk.durak import GameState, IllegalMove, Move, RuleSet, why_not

PRESETS = RuleSet.presets()
TABLES = [(name, seats) for name, rules in PRESETS.items() for seats in rules.seat_counts if seats <= 7]
"""Every preset with every number of seats that the arena seats, and two packs with seven."""


def cards(text: str) -> list[str]:
    """The cards of ``6S 7H``."""
    return text.split()


def table(*hands: str, rules: str | RuleSet = "podkidnoy", trump: str | list[str] = "H", **fields: Any) -> GameState:
    """A position with these hands; lists of cards among the fields may be written as one text."""
    for name in ("talon", "shown", "pile"):
        if name in fields:
            fields[name] = cards(fields[name])
    return GameState.from_position({"rules": rules, "hands": [cards(hand) for hand in hands], "trump": trump, **fields})


def rules(preset: str = "podkidnoy", **options: Any) -> RuleSet:
    """A preset with some options changed."""
    return PRESETS[preset].replace(**options)


def play(state: GameState, moves: str) -> GameState:
    """Play ``a6S b6S:7S pass`` and return the state."""
    for text in moves.split():
        state.play(Move.parse(text))
    return state


def legal(state: GameState) -> set[str]:
    """The legal moves as text."""
    return {str(move) for move in state.legal_moves()}


def refusal(state: GameState, text: str) -> IllegalMove:
    """Why this move is refused."""
    refused = why_not(state, Move.parse(text))
    assert refused is not None, f"{text} is legal"
    assert text not in legal(state)
    return refused


def table_of(state: GameState) -> list[list[str | None]]:
    """The pairs on the table."""
    pairs: list[list[str | None]] = state.to_position()["table"]
    return pairs


def hand(state: GameState, seat: int) -> set[str]:
    """The cards of a seat."""
    return set(state.to_position()["hands"][seat])
