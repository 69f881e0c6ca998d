"""Which game each kind of rules is."""

from __future__ import annotations

from bots_sdk.durak.bout import BoutState
from bots_sdk.durak.rules import RuleSet
from bots_sdk.durak.state import GameState


def new_state(rules: RuleSet, seats: int) -> GameState:
    """An empty state of the right game. Raises ``RuleError`` if the rules are not for so many seats."""
    return BoutState(rules, seats)
