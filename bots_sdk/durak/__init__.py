"""The Durak family of card games: pure, deterministic and exact.

The rules are in ``docs/rules.md``, whose sections the code cites (``R4.3``); how to use the package is in
``docs/engine.md``. Nothing here does input or output, reads a clock or draws a random number but from a
deal's seed.
"""

from bots_sdk.durak.cards import Card
from bots_sdk.durak.chronicle import EVENT_KINDS, Chronicle, Event
from bots_sdk.durak.dealing import deal
from bots_sdk.durak.errors import (
    DurakError,
    IllegalMove,
    NotationError,
    PositionError,
    RecordError,
    RuleError,
)
from bots_sdk.durak.hints import hints, why_not
from bots_sdk.durak.moves import Move
from bots_sdk.durak.perft import perft
from bots_sdk.durak.record import DealRecord, Fault
from bots_sdk.durak.result import DealInfo, Result
from bots_sdk.durak.rules import RuleSet
from bots_sdk.durak.session import Session
from bots_sdk.durak.state import GameState

__all__ = [
    "EVENT_KINDS",
    "Card",
    "Chronicle",
    "DealInfo",
    "DealRecord",
    "DurakError",
    "Event",
    "Fault",
    "GameState",
    "IllegalMove",
    "Move",
    "NotationError",
    "PositionError",
    "RecordError",
    "Result",
    "RuleError",
    "RuleSet",
    "Session",
    "deal",
    "hints",
    "perft",
    "why_not",
]
