"""Which game each kind of rules is."""

from __future__ import annotations

from typing import Final

from bots_sdk.durak.bout import BoutState
from bots_sdk.durak.duel import DuelState
from bots_sdk.durak.prostoy import ProstoyState
from bots_sdk.durak.rules import RuleSet
from bots_sdk.durak.state import GameState
from bots_sdk.durak.svoi_kozyri import SvoiKozyriState

GAMES: Final[dict[str, type[GameState]]] = {
    "bout": BoutState,
    "duel": DuelState,
    "prostoy": ProstoyState,
    "svoi_kozyri": SvoiKozyriState,
}


def new_state(rules: RuleSet, seats: int) -> GameState:
    """An empty state of the right game. Raises ``RuleError`` if the rules are not for so many seats."""
    return GAMES[rules.game](rules, seats)
