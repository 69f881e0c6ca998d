"""Reads on ladders: standings, histories and what a ladder is doing."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from django.db.models import Case, Count, Exists, OuterRef, Subquery, Value, When
from django.db.models.functions import Coalesce, Now

from arena.bots.hosts import language_sets
from arena.bots.models import Bot, BotVersion
from arena.bots.selectors import bots_playing, versions_current
from arena.errors import NotFound
from arena.ladders.entries import fault_reason, host_reason, ladder_entries, spoilt_matches
from arena.ladders.models import Ladder, LadderMatch, Rating, RatingEvent
from arena.matches.models import Match, Participant
from bots_sdk.ratings import wilson

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from datetime import datetime

    from django.db.models import QuerySet

    from arena.ladders.entries import Entry

LATELY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Standing:
    """One line of a ladder. Ratings and RD in Elo points; rates and intervals from 0 to 1."""

    rank: int | None
    """From 1; None before its first deal, until its rating is firm (RD <= 50), while its current version plays other
    rules, and while it is paused for faults or abandoned matches. Who only waits for a host keeps its rank."""
    bot: Bot
    version: BotVersion
    rating: float
    rd: float
    provisional: bool
    """The rating is a guess still (RD > 75); shown with a "?"."""
    is_anchor: bool
    plays: bool
    """Its current version plays the ladder's rules with its number of seats."""
    waits: bool
    """It would get matches if a live host could run its language."""
    paused: str
    """Why it gets no matches at present, in words, also while it waits; empty if it does."""
    moved_at: datetime | None
    """When its rating last moved; None before the version's first match."""
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
    """All ladders, the oldest first."""
    ladders = Ladder.objects.order_by("pk")
    return ladders if is_open is None else ladders.filter(is_open=is_open)


def ladders_busiest() -> QuerySet[Ladder]:
    """The open ladders: those with a match in the last 24 hours first, then by how many were played."""
    idle = Case(When(last_finished_at__gt=Now() - LATELY, then=Value(0)), default=Value(1))
    return ladder_list(is_open=True).order_by(idle, "-played", "pk")


def bots_rated() -> QuerySet[Rating]:
    """The present ratings of the bots that may get matches."""
    return Rating.objects.filter(is_current=True, bot__in=bots_playing())


def bots_counted(ladders: QuerySet[Ladder]) -> QuerySet[Ladder]:
    """These ladders, each with `bots`: how many have a rating on it and may get matches."""
    rated = bots_rated().filter(ladder=OuterRef("pk"))
    counted = rated.order_by().values("ladder").annotate(n=Count("pk")).values("n")
    return ladders.annotate(bots=Coalesce(Subquery(counted), 0))


def ladder_get(slug: str) -> Ladder:
    """The ladder of that slug, or `NotFound`."""
    try:
        return Ladder.objects.get(slug=slug)
    except Ladder.DoesNotExist:
        raise NotFound(f"There is no ladder “{slug}”.") from None


def ratings_of(ladder: Ladder) -> QuerySet[Rating]:
    """The ladder's rating rows with what a track needs of their versions."""
    return ladder.ratings.select_related("version__bot__owner").defer("version__build_log")


def leaders(ladders: Collection[Ladder]) -> dict[int, Rating]:
    """By ladder: the highest rating of a bot that has played on it; one query."""
    rated = bots_rated().filter(ladder__in=ladders)
    first = rated.order_by("ladder_id", "-value", "-information", "bot_id").distinct("ladder_id")
    return {row.ladder_id: row for row in first.select_related("bot")}


def standings(ladder: Ladder) -> list[Standing]:
    """The ladder from the top; bots that have yet to play their first match stand where they will start.

    Retired bots are left out. Every bot is listed once, with the version that plays at present.
    """
    return standings_of([ladder])[ladder.pk]


def standings_of(ladders: Collection[Ladder]) -> dict[int, list[Standing]]:
    """By ladder: its standings; four queries, however many there are."""
    return {ladder: _ranked(entries) for ladder, entries in ladder_entries(ladders, language_sets()).items()}


def _ranked(entries: Iterable[Entry]) -> list[Standing]:
    place, lines = 0, []
    for entry in sorted(entries, key=lambda entry: (-entry.track.value, entry.track.standing.rd, entry.version.bot_id)):
        firm = bool(entry.track.standing.ranked and entry.track.deals and entry.plays and not entry.fault)
        place += firm
        lines.append(_standing(entry, place if firm else None))
    return lines


def _standing(entry: Entry, rank: int | None) -> Standing:
    track = entry.track
    return Standing(
        rank=rank,
        bot=entry.version.bot,
        version=entry.version,
        rating=track.value,
        rd=track.standing.rd,
        provisional=track.standing.provisional,
        is_anchor=entry.version.bot.is_anchor,
        plays=entry.plays,
        waits=entry.plays and not entry.fault and not entry.is_hosted,
        paused=entry.paused,
        moved_at=entry.moved_at,
        matches=track.matches,
        deals=track.deals,
        duraks=track.duraks,
        draws=track.draws,
        durak_rate=track.duraks / track.deals if track.deals else None,
        durak_interval=wilson(track.duraks, track.deals) if track.deals else None,
    )


