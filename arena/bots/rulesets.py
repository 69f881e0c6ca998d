"""Rule sets by name, with the arena's own errors."""

from __future__ import annotations

from collections.abc import Iterable

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


def validation_table(presets: Iterable[str], seats: Iterable[int]) -> tuple[str, int]:
    """The table for a validation match: the smallest that a manifest's presets and seat counts allow.

    Raises ``ValueError`` when there is none; a manifest that was checked has one for each of its presets.
    """
    presets, seats = list(presets), list(seats)
    tables = [(count, preset) for preset in presets for count in seats if count in preset_rules(preset).seat_counts]
    smallest = min(count for count, _ in tables)
    return next((preset, count) for count, preset in tables if count == smallest)
