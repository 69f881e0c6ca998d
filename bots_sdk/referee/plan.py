"""Which bots sit where, and what is dealt: duplicate sets played as sittings.

A duplicate set plays one shuffled deck once for every rotation of the bots around the seats, so
that the luck of the deal cancels. A process that lived through all rotations would recognise the
deck, so each rotation is a *sitting* with fresh processes; it plays all the match's decks in that
rotation. Each deck's seed is shown only at the end of its deal, within its own sitting.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from bots_sdk.durak import RuleSet

CIRCULAR_ORDERS: Final[dict[int, tuple[tuple[int, ...], ...]]] = {
    2: ((0, 1),),
    3: ((0, 1, 2), (0, 2, 1)),
    4: (
        (0, 1, 2, 3),
        (0, 1, 3, 2),
        (0, 2, 1, 3),
        (0, 2, 3, 1),
        (0, 3, 1, 2),
        (0, 3, 2, 1),
    ),
    5: ((0, 1, 4, 3, 2), (0, 3, 1, 2, 4), (0, 2, 3, 4, 1), (0, 4, 2, 1, 3)),
    6: (
        (0, 1, 2, 3, 4, 5),
        (0, 5, 4, 3, 2, 1),
        (0, 1, 2, 3, 5, 4),
        (0, 4, 5, 3, 2, 1),
        (0, 2, 4, 1, 3, 5),
        (0, 5, 3, 1, 4, 2),
        (0, 2, 5, 1, 4, 3),
        (0, 3, 4, 1, 5, 2),
        (0, 3, 1, 5, 2, 4),
        (0, 4, 2, 5, 1, 3),
    ),
}
"""By number of bots: orders around the table in which every bot has every other on its left
equally often (you attack your left neighbour)."""

MAX_SETS: Final = 1_000
DAY_MS: Final = 86_400_000


@dataclass(frozen=True, slots=True)
class TimeControl:
    """The clock, in milliseconds: start-up, each decision, and a bank for all that runs over.

    Raises:
        ValueError: a time is negative or more than a day, or no time is left to decide in.

    """

    startup_ms: int = 5_000
    move_ms: int = 200
    bank_ms: int = 3_000

    def __post_init__(self) -> None:
        for name in ("startup_ms", "move_ms", "bank_ms"):
            if getattr(self, name) < 0:
                raise ValueError(f"{name} is {getattr(self, name)}; it must not be negative")
            if getattr(self, name) > DAY_MS:
                raise ValueError(f"{name} is more than {DAY_MS}, which is a day")
        if not self.startup_ms:
            raise ValueError("startup_ms is 0; a bot needs time to start")
        if not self.move_ms + self.bank_ms:
            raise ValueError("move_ms and bank_ms are both 0; a bot needs time to decide")


@dataclass(frozen=True, slots=True)
class DealSpec:
    """One deal to play: its number in the match (from 0), its set, its seed, and the dealer."""

    index: int
    set_index: int
    seed: bytes
    dealer: int = 0


@dataclass(frozen=True, slots=True)
class PlannedSitting:
    """One rotation: `order[seat]` is the participant who sits there, and the deals it plays."""

    order: tuple[int, ...]
    deals: tuple[DealSpec, ...]


@dataclass(frozen=True, slots=True)
class MatchPlan:
    """All sittings of a match, and the commitment to publish before it: SHA-256 of its seed."""

    rules: RuleSet
    participants: int
    sets: int
    commitment: str
    sittings: tuple[PlannedSitting, ...]

    @classmethod
    def build(cls, rules: RuleSet, participants: int, sets: int, match_seed: bytes, *, orders: int = 1) -> MatchPlan:
        """Lay out `sets` duplicate sets; set `k` is dealt from SHA-256(match_seed || k).

        `orders` is how many circular orders the sets are spread over in turn (at most as many
        as there are sets and tabulated orders); each costs one start of every bot per rotation.
        Which order comes first is taken from the seed, so that over many short matches all of
        them occur alike. Deals are numbered set by set, rotation by rotation.

        Raises:
            ValueError: a count out of range, or a seed of less than 16 bytes.

        """
        if participants not in CIRCULAR_ORDERS:
            raise ValueError(f"{participants} participants; a match has 2 to 6")
        if not 1 <= sets <= MAX_SETS:
            raise ValueError(f"{sets} duplicate sets; a match has 1 to {MAX_SETS}")
        if orders < 1:
            raise ValueError(f"{orders} circular orders; a match needs at least 1")
        if len(match_seed) < 16:
            raise ValueError(f"the match's seed has {len(match_seed)} bytes; it needs at least 16")
        table = CIRCULAR_ORDERS[participants]
        used = min(orders, sets, len(table))
        first = hashlib.sha256(b"order" + match_seed).digest()[0] % len(table)
        sittings = []
        for k in range(used):
            order = table[(first + k) % len(table)]
            for rotation in range(participants):
                deals = tuple(
                    DealSpec(s * participants + rotation, s, set_seed(match_seed, s)) for s in range(k, sets, used)
                )
                seated = tuple(order[(seat + rotation) % participants] for seat in range(len(order)))
                sittings.append(PlannedSitting(seated, deals))
        commitment = hashlib.sha256(match_seed).hexdigest()
        return cls(rules, participants, sets, commitment, tuple(sittings))


def set_seed(match_seed: bytes, set_index: int) -> bytes:
    """The seed of a set's deck: SHA-256(match_seed || set index as 8 bytes, big-endian)."""
    return hashlib.sha256(match_seed + set_index.to_bytes(8, "big")).digest()


def smallest_table(presets: Iterable[str], seats: Iterable[int]) -> tuple[str, int]:
    """The preset and number of seats at which a bot is first tried: the fewest seats, the first such preset.

    Raises:
        ValueError: none of the presets is played with any of the numbers.

    """
    counts = sorted(seats)
    tables = [
        (count, place, preset)
        for place, preset in enumerate(presets)
        for count in counts
        if count in RuleSet.preset(preset).seat_counts
    ]
    if not tables:
        raise ValueError("none of the presets can be played with any of these numbers of seats")
    count, _, preset = min(tables)
    return preset, count
