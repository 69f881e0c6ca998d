"""Writes on ladders: opening and closing them, rating their matches, and finding who plays next."""

from __future__ import annotations

import random
import re
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils.text import slugify

from arena.bots.hosts import language_sets
from arena.bots.models import SLUG, BotVersion
from arena.errors import Conflict, Invalid
from arena.ladders.book import Book
from arena.ladders.facts import match_result, track_of
from arena.ladders.ledger import event_rows, ratings_write
from arena.ladders.matchmaking import may_play, pick_leader, pick_match, pools
from arena.ladders.models import Ladder, LadderMatch, RatingEvent
from arena.ladders.queueing import candidates, meetings_age, queue_length
from arena.ladders.selectors import ratings_of
from arena.ladders.shapes import check_shape
from arena.matches.models import Match
from arena.matches.services import match_create

if TYPE_CHECKING:
    from arena.ladders.matchmaking import Candidate
    from arena.ladders.queueing import Hosts

TICK = timedelta(microseconds=1)
"""The finest step that the database keeps of a time."""
SHUFFLE = random.SystemRandom()
SHAPE = frozenset({"slug", "preset", "seats"})
PLAYED_WITH = frozenset({"sets", "time_control"})


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
    ladder = Ladder(
        preset=preset,
        seats=seats,
        name=name.strip() or f"{preset}, {seats} seats",
        slug=slug or slugify(f"{preset}-{seats}"),
        sets=sets,
        time_control=time_control or {},
    )
    ladder_check(ladder)
    try:
        with transaction.atomic():
            ladder.save()
    except IntegrityError:
        raise Conflict(f"There is a ladder “{ladder.slug}” already. Choose another slug.", field="slug") from None
    return ladder


def ladder_update(*, ladder: Ladder, **changes: Any) -> Ladder:
    """Change a ladder's ``name`` or ``is_open``; its ``sets`` and ``time_control`` while it has no match.

    What is queued when it is closed is still played and counts.

    Raises:
        Invalid: no or too long a name, bad sets or a bad time control; says which.
        Conflict: matches were made with the sets and the clock that it has; or it is to be opened, and there is an open
            one of its shape.

    """
    with transaction.atomic():
        Ladder.objects.select_for_update().get(pk=ladder.pk)
        ladder.refresh_from_db()
        changes = {name: value for name, value in changes.items() if value != getattr(ladder, name)}
        if fixed := changes.keys() & ladder_fixed(ladder):
            raise Conflict(
                f"The {' and the '.join(sorted(fixed))} of “{ladder}” stay as they are: open another ladder.",
                field=min(fixed),
            )
        for name, value in changes.items():
            setattr(ladder, name, value)
        ladder_check(ladder)
        ladder.save(update_fields=list(changes))
    return ladder


def ladder_fixed(ladder: Ladder) -> frozenset[str]:
    """The fields that nobody can change any more: its shape, and what its matches are played with once it has any."""
    return SHAPE | PLAYED_WITH if ladder.ladder_matches.exists() else SHAPE


def ladder_check(ladder: Ladder) -> None:
    """Raise ``Invalid`` or ``Conflict``, as ``ladder_create`` does, unless there can be such a ladder."""
    check_shape(ladder.preset, ladder.seats, ladder.sets, ladder.time_control)
    for field in ("name", "slug"):
        _check_length(field, getattr(ladder, field))
    if not re.fullmatch(SLUG, ladder.slug):
        raise Invalid(f"“{ladder.slug}” is no slug: use lower-case letters, digits and inner hyphens.", field="slug")
    same = Ladder.objects.filter(preset=ladder.preset, seats=ladder.seats, is_open=True).exclude(pk=ladder.pk)
    if ladder.is_open and same.exists():
        shape = f"{ladder.preset} with {ladder.seats} seats"
        raise Conflict(f"There is an open ladder for {shape} already. Close it first.")


def _check_length(field: str, text: str) -> None:
    longest = Ladder._meta.get_field(field).max_length  # noqa: SLF001 - Django's own way to ask
    if not 0 < len(text) <= longest:
        raise Invalid(f"The {field} has {len(text)} characters; give it 1 to {longest}.", field=field)


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
        ladder.played += 1
        ladder.save(update_fields=["last_finished_at", "played"])
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

    Does nothing for a closed ladder or one with fewer bots than seats that one live host can run.
    """
    made: list[Match] = []
    with transaction.atomic():
        ladder = Ladder.objects.select_for_update().get(pk=ladder.pk)
        if not ladder.is_open:
            return made
        hosts = language_sets()
        for _ in range(settings.LADDER_QUEUE - queue_length(ladder, hosts)):
            table = _next_table(ladder, hosts)
            if not table:
                break
            made.append(_match_queue(ladder, table))
    return made


def _next_table(ladder: Ladder, hosts: Hosts) -> list[Candidate]:
    able = pools([each for each in candidates(ladder, hosts) if may_play(each)], hosts, ladder.seats)
    if not able:
        return []
    leader = pick_leader({each for pool in able for each in pool})
    pool = SHUFFLE.choice([pool for pool in able if leader in pool])
    chosen = set(pick_match(pool, ladder.seats, leader, meetings_age(ladder, leader.bot, len(pool))))
    return [candidate for candidate in pool if candidate.version in chosen]


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