def bot_pauses(bot: Bot) -> list[Pause]:
    """The open ladders on which the bot's current version gets no matches, with the reason; five queries at most."""
    version = versions_current().filter(bot=bot).first()
    if version is None:
        return []
    streaks = dict(version.ratings.values_list("ladder_id", "faulty_streak"))
    spoilt = spoilt_matches(version=version)
    is_hosted = any(version.language in languages for languages in language_sets())
    found = []
    for ladder in ladder_list(is_open=True).filter(preset__in=version.presets, seats__in=version.seats):
        reason = fault_reason(streaks.get(ladder.pk, 0), spoilt[ladder.pk, version.pk])
        if reason or not is_hosted:
            found.append(Pause(ladder, version, reason or host_reason(version.language)))
    return sorted(found, key=lambda pause: pause.message)


def bot_ratings(bot: Bot) -> QuerySet[Rating]:
    """The bot's present ratings, ladder by ladder."""
    return bot.ratings.filter(is_current=True).select_related("ladder", "version__bot").defer("version__build_log")


def rating_history(bot: Bot, ladder: Ladder) -> QuerySet[LadderMatch]:
    """The bot's rated matches on the ladder, the newest first.

    Each has the `version` (its number) that played and the `rating` after it. Only the matches of a slice are looked at
    in full.
    """
    return _history(ladder, list(ladder.ratings.filter(bot=bot).values_list("version", flat=True)))


def rating_histories(bot: Bot, ladders: Collection[Ladder], most: int) -> dict[int, list[tuple[datetime, float]]]:
    """By ladder: when the bot's last ``most`` matches on it were rated and the rating after each; two queries."""
    versions = defaultdict(list)
    for ladder, version in Rating.objects.filter(bot=bot, ladder__in=ladders).values_list("ladder_id", "version_id"):
        versions[ladder].append(version)
    parts = [
        _history(ladder, versions[ladder.pk]).values_list("ladder_id", "applied_at", "rating")[:most]
        for ladder in ladders
        if ladder.pk in versions
    ]
    found: dict[int, list[tuple[datetime, float]]] = defaultdict(list)
    for ladder, when, rating in parts[0].union(*parts[1:], all=True) if parts else ():
        found[ladder].append((when, rating))
    return {ladder: sorted(points) for ladder, points in found.items()}


def _history(ladder: Ladder, versions: Collection[int]) -> QuerySet[LadderMatch]:
    """See `rating_history`. That it names the versions tells PostgreSQL how many matches to expect of them."""
    last = RatingEvent.objects.filter(match=OuterRef("match_id"), version__in=versions).order_by("-deal_index")
    played = Participant.objects.filter(match=OuterRef("match_id"), version__in=versions)
    return (
        ladder.ladder_matches.filter(Exists(played), applied_at__isnull=False)
        .annotate(version=Subquery(last.values("version__number")[:1]), rating=Subquery(last.values("after")[:1]))
        .order_by("-applied_at")
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


def ladder_status(ladder: Ladder, lines: Collection[Standing]) -> LadderStatus:
    """What the ladder is doing, in numbers and in words; `lines` are its standings."""
    playing = [line for line in lines if line.plays]
    able = [line for line in playing if not line.paused]
    unfinished = ladder.ladder_matches.filter(match__state__in=[Match.State.QUEUED, Match.State.RUNNING])
    counts = dict(unfinished.values_list("match__state").annotate(count=Count("pk")))
    return LadderStatus(
        able=len(able),
        paused=len(playing) - len(able),
        queued=counts.get(Match.State.QUEUED, 0),
        running=counts.get(Match.State.RUNNING, 0),
        finished=ladder.played,
        message=_doing(ladder, able) + _paused(playing),
    )


def _doing(ladder: Ladder, able: Collection[Standing]) -> str:
    if not ladder.is_open:
        return "This ladder is closed: its ratings stand, and no new matches are made."
    if len(able) < ladder.seats:
        return (
            f"No matches are played: this ladder needs {ladder.seats} bots, and {len(able)} "
            f"{'is' if len(able) == 1 else 'are'} able to play."
        )
    if not any(sum(line.version.language in each for line in able) >= ladder.seats for each in language_sets()):
        return f"No matches are played: no worker can run the languages of {ladder.seats} of its bots at once."
    return f"{len(able)} bots play."


def _paused(playing: Collection[Standing]) -> str:
    paused = [line for line in playing if line.paused]
    missing = sorted({line.version.language for line in paused if line.waits})
    if missing:
        return f" {len(paused)} more paused; there is no worker that can run {', '.join(missing)}."
    return f" {len(paused)} more paused." if paused else ""
