"""The official table: one fit over all of a ladder's deals, whatever their order."""

from __future__ import annotations

import time
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from django.core.cache import cache

from arena.bots.models import BotVersion
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


def official_table(ladder: Ladder, *, fresh: bool = False) -> list[OfficialLine]:
    """Every version that has played on the ladder, from the top.

    It is computed once for each state of the ladder. Where that takes long (half a second and more), a table that is
    a little behind is given out meanwhile, unless `fresh`: so that no more than a twentieth of the time goes into it.
    """
    key = f"official:{ladder.pk}"
    kept: _Kept | None = cache.get(key)
    if kept is None or (kept.state != ladder.last_finished_at and (fresh or kept.is_old())):
        began = time.monotonic()
        numbers = _fit(ladder)
        kept = _Kept(ladder.last_finished_at, time.time(), time.monotonic() - began, numbers)
        cache.set(key, kept, KEPT_SECONDS)
    return _lines(kept.numbers)


@dataclass(frozen=True, slots=True)
class _Kept:
    """A computed table: of which state of the ladder, when (s since 1970), and how long it took (s)."""

    state: datetime | None
    computed_at: float
    took: float
    numbers: dict[int, tuple[float, float, tuple[float, float], int]]

    def is_old(self) -> bool:
        return self.took < QUICK_SECONDS or time.time() - self.computed_at > PATIENCE * self.took


def _lines(numbers: dict[int, tuple[float, float, tuple[float, float], int]]) -> list[OfficialLine]:
    versions = BotVersion.objects.filter(pk__in=numbers).select_related("bot__owner").defer("build_log").in_bulk()
    order = sorted(numbers, key=lambda version: (-numbers[version][0], version))
    return [
        OfficialLine(
            rank=place,
            version=versions[version],
            rating=numbers[version][0],
            error=numbers[version][1],
            interval=numbers[version][2],
            deals=numbers[version][3],
            is_anchor=versions[version].bot.is_anchor,
        )
        for place, version in enumerate(order, start=1)
    ]


def _fit(ladder: Ladder) -> dict[int, tuple[float, float, tuple[float, float], int]]:
    deals = list(_rated_deals(ladder))
    played: dict[int, int] = {}
    for deal in deals:
        for version in deal.players:
            played[version] = played.get(version, 0) + 1
    estimates = fit(deals, anchor=_anchor(ladder, played))
    return {
        version: (estimate.rating, estimate.error, estimate.interval(), played[version])
        for version, estimate in estimates.items()
    }


def _anchor(ladder: Ladder, played: dict[int, int]) -> int | None:
    """The anchor's version with the most deals; without one the prior alone holds the scale."""
    anchors = ladder.ratings.filter(bot__is_anchor=True, version__in=played).order_by("-deals", "id")
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
