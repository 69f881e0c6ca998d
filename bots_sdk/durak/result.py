"""How a deal ended, and the public facts of how it began."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from bots_sdk.durak.cards import Card

REASONS: Final = {
    "last_holder": "one player was left with cards (R6.3)",
    "both_empty": "nobody was left with cards (R6.3)",
    "team": "one team was left with cards (R8.2)",
    "first_out": "the other player played his last card first (R9.1)",
    "repetition": "the same hands with the same attacker came up for the third time (R6.4)",
    "max_bouts": "the deal reached its last allowed bout (R6.4)",
    "fault": "a player could not be asked any more",
}
"""Why a deal can end, by the name in ``Result.reason``."""
DOUBLE: Final = 6
"""A durak left with more cards than this is a double durak (R6.3)."""


@dataclass(frozen=True)
class Result:
    """The end of a deal: ``duraks`` are the losing seats (a team loses together), none is a draw."""

    duraks: frozenset[int]
    reason: str
    cards_left: tuple[int, ...]
    double: bool = False

    @property
    def is_draw(self) -> bool:
        """Whether nobody lost."""
        return not self.duraks

    def to_dict(self) -> dict[str, Any]:
        """The result as JSON values."""
        return {
            "duraks": sorted(self.duraks),
            "reason": self.reason,
            "cards_left": list(self.cards_left),
            "double": self.double,
        }


@dataclass(frozen=True)
class DealInfo:
    """What everybody may know of how a deal began.

    ``trumps`` are suit letters: one, two in severny, one for each seat in svoi kozyri. ``turn_up`` is the
    card that named the trump, ``turn_up_in_hand`` says that it stayed in the dealer's hand (R2.2).
    ``lowest_trump`` is the card that the first attacker showed (R3.1), if he had to. ``redeals`` counts the
    deals thrown in because nobody held a trump (R3.2).
    """

    dealer: int
    first: int
    trumps: tuple[str, ...]
    turn_up: Card | None
    turn_up_in_hand: bool
    lowest_trump: Card | None
    redeals: int
