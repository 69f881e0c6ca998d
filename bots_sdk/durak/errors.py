"""What can go wrong, by kind. Every one of them is a ``ValueError``."""

from __future__ import annotations

import reprlib
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from bots_sdk.durak.cards import Card


_SHORT: Final = reprlib.Repr()
_SHORT.maxstring = _SHORT.maxother = _SHORT.maxlong = 60


def quoted(value: object) -> str:
    """A refused value for its error message: at most some hundred characters, however large or deep it is."""
    try:
        return _SHORT.repr(value)[:200]
    except ValueError:  # an integer with more digits than Python prints
        return f"a {type(value).__name__}"


class DurakError(ValueError):
    """Any refusal by ``bots_sdk.durak``."""


class RuleError(DurakError):
    """A rule set that cannot be, or that does not fit the number of seats."""


class PositionError(DurakError):
    """A written position that is malformed or impossible."""


class RecordError(DurakError):
    """A written deal that is malformed, or that does not replay to its own result."""


class NotationError(DurakError):
    """A text that names no card or no move."""


class IllegalMove(DurakError):
    """A move that the rules forbid.

    ``rule`` is the section of docs/rules.md (``R4.4``), ``message`` the reason in a player's words and
    ``cards`` the cards concerned.
    """

    def __init__(self, rule: str, message: str, cards: tuple[Card, ...] = ()) -> None:
        super().__init__(message)
        self.rule = rule
        self.message = message
        self.cards = cards

    def __str__(self) -> str:
        return f"{self.message} ({self.rule})"

    def __reduce__(self) -> tuple[type[IllegalMove], tuple[str, str, tuple[Card, ...]]]:
        return (IllegalMove, (self.rule, self.message, self.cards))
