"""Reads on ladders: standings, histories, and what matchmaking needs to know."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING

from django.conf import settings
from django.db.models import Count, Max, OuterRef, Q, Subquery
from django.db.models.functions import Coalesce, Now

from arena.bots.models import Bot, BotVersion
from arena.bots.selectors import bots_playing, versions_current
from arena.errors import NotFound
from arena.ladders.book import Book
from arena.ladders.facts import entrant_of, track_of
from arena.ladders.matchmaking import Candidate, horizon
from arena.ladders.models import Ladder, LadderMatch, Rating, RatingEvent
from arena.matches.models import Match, Participant
from bots_sdk.ratings import wilson
from bots_sdk.ratings.live import RANKED_RD

if TYPE_CHECKING:
    from collections.abc import Iterable

    from django.db.models import QuerySet

OPEN_STATES = (Match.State.QUEUED, Match.State.RUNNING)
RECENT_PER_BOT = 10
NOT_PLAYING = "Its current version does not play these rules."


@dataclass(frozen=True, slots=True)
class Standing:
    """One line of a ladder. Ratings and RD in Elo points; rates and intervals from 0 to 1."""

    rank: int | None
    """From 1; None until the rating is firm (RD <= 50) and for a paused bot."""
    bot: Bot
    version: BotVersion
    rating: float
    rd: float
    provisional: bool
    """The rating is a guess still (RD > 75); shown with a "?"."""
    is_anchor: bool
    paused: str
    """Why it gets no matches at present, in words; empty if it does."""
    matches: int
    deals: int
    duraks: int
    draws: int
    durak_rate: float | None
    durak_interval: tuple[float, float] | None
    """95 % Wilson interval of the durak rate."""


@dataclass(frozen=True, slots=True)
class LadderStatus:
    """Whether a ladder plays, and if not, why; in words."""

    able: int
    paused: int
    queued: int
    running: int
    finished: int
    message: str


@dataclass(frozen=True, slots=True)
class Pause:
    """A bot that gets no matches on a ladder at present, and why."""

    ladder: Ladder
    version: BotVersion
    message: str


def ladder_list(*, is_open: bool | None = None) -> QuerySet[Ladder]:
    """All ladders, the oldest first, with `bots` (standing on it) and `played` (matches rated) counted."""
    standing = Rating.objects.filter(ladder=OuterRef("pk"), is_current=True, bot__in=bots_playing())
    played = LadderMatch.objects.filter(ladder=OuterRef("pk"), applied_at__isnull=False)
    ladders = Ladder.objects.annotate(bots=_count(standing), played=_count(played))
    return ladders if is_open is None else ladders.filter(is_open=is_open)


def _count(rows: QuerySet) -> Coalesce:
    """How many of these rows there are for each row of the outer query, without joining it with them."""
    return Coalesce(Subquery(rows.order_by().values("ladder").annotate(n=Count("pk")).values("n")), 0)


def ladder_get(slug: str) -> Ladder:
    """The ladder of that slug, or `NotFound`."""
    try:
        return ladder_list().get(slug=slug)
    except Ladder.DoesNotExist:
        raise NotFound(f"There is no ladder “{slug}”.") from None


def versions_able(ladder: Ladder) -> list[BotVersion]:
    """The current version of each bot that may get matches, if it plays the ladder's rules with its number of seats."""
    return list(
        versions_current().filter(presets__contains=[ladder.preset], seats__contains=[ladder.seats]).order_by("bot_id"),
    )


def ratings_of(ladder: Ladder) -> QuerySet[Rating]:
    """The ladder's rating rows with what a track needs of their versions."""
    return ladder.ratings.select_related("version__bot__owner").defer("version__build_log")


def standings(ladder: Ladder) -> list[Standing]:
    """The ladder from the top; bots that have yet to play their first match stand where they will start.

    Bots that may get no matches are left out. Every other is listed once, with the version that plays at present.
    """
    able = {version.bot_id: version for version in versions_able(ladder)}
    rows = list(ratings_of(ladder).filter(bot__in=bots_playing()))
    book = Book({row.version_id: track_of(row) for row in rows})
    versions = {row.bot_id: row.version for row in rows if row.is_current} | able
    spoilt = _spoilt()
    lines = [
        _standing(book, version, playing=version.bot_id in able, spoilt=spoilt[ladder.pk, version.pk])
        for version in versions.values()
    ]
    lines.sort(key=lambda line: (-line.rating, line.rd, line.bot.pk))
    return _ranked(lines)


