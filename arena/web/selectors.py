"""Reads that only pages need: each is one or two queries, whatever there is."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db.models import F, Sum

from arena.bots.models import Bot, BotVersion
from arena.ladders.models import Rating, RatingEvent
from arena.matches.models import Fault, Match, Participant
from arena.matches.selectors import match_list

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from django.db.models import QuerySet

    from arena.accounts.models import User
    from arena.ladders.models import Ladder

LATELY_MATCHES = 200


@dataclass(frozen=True)
class Meeting:
    """How two bots fared in the finished matches, validation apart, in which both sat."""

    opponent: Bot
    deals: int
    duraks: int
    opponent_duraks: int


@dataclass(frozen=True)
class Movement:
    """What a version's rating did lately: its change in Elo over the ladder's last matches, and when it last moved."""

    change: float
    moved_at: datetime | None


def uploads_of(user: User) -> QuerySet[BotVersion]:
    """A person's uploads, the newest first."""
    return (
        BotVersion.objects.filter(bot__owner=user).select_related("bot").defer("build_log", "manifest").order_by("-pk")
    )


def faults_of(user: User) -> QuerySet[Fault]:
    """What this person's bots did wrong, the newest first, without lines and views."""
    return (
        Fault.objects.filter(participant__version__bot__owner=user)
        .select_related("participant__version__bot")
        .defer("line", "view", "participant__version__build_log")
        .order_by("-pk")
    )


def matches_of(user: User) -> QuerySet[Match]:
    """The matches in which this person's bots sit, the newest first."""
    mine = Participant.objects.filter(version__bot__owner=user)
    return match_list().filter(pk__in=mine.values("match")).order_by("-pk")


def ratings_of(bots: Iterable[Bot]) -> dict[int, list[Rating]]:
    """By bot: its present ratings, ladder by ladder."""
    found: dict[int, list[Rating]] = defaultdict(list)
    for rating in Rating.objects.filter(bot__in=bots, is_current=True).select_related("ladder").order_by("ladder_id"):
        found[rating.bot_id].append(rating)
    return found


def movements(ladder: Ladder) -> dict[int, Movement]:
    """By version: its movement over the ladder's last ``LATELY_MATCHES`` matches."""
    last = (
        ladder.ladder_matches.filter(applied_at__isnull=False).order_by("-match_id").values("match_id")[:LATELY_MATCHES]
    )
    changes = dict(
        RatingEvent.objects.filter(match__in=list(last.values_list("match_id", flat=True)))
        .order_by()
        .values("version")
        .annotate(change=Sum(F("after") - F("before")))
        .values_list("version", "change"),
    )
    moved = dict(ladder.ratings.filter(is_current=True).order_by().values_list("version", "updated_at"))
    return {
        version: Movement(changes.get(version, 0.0), moved.get(version)) for version in changes.keys() | moved.keys()
    }


def head_to_head(bot: Bot, limit: int = 30) -> list[Meeting]:
    """Whom the bot met, the most frequent opponents first."""
    counted = (
        Participant.objects.filter(match__state=Match.State.FINISHED, match__participants__version__bot=bot)
        .exclude(match__kind=Match.Kind.VALIDATION)
        .exclude(version__bot=bot)
        .order_by()
        .values("version__bot")
        .annotate(
            together=Sum("deals"),
            own_duraks=Sum("match__participants__duraks"),
            other_duraks=Sum("duraks"),
        )
        .order_by("-together", "version__bot")[:limit]
    )
    rows = list(counted)
    bots = Bot.objects.in_bulk([row["version__bot"] for row in rows])
    return [Meeting(bots[row["version__bot"]], row["together"], row["own_duraks"], row["other_duraks"]) for row in rows]
