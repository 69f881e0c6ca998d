"""Short words for tests that read like the rules: set a table, play moves in text, ask what is legal."""

from __future__ import annotations

from typing import Any

from bots_sdk.durak import GameState, IllegalMove, Move, RuleSet
from tests.bots_sdk.durak.lockstep import text_of


def table(preset: str, *hands: str, talon: str = "", trump: str = "H", first: int = 0, **more: Any) -> GameState:
    """A position at the start of a bout: hands and talon as cards parted by blanks.

    `more` holds options of the rule set, and the position's other keys.
    """
    rules = RuleSet.preset(preset)
    options = {name: more.pop(name) for name in list(more) if name in rules.to_dict()}
    return GameState.from_position(
        {
            "rules": rules.replace(**options).to_dict(),
            "hands": [hand.split() for hand in hands],
            "talon": talon.split(),
            "trump": trump if len(trump) == 1 else list(trump),
            "attacker": first,
            **more,
        }
    )


def play(state: GameState, moves: str) -> GameState:
    """Play moves in text, parted by blanks."""
    for text in moves.split():
        state.play(Move.parse(text))
    return state


def legal(state: GameState) -> set[str]:
    """The legal moves in text; a move listed twice is an error."""
    texts = [text_of(move) for move in state.legal_moves()]
    assert len(texts) == len(set(texts)), texts
    return set(texts)


def hand(state: GameState, seat: int) -> set[str]:
    """A seat's cards (of one pack)."""
    return set(state.to_position()["hands"][seat])


def sizes(state: GameState) -> list[int]:
    """How many cards each seat holds."""
    return [len(cards) for cards in state.to_position()["hands"]]


def refusal(state: GameState, text: str) -> IllegalMove:
    """Why a move is refused; it must be, and must change nothing."""
    before = state.to_position()
    move = Move.parse(text)
    assert text_of(move) not in legal(state)
    for attempt in (state.verify, state.play):
        try:
            attempt(move)
        except IllegalMove as error:
            refused = error
        else:
            raise AssertionError(f"{text} was not refused")
    assert state.to_position() == before
    return refused
