"""Rule sets by name, with the arena's own errors."""

from __future__ import annotations

from arena.errors import Invalid
from bots_sdk.durak import RuleError, RuleSet


def preset_rules(name: str) -> RuleSet:
    """The preset of that name. Raises ``Invalid``, which names the nearest one there is."""
    try:
        return RuleSet.preset(name)
    except RuleError as error:
        raise Invalid(f"{error}.", field="preset", code="unknown_preset") from None


def require_seats(rules: RuleSet, seats: int) -> None:
    """Raise ``Invalid`` with the reason if these rules are not played by so many."""
    try:
        rules.check_seats(seats)
    except RuleError as error:
        raise Invalid(f"{error}.", field="seats", code="bad_seats") from None
