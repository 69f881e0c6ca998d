"""Who is on a ladder: each bot with its version, its running totals, and why it gets no matches if it gets none."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from django.conf import settings
from django.db.models import Q
from django.db.models.functions import Now

from arena.bots.selectors import bots_playing, versions_current
from arena.ladders.book import Book
from arena.ladders.facts import entrant_of, track_of
from arena.ladders.models import Rating
from arena.matches.models import Match, Participant

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import datetime

    from arena.bots.models import BotVersion
    from arena.ladders.book import Track
    from arena.ladders.models import Ladder

OTHER_RULES = "Its current version does not play these rules."


@dataclass(frozen=True, slots=True)
class Entry:
    """A bot on a ladder."""

    version: BotVersion
    """The one that plays at present, else the last that did."""
    track: Track
    plays: bool
    """Its current version plays the ladder's rules with its number of seats."""
    fault: str
    """Why it is paused by what it did, in words; empty if it is not."""
    is_hosted: bool
    """A live host can run its language, or the ladder is closed."""
    moved_at: datetime | None
    """When its rating last moved; None before the version's first match."""

    @property
    def paused(self) -> str:
        """Why it gets no matches at present, in words; empty if it does."""
        if not self.plays:
            return OTHER_RULES
        return self.fault or ("" if self.is_hosted else host_reason(self.version.language))


def fault_reason(faulty_streak: int, spoilt: int) -> str:
    """Why a version gets no more matches for what it did; empty if it does.

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


def host_reason(language: str) -> str:
    """Why a bot waits whose language no live host can run."""
    return f"No worker that can run {language} is there now. It gets matches again as soon as one is."


def spoilt_matches(**which: object) -> Counter[tuple[int, int]]:
    """By ladder and version: how many matches of the last 24 hours the host spoilt in its turns.

    ``which`` narrows the participants down.
    """
    rows = Participant.objects.filter(match__kind=Match.Kind.LADDER, spoilt_at__gt=Now() - timedelta(hours=24), **which)
    return Counter(rows.values_list("match__ladder_match__ladder_id", "version_id"))


def ladder_entries(ladders: Collection[Ladder], hosts: Collection[Collection[str]]) -> dict[int, list[Entry]]:
    """By ladder: the bots that have a rating on it or play its rules, each once; three queries, however many there are.

    Bots that may get no matches at all, retired ones for example, are left out. ``hosts`` are the languages of each
    live host, see ``language_sets``.
    """
    if not ladders:
        return {}
    languages = frozenset().union(*hosts)
    spoilt = spoilt_matches(match__ladder_match__ladder__in=ladders)
    rated = Rating.objects.filter(ladder__in=ladders, is_current=True, bot__in=bots_playing())
    rows: dict[int, dict[int, Rating]] = defaultdict(dict)
    for row in rated.select_related("version__bot__owner").defer("version__build_log", "version__manifest"):
        rows[row.ladder_id][row.bot_id] = row
    shapes = Q()
    for ladder in ladders:
        shapes |= Q(presets__contains=[ladder.preset], seats__contains=[ladder.seats])
    current = list(versions_current().filter(shapes).defer("build_log", "manifest"))
    return {ladder.pk: _entries(ladder, rows[ladder.pk], current, spoilt, languages) for ladder in ladders}


def _entries(
    ladder: Ladder,
    rows: dict[int, Rating],
    current: Collection[BotVersion],
    spoilt: Counter[tuple[int, int]],
    languages: frozenset[str],
) -> list[Entry]:
    book = Book({row.version_id: track_of(row) for row in rows.values()})
    able = {each.bot_id: each for each in current if ladder.preset in each.presets and ladder.seats in each.seats}
    found = []
    for bot, version in sorted(({bot: row.version for bot, row in rows.items()} | able).items()):
        track = book.tracks.get(version.pk) or book.fresh(entrant_of(version))
        row = rows.get(bot)
        found.append(
            Entry(
                version=version,
                track=track,
                plays=bot in able,
                fault=fault_reason(track.faulty_streak, spoilt[ladder.pk, version.pk]),
                is_hosted=version.language in languages or not ladder.is_open,
                moved_at=row.updated_at if row and row.version_id == version.pk else None,
            ),
        )
    return found
