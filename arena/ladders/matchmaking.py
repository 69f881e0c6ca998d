"""Who plays next: a pure choice from what is known of the candidates.

Newcomers come first, then whoever has waited longest. The leader's opponents are near it in rating, yet
every one of them is met again within `horizon` of the leader's matches, however far apart they are. No two bots of
one owner sit at a table if it can be filled without: they could play into each other's hands.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bots_sdk.ratings.live import RANKED_RD

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

NEW_DEALS = 60
"""A version is a newcomer until it has played so many deals or its rating is firm enough to be ranked."""
NEW_PENDING = 2
"""So many matches of one newcomer may wait at once; the rest of the queue is for the others."""
FAR = 400.0
"""Elo points; opponents farther away than this count as equally far."""
IDLE = 0.25
"""Who played so much less than the busiest, of the ladder's last matches, counts as having played little."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A version that may play: what it has played on this ladder, and what of it is still waiting."""

    version: int
    bot: int
    value: float
    rd: float
    owner: int | None = None
    """None for a house bot, which plays into nobody's hands."""
    language: str = ""
    deals: int = 0
    matches: int = 0
    pending: int = 0
    faulty_streak: int = 0
    recent: int = 0
    """How many of the ladder's last matches are its bot's."""
    last_match: int = 0
    """The number of its bot's newest match on this ladder, waiting ones included; 0 for none."""

    @property
    def is_new(self) -> bool:
        return self.rd > RANKED_RD and self.deals < NEW_DEALS


def horizon(candidates: int) -> int:
    """Within so many of its own matches a leader meets each of the others."""
    return 5 * (candidates - 1)


def may_play(candidate: Candidate) -> bool:
    """A version whose last match went wrong waits for that match's successor before it is put down for another."""
    return candidate.faulty_streak == 0 or candidate.pending == 0


def pools(candidates: Collection[Candidate], hosts: Iterable[Collection[str]], seats: int) -> list[list[Candidate]]:
    """Who can sit at one table: for each host, by its languages, the candidates that it can run.

    Without the newcomers who have enough matches waiting, and without pools that are too small for a table.
    """
    able = [not_crowded([each for each in candidates if each.language in languages], seats) for languages in hosts]
    return [pool for pool in able if len(pool) >= seats]


def not_crowded(candidates: Collection[Candidate], seats: int) -> list[Candidate]:
    """The candidates without the newcomers who have enough matches waiting, if those left are enough for a table.

    They are not enough, either, if bots of one owner would have to sit together only for want of those newcomers.
    """
    rest = [candidate for candidate in candidates if not (candidate.is_new and candidate.pending >= NEW_PENDING)]
    enough = len(rest) >= seats and _owners(rest) >= min(seats, _owners(candidates))
    return rest if enough else list(candidates)


def _owners(candidates: Iterable[Candidate]) -> int:
    """How many of them can sit together without two of one owner."""
    return len({each.owner if each.owner is not None else ("house", each.bot) for each in candidates})


def pick_leader(candidates: Collection[Candidate]) -> Candidate:
    """The newcomer with the fewest matches, else the one whose newest match is the oldest."""
    newcomers = [candidate for candidate in candidates if candidate.is_new]
    if newcomers:
        return min(newcomers, key=lambda c: (c.matches + c.pending, -c.rd, c.version))
    return min(candidates, key=lambda c: (c.last_match, c.version))


def pick_opponents(
    leader: Candidate,
    candidates: Collection[Candidate],
    count: int,
    age: Mapping[int, int],
) -> list[Candidate]:
    """The `count` others with whom the leader's match is most due.

    `age[bot]` is how many of its matches ago the leader met that bot; missing or beyond the horizon counts as the
    horizon, 5 (n - 1). Being near in rating and having played little are worth up to 2 (n - 1) each, so that the
    horizon is kept: an opponent at the horizon is passed over only for others unmet for n - 1 matches, and were that
    to go on, each pick would be another one of those others, of whom there are only n - 2.

    Before that, each owner's bots take turns: nobody's second bot is seated while there is another owner's first.
    """
    ladder = len(candidates) - 1
    limit = horizon(len(candidates))
    busiest = max(1, *(candidate.recent for candidate in candidates))

    def due(other: Candidate) -> tuple[float, float, int]:
        gap = abs(other.value - leader.value)
        waited = min(age.get(other.bot, limit), limit)
        idle = (busiest - other.recent) / busiest
        return (waited + 2 * ladder * (min(idle / IDLE, 1) - min(gap / FAR, 1)), -gap, -other.version)

    others = sorted((other for other in candidates if other.bot != leader.bot), key=due, reverse=True)
    seated = Counter([leader.owner])
    ahead = {}
    for other in others:
        ahead[other.version] = 0 if other.owner is None else seated[other.owner]
        seated[other.owner] += 1
    return sorted(others, key=lambda other: ahead[other.version])[:count]


def pick_match(candidates: Collection[Candidate], seats: int, leader: Candidate, age: Mapping[int, int]) -> list[int]:
    """The versions of the next match, the leader first; empty when there are fewer bots than seats."""
    if len(candidates) < seats:
        return []
    return [c.version for c in (leader, *pick_opponents(leader, candidates, seats - 1, age))]