def _standing(book: Book, version: BotVersion, *, playing: bool, spoilt: int) -> Standing:
    track = book.tracks.get(version.pk) or book.fresh(entrant_of(version))
    return Standing(
        rank=None,
        bot=version.bot,
        version=version,
        rating=track.value,
        rd=0.0 if version.bot.is_anchor else track.standing.rd,
        provisional=track.standing.provisional and not version.bot.is_anchor,
        is_anchor=version.bot.is_anchor,
        paused=pause_reason(track.faulty_streak, spoilt)
        if playing
        else "Its current version does not play these rules.",
        matches=track.matches,
        deals=track.deals,
        duraks=track.duraks,
        draws=track.draws,
        durak_rate=track.duraks / track.deals if track.deals else None,
        durak_interval=wilson(track.duraks, track.deals) if track.deals else None,
    )


def _ranked(lines: Iterable[Standing]) -> list[Standing]:
    ranked, place = [], 0
    for line in lines:
        if line.rd <= RANKED_RD and line.deals and not line.paused:
            place += 1
            ranked.append(replace(line, rank=place))
        else:
            ranked.append(line)
    return ranked


def pause_reason(faulty_streak: int, spoilt: int) -> str:
    """Why a version gets no more matches; empty if it does.

    ``faulty_streak`` of its last matches in a row put it out for faults; ``spoilt`` of the last day's were abandoned,
    since the host failed in its turns. That charges nobody, but a bot that spins on a host which is short of
    processors could escape its lost matches so.
    """
    if faulty_streak >= settings.LADDER_FAULTY_LIMIT:
        return (
            f"It was put out for faults in its last {faulty_streak} matches. "
            "It gets no more until its owner uploads a new version."
        )
    if spoilt >= settings.LADDER_SPOILT_LIMIT:
        return (
            f"{spoilt} of its matches of the last 24 hours were abandoned, since the server had too little processor "
            "time for it in its turns. It gets more when they are a day old, or when its owner uploads a new version; "
            "a bot that computes for a fifth of its move time is always given enough."
        )
    return ""


def bot_pauses(bot: Bot) -> list[Pause]:
    """The ladders on which the bot's current version gets no matches, with the reason."""
    spoilt = _spoilt()
    found = []
    for version in versions_current().filter(bot=bot).select_related("bot").defer("build_log"):
        streaks = dict(version.ratings.values_list("ladder_id", "faulty_streak"))
        for ladder in Ladder.objects.filter(pk__in={*streaks, *(key[0] for key in spoilt if key[1] == version.pk)}):
            reason = pause_reason(streaks.get(ladder.pk, 0), spoilt[ladder.pk, version.pk])
            if reason:
                found.append(Pause(ladder, version, reason))
    return found


def _spoilt() -> Counter[tuple[int, int]]:
    """By ladder and version: how many matches of the last 24 hours the host spoilt in its turns."""
    rows = Participant.objects.filter(match__kind=Match.Kind.LADDER, spoilt_at__gt=Now() - timedelta(hours=24))
    return Counter(rows.values_list("match__ladder_match__ladder_id", "version_id"))


def bot_ratings(bot: Bot) -> QuerySet[Rating]:
    """The bot's present ratings, ladder by ladder."""
    return bot.ratings.filter(is_current=True).select_related("ladder", "version__bot").defer("version__build_log")


def rating_history(bot: Bot, ladder: Ladder) -> QuerySet[RatingEvent]:
    """The bot's rating after each of its rated matches: the last event of each, the newest first.

    Each row has its `version`, its `match` and `after`.
    """
    last = (
        ladder.events.filter(version__bot=bot)
        .order_by("match_id", "version_id", "-deal_index")
        .distinct("match_id", "version_id")
    )
    return (
        RatingEvent.objects.filter(pk__in=last.values("pk"))
        .select_related("version__bot", "match")
        .defer("version__build_log")
        .order_by("-match__finished_at", "-match_id")
    )


@dataclass(frozen=True, slots=True)
class RatingChange:
    """What a match did to the rating of one of its participants, in Elo points."""

    participant: int
    before: float
    after: float


