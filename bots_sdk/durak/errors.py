"""What can go wrong, by kind. Every one of them is a ``ValueError``."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bots_sdk.durak.cards import Card


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
