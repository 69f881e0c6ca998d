"""What a ladder can be: the rule sets and the seat counts that they can be played with."""

from __future__ import annotations

from arena.bots.rulesets import preset_rules, require_seats
from arena.errors import Invalid
from arena.matches.services import MAX_SETS
from bots_sdk.referee import TimeControl
from bots_sdk.referee.plan import CIRCULAR_ORDERS

LONGEST_MS = 60_000


def check_shape(preset: str, seats: int, sets: int, time_control: dict[str, int]) -> None:
    """Raise `Invalid`, naming the input at fault, unless a ladder can be played so."""
    require_seats(preset_rules(preset), seats)
    if seats not in CIRCULAR_ORDERS:
        raise Invalid(f"Matches are played with {min(CIRCULAR_ORDERS)} to {max(CIRCULAR_ORDERS)} seats.", field="seats")
    if not 1 <= sets <= MAX_SETS:
        raise Invalid(f"A match has 1 to {MAX_SETS} duplicate sets, not {sets}.", field="sets")
    try:
        TimeControl(**time_control)
    except (TypeError, ValueError) as error:
        raise Invalid(f"The time control is not acceptable: {error}.", field="time_control") from error
    slow = [name for name, value in time_control.items() if value > LONGEST_MS]
    if slow:
        raise Invalid(f"At most {LONGEST_MS} ms can be given for {', '.join(slow)}.", field="time_control")