def match_rating_changes(match: Match) -> list[RatingChange]:
    """What the match did to the ratings, by participant; empty unless it was rated."""
    before: dict[int, float] = {}
    after: dict[int, float] = {}
    for version, old, new in match.rating_events.order_by("deal_index").values_list("version_id", "before", "after"):
        before.setdefault(version, old)
        after[version] = new
    return [
        RatingChange(each.index, before[each.version_id], after[each.version_id])
        for each in match.participants.all()
        if each.version_id in before
    ]


def ladder_status(ladder: Ladder) -> LadderStatus:
    """What the ladder is doing, in numbers and in words."""
    waiting = candidates(ladder)
    able = len(waiting)
    listed = len(versions_able(ladder))
    counts = dict(
        ladder.ladder_matches.values_list("match__state")
        .annotate(count=Count("pk"))
        .values_list("match__state", "count"),
    )
    if not ladder.is_open:
        message = "This ladder is closed: its ratings stand, and no new matches are made."
    elif able < ladder.seats:
        message = (
            f"No matches are played: this ladder needs {ladder.seats} bots, and {able} "
            f"{'is' if able == 1 else 'are'} able to play."
        )
    else:
        message = f"{able} bots play."
    if listed > able:
        message += f" {listed - able} more paused."
    return LadderStatus(
        able=able,
        paused=listed - able,
        queued=counts.get(Match.State.QUEUED, 0),
        running=counts.get(Match.State.RUNNING, 0),
        finished=counts.get(Match.State.FINISHED, 0),
        message=message,
    )


def queue_length(ladder: Ladder) -> int:
    """How many of the ladder's matches wait for a worker."""
    return LadderMatch.objects.filter(ladder=ladder, match__state=Match.State.QUEUED).count()


def candidates(ladder: Ladder) -> list[Candidate]:
    """The versions that may play the ladder's next match: current, able and not paused."""
    rows = list(ratings_of(ladder).filter(bot__in=bots_playing()))
    book = Book({row.version_id: track_of(row) for row in rows})
    able = versions_able(ladder)
    played = _played(ladder, len(able))
    spoilt = _spoilt()
    found = []
    for version in able:
        track = book.tracks.get(version.pk) or book.fresh(entrant_of(version))
        if pause_reason(track.faulty_streak, spoilt[ladder.pk, version.pk]):
            continue
        recent, pending, last_match = played.get(version.bot_id, (0, 0, 0))
        found.append(
            Candidate(
                version=version.pk,
                bot=version.bot_id,
                value=track.value,
                rd=0.0 if version.bot.is_anchor else track.standing.rd,
                deals=track.deals,
                matches=track.matches,
                pending=pending,
                faulty_streak=track.faulty_streak,
                recent=recent,
                last_match=last_match,
            ),
        )
    return found


def _played(ladder: Ladder, bots: int) -> dict[int, tuple[int, int, int]]:
    """By bot: how many of the ladder's last matches are its own, how many of them wait or run, and the newest.

    So many are looked at that a bot which is in none of them has waited longest.
    """
    last = ladder.ladder_matches.order_by("-match_id").values("match_id")[: RECENT_PER_BOT * bots]
    counted = (
        Participant.objects.filter(match__in=last)
        .values("version__bot")
        .annotate(
            recent=Count("pk"),
            pending=Count("pk", filter=Q(match__state__in=OPEN_STATES)),
            newest=Max("match_id"),
        )
        .values_list("version__bot", "recent", "pending", "newest")
    )
    return {bot: (recent, pending, newest) for bot, recent, pending, newest in counted}


def meetings_age(ladder: Ladder, bot: int, able: int) -> dict[int, int]:
    """How many of its own matches ago the bot met each of the others, within its horizon; 0 is its newest match."""
    recent = list(
        Match.objects.filter(ladder_match__ladder=ladder, participants__version__bot=bot)
        .order_by("-id")
        .values_list("id", flat=True)[: horizon(able)],
    )
    order = {match: index for index, match in enumerate(recent)}
    age: dict[int, int] = {}
    met = Participant.objects.filter(match__in=recent).values_list("match_id", "version__bot")
    for match, other in met:
        age[other] = min(age.get(other, order[match]), order[match])
    return age
