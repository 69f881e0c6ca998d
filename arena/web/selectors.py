"""Reads that only pages need: each is a few queries, whatever there is."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.core.cache import cache
from django.db.models import F, Sum

from arena.bots.models import Bot, BotVersion
from arena.ladders.models import Rating, RatingEvent
from arena.matches.models import Fault, Match, Participant
from arena.matches.selectors import match_list

if TYPE_CHECKING:
    from collections.abc import Iterable

    from django.db.models import QuerySet

    from arena.accounts.models import User
    from arena.ladders.models import Ladder

LATELY_MATCHES = 200
LATELY_KEPT_S = 300
MEETINGS_MATCHES = 500


@dataclass(frozen=True)
class Meeting:
    """How two bots fared in the ladder matches in which both sat."""

    opponent: Bot
    deals: int
    duraks: int
    opponent_duraks: int


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


def changes_lately(ladder: Ladder) -> dict[int, float]:
    """By version: the change of its rating, in Elo points, over the ladder's last ``LATELY_MATCHES`` matches.

    Summed up once for each match that is rated.
    """
    key = f"lately:{ladder.pk}:{ladder.played}"
    found: dict[int, float] | None = cache.get(key)
    if found is None:
        rated = ladder.ladder_matches.filter(applied_at__isnull=False).order_by("-applied_at")
        last = list(rated.values_list("match_id", flat=True)[:LATELY_MATCHES])
        events = RatingEvent.objects.filter(match__in=last).order_by().values("version")
        found = dict(events.annotate(change=Sum(F("after") - F("before"))).values_list("version", "change"))
        cache.set(key, found, LATELY_KEPT_S)
    return found


def head_to_head(bot: Bot, limit: int = 30) -> list[Meeting]:
    """Whom the bot met in its last ``MEETINGS_MATCHES`` ladder matches, the most frequent opponents first.

    On a ladder a bot sits once in a match. Challenges, in which it may sit twice, do not count.
    """
    finished = Participant.objects.filter(match__kind=Match.Kind.LADDER, match__state=Match.State.FINISHED)
    mine = list(bot.versions.values_list("pk", flat=True))
    last = finished.filter(version__in=mine).order_by("-match_id")[:MEETINGS_MATCHES]
    own = dict(last.values_list("match_id", "duraks"))
    totals: dict[int, list[int]] = defaultdict(lambda: [0, 0, 0])
    others = finished.filter(match__in=list(own)).exclude(version__in=mine).order_by()
    for match, other, deals, duraks in others.values_list("match_id", "version__bot", "deals", "duraks"):
        for place, number in enumerate((deals, own[match], duraks)):
            totals[other][place] += number
    met = sorted(totals.items(), key=lambda item: (-item[1][0], item[0]))[:limit]
    bots = Bot.objects.in_bulk([other for other, _ in met])
    return [Meeting(bots[other], *numbers) for other, numbers in met]
