"""The official table: one fit over all of a ladder's deals, whatever their order."""

from __future__ import annotations

import time
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from django.core.cache import cache

from arena.bots.models import BotVersion
from arena.errors import Conflict
from arena.ladders.facts import teams_of
from arena.matches.models import Deal, Match, Participant
from bots_sdk.durak import RuleSet
from bots_sdk.ratings import RatedDeal, fit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from arena.ladders.models import Ladder

CHUNK = 2000
KEPT_SECONDS = 24 * 3600
QUICK_SECONDS = 0.5
PATIENCE = 20
LOCK_SECONDS = 600
WAIT_SECONDS = 20
POLL_SECONDS = 0.1


@dataclass(frozen=True, slots=True)
class OfficialLine:
    """A version's fitted rating, its standard error and its 95 % interval, in Elo points, and what they rest on."""

    rank: int
    version: BotVersion
    rating: float
    error: float
    interval: tuple[float, float]
    deals: int
    is_anchor: bool
    """It is pinned at 1500, and the others are relative to it. One version of one anchor is, at most."""


def official_table(ladder: Ladder, *, fresh: bool = False) -> list[OfficialLine]:
    """Every version that has played on the ladder, from the top.

    It is computed once for each state of the ladder, and by one process at a time. Where that takes long (half a second
    and more), a table that is a little behind is given out meanwhile, unless `fresh`: so that no more than a twentieth
    of the time goes into it.

    Raises:
        Conflict: there is no table yet, and whoever computes it has not come to its end in time (code ``computing``).

    """
    state = _State(ladder.last_finished_at, _anchor(ladder))
    key = f"official-fit:{ladder.pk}"
    kept: _Kept | None = cache.get(key)
    if kept is None or kept.state != state:
        if fresh:
            kept = _compute(ladder, state, key)
        elif kept is None or kept.is_old():
            kept = _compute_alone(ladder, state, key, kept)
    return _lines(kept)


class _State(NamedTuple):
    """What a table depends on: when the ladder's last match was rated, and which version is pinned."""

    last: datetime | None
    anchor: int | None


@dataclass(frozen=True, slots=True)
class _Kept:
    """A computed table: of which state of the ladder, when (s since 1970), and how long it took (s)."""

    state: _State
    computed_at: float
    took: float
    numbers: dict[int, tuple[float, float, tuple[float, float], int]]

    def is_old(self) -> bool:
        return self.took < QUICK_SECONDS or time.time() - self.computed_at > PATIENCE * self.took


def _compute_alone(ladder: Ladder, state: _State, key: str, behind: _Kept | None) -> _Kept:
    """Compute the table, unless somebody else does: then give what there is, or wait until there is something."""
    lock = f"{key}:computing"
    until = time.monotonic() + WAIT_SECONDS
    while not cache.add(lock, 1, LOCK_SECONDS):
        found = cache.get(key) or behind
        if found is not None:
            return found
        if time.monotonic() > until:
            raise Conflict("This table is being computed. Ask again in a minute.", code="computing")
        time.sleep(POLL_SECONDS)
    try:
        found = cache.get(key)
        return found if found is not None and found.state == state else _compute(ladder, state, key)
    finally:
        cache.delete(lock)


def _compute(ladder: Ladder, state: _State, key: str) -> _Kept:
    began = time.monotonic()
    numbers = _fit(ladder, state.anchor)
    kept = _Kept(state, time.time(), time.monotonic() - began, numbers)
    cache.set(key, kept, KEPT_SECONDS)
    return kept


def _lines(kept: _Kept) -> list[OfficialLine]:
    numbers = kept.numbers
    found = BotVersion.objects.filter(pk__in=numbers).select_related("bot__owner")
    versions = found.defer("build_log", "manifest").in_bulk()
    order = sorted(numbers, key=lambda version: (-numbers[version][0], version))
    return [
        OfficialLine(
            rank=place,
            version=versions[version],
            rating=numbers[version][0],
            error=numbers[version][1],
            interval=numbers[version][2],
            deals=numbers[version][3],
            is_anchor=version == kept.state.anchor,
        )
        for place, version in enumerate(order, start=1)
    ]


def _fit(ladder: Ladder, anchor: int | None) -> dict[int, tuple[float, float, tuple[float, float], int]]:
    deals = list(_rated_deals(ladder))
    played: dict[int, int] = {}
    for deal in deals:
        for version in deal.players:
            played[version] = played.get(version, 0) + 1
    estimates = fit(deals, anchor=anchor)
    return {
        version: (estimate.rating, estimate.error, estimate.interval(), played[version])
        for version, estimate in estimates.items()
    }


def _anchor(ladder: Ladder) -> int | None:
    """The anchor's version with the most deals; without one the prior alone holds the scale."""
    anchors = ladder.ratings.filter(bot__is_anchor=True, deals__gt=0).order_by("-deals", "id")
    return anchors.values_list("version", flat=True).first()


def _rated_deals(ladder: Ladder) -> Iterator[RatedDeal]:
    matches = Match.objects.filter(ladder_match__ladder=ladder, state=Match.State.FINISHED)
    seated: dict[int, dict[int, int]] = {}
    rows = Participant.objects.filter(match__in=matches).values_list("match_id", "index", "version_id")
    for match, index, version in rows.iterator(chunk_size=CHUNK):
        seated.setdefault(match, {})[index] = version
    teams = teams_of(RuleSet.preset(ladder.preset), ladder.seats)
    deals = Deal.objects.filter(match__in=matches).values_list("match_id", "set_index", "seating", "duraks")
    for match, set_index, seating, duraks in deals.iterator(chunk_size=CHUNK):
        yield RatedDeal(
            players=tuple(seated[match][index] for index in seating),
            duraks=tuple(seat for seat, index in enumerate(seating) if index in duraks),
            cluster=(match, set_index),
            teams=teams,
        )
