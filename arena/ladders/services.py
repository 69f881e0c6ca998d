"""Writes on ladders: opening and closing them, rating their matches, and finding who plays next."""

from __future__ import annotations

import random
import re
from datetime import timedelta
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils.text import slugify

from arena.bots.models import SLUG, BotVersion
from arena.errors import Conflict, Invalid
from arena.ladders.book import Book
from arena.ladders.facts import match_result, track_of
from arena.ladders.ledger import event_rows, ratings_write
from arena.ladders.matchmaking import may_play, not_crowded, pick_leader, pick_match
from arena.ladders.models import Ladder, LadderMatch, RatingEvent
from arena.ladders.selectors import candidates, meetings_age, queue_length, ratings_of
from arena.ladders.shapes import check_shape
from arena.matches.models import Match
from arena.matches.services import match_create

if TYPE_CHECKING:
    from arena.ladders.matchmaking import Candidate

TICK = timedelta(microseconds=1)
"""The finest step that the database keeps of a time."""
SHUFFLE = random.SystemRandom()


def ladder_create(
    *,
    preset: str,
    seats: int,
    name: str = "",
    slug: str = "",
    sets: int = 6,
    time_control: dict[str, int] | None = None,
) -> Ladder:
    """Open a ladder for a preset and a number of seats.

    Raises:
        Invalid: no such preset, a seat count it cannot be played with, a bad time control, name or slug; says which.
        Conflict: there is an open ladder of that shape, or one of that slug.

    """
    check_shape(preset, seats, sets, time_control or {})
    name = name.strip() or f"{preset}, {seats} seats"
    slug = slug or slugify(f"{preset}-{seats}")
    _check_length("name", name)
    _check_length("slug", slug)
    if not re.fullmatch(SLUG, slug):
        raise Invalid(f"“{slug}” is no slug: use lower-case letters, digits and inner hyphens.", field="slug")
    if Ladder.objects.filter(preset=preset, seats=seats, is_open=True).exists():
        raise Conflict(f"There is an open ladder for {preset} with {seats} seats already. Close it first.")
    try:
        with transaction.atomic():
            return Ladder.objects.create(
                slug=slug,
                name=name,
                preset=preset,
                seats=seats,
                sets=sets,
                time_control=time_control or {},
            )
    except IntegrityError:
        raise Conflict(f"There is a ladder “{slug}” already. Choose another slug.", field="slug") from None


def _check_length(field: str, text: str) -> None:
    longest = Ladder._meta.get_field(field).max_length  # noqa: SLF001 - Django's own way to ask
    if len(text) > longest:
        raise Invalid(f"The {field} has {len(text)} characters; at most {longest} fit.", field=field)


def ladder_close(*, ladder: Ladder) -> None:
    """Make no new matches for it. What is queued is still played and counts."""
    ladder.is_open = False
    ladder.save(update_fields=["is_open"])


def ladder_apply(match: Match) -> bool:
    """Rate a match that has just finished; part of the transaction that saves its result.

    Takes the ladder's row lock, so that matches that finish at once are rated one after another, and puts the
    match's `finished_at` after the ladder's last, so that (finished_at, id) is the order in which they were.
    Returns False, changing nothing, if the match was rated before or belongs to no ladder.
    """
    with transaction.atomic():
        link = LadderMatch.objects.filter(match=match).first()
        if link is None:
            return False
        ladder = Ladder.objects.select_for_update().get(pk=link.ladder_id)
        link.refresh_from_db()
        if link.applied_at is not None:
            return False
        if ladder.last_finished_at is not None:
            match.finished_at = max(match.finished_at, ladder.last_finished_at + TICK)
        Match.objects.filter(pk=match.pk).update(finished_at=match.finished_at)
        _rate(ladder, match)
        ladder.last_finished_at = match.finished_at
        ladder.save(update_fields=["last_finished_at"])
        link.applied_at = match.finished_at
        link.save(update_fields=["applied_at"])
        transaction.on_commit(lambda: _wake_matchmaker(ladder.pk))
    return True


def _rate(ladder: Ladder, match: Match) -> None:
    participants = list(match.participants.select_related("version__bot").defer("version__build_log"))
    bots = {participant.version.bot_id for participant in participants}
    rows = {row.version_id: row for row in ratings_of(ladder).filter(bot__in=bots)}
    book = Book({version: track_of(row) for version, row in rows.items()})
    changes = book.apply(match_result(match, participants, match.deals.defer("record", "timings")))
    entrants = {participant.version_id for participant in participants}
    ratings_write(ladder, book, rows, entrants)
    RatingEvent.objects.bulk_create(event_rows(ladder, changes))


def ladder_matchmake(ladder: Ladder) -> list[Match]:
    """Top the ladder's queue up to `ARENA_LADDER_QUEUE` waiting matches; returns the new ones.

    Does nothing for a closed ladder or one with fewer bots than seats.
    """
    made: list[Match] = []
    with transaction.atomic():
        ladder = Ladder.objects.select_for_update().get(pk=ladder.pk)
        if not ladder.is_open:
            return made
        for _ in range(settings.LADDER_QUEUE - queue_length(ladder)):
            table = _next_table(ladder)
            if not table:
                break
            made.append(_match_queue(ladder, table))
    return made


def _next_table(ladder: Ladder) -> list[Candidate]:
    able = not_crowded([candidate for candidate in candidates(ladder) if may_play(candidate)], ladder.seats)
    if len(able) < ladder.seats:
        return []
    leader = pick_leader(able)
    chosen = pick_match(able, ladder.seats, leader, meetings_age(ladder, leader.bot, len(able)))
    return [candidate for candidate in able if candidate.version in set(chosen)]


def _match_queue(ladder: Ladder, table: list[Candidate]) -> Match:
    SHUFFLE.shuffle(table)
    versions = BotVersion.objects.in_bulk([candidate.version for candidate in table])
    match = match_create(
        kind=Match.Kind.LADDER,
        versions=[versions[candidate.version] for candidate in table],
        preset=ladder.preset,
        sets=ladder.sets,
        time_control=ladder.time_control,
        priority=int(any(candidate.is_new for candidate in table)),
    )
    LadderMatch.objects.create(match=match, ladder=ladder)
    return match


def _wake_matchmaker(ladder_id: int) -> None:
    from arena.ladders.tasks import matchmake_wake

    matchmake_wake(ladder_id)
