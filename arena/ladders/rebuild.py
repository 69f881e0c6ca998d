"""Recomputing a ladder from its finished matches, and proving the ledger and the ratings identical to that."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import Prefetch

from arena.ladders.book import Book, Change
from arena.ladders.facts import TOTALS, match_result, totals
from arena.ladders.ledger import event_rows, ratings_write
from arena.ladders.models import Ladder, Rating, RatingEvent
from arena.ladders.selectors import ratings_of
from arena.matches.models import Deal, Match, Participant

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

CHUNK = 200
SHOWN = 50
"""So many differences are described; all are counted."""
NUMBERS = ("p", "y", "k", "before", "after")


@dataclass(slots=True)
class RebuildReport:
    """What a rebuild found. `differences` describes the first of them; `count` counts all."""

    matches: int = 0
    events: int = 0
    count: int = 0
    differences: list[str] = field(default_factory=list)
    written: bool = False

    @property
    def identical(self) -> bool:
        return self.count == 0

    def differs(self, what: str) -> None:
        """Note one difference."""
        self.count += 1
        if len(self.differences) < SHOWN:
            self.differences.append(what)


def ladder_rebuild(
    ladder: Ladder,
    *,
    check: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> RebuildReport:
    """Recompute every event and rating from the finished matches, in the order (finished_at, id).

    Whatever differs from what is stored, by so little as the last bit, is reported and, unless `check`, put right.
    The ladder is locked meanwhile: results that come in wait. `progress(done, total)` is told of matches.
    """
    report = RebuildReport()
    with transaction.atomic():
        ladder = Ladder.objects.select_for_update().get(pk=ladder.pk)
        finished = Match.objects.filter(ladder_match__ladder=ladder, state=Match.State.FINISHED)
        total = finished.count()
        _orphans(ladder, finished, report, check=check)
        book = Book()
        last = None
        for match in _in_order(finished):
            changes = book.apply(match_result(match, match.participants.all(), match.deals.all()))
            _compare_events(ladder, match, changes, report, check=check)
            _compare_link(match, report, check=check)
            report.matches += 1
            report.events += len(changes)
            last = match.finished_at
            if progress is not None:
                progress(report.matches, total)
        _compare_ratings(ladder, book, report, check=check)
        _compare_ladder(ladder, {"last_finished_at": last, "played": total}, report, check=check)
        report.written = not check and not report.identical
    return report


def _in_order(finished: object) -> Iterator[Match]:
    participants = Participant.objects.select_related("version__bot").defer("version__build_log", "version__manifest")
    return (
        finished.order_by("finished_at", "id")
        .defer("seed")
        .select_related("ladder_match")
        .prefetch_related(
            Prefetch("participants", participants),
            Prefetch("deals", Deal.objects.defer("record", "timings")),
            "rating_events",
        )
        .iterator(chunk_size=CHUNK)
    )


def _orphans(ladder: Ladder, finished: object, report: RebuildReport, *, check: bool) -> None:
    orphans = ladder.events.exclude(match__in=finished)
    for match, deal in orphans.values_list("match", "deal_index")[:SHOWN]:
        report.differs(f"match {match} deal {deal}: rated, but the match is not a finished one of this ladder")
    if not check:
        orphans.delete()


def _compare_link(match: Match, report: RebuildReport, *, check: bool) -> None:
    link = match.ladder_match
    if link.applied_at != match.finished_at:
        report.differs(f"match {match.pk}: applied at {link.applied_at}, should be {match.finished_at}")
        if not check:
            link.applied_at = match.finished_at
            link.save(update_fields=["applied_at"])


def _compare_events(ladder: Ladder, match: Match, changes: list[Change], report: RebuildReport, *, check: bool) -> None:
    stored: dict[tuple[int, int], RatingEvent] = {
        (event.deal_index, event.version_id): event for event in match.rating_events.all()
    }
    before = report.count
    for change in changes:
        where = f"match {match.pk} deal {change.deal} version {change.version}"
        event = stored.pop((change.deal, change.version), None)
        if event is None:
            report.differs(f"{where}: not rated")
            continue
        if event.ladder_id != ladder.pk:
            report.differs(f"{where}: rated on another ladder")
        for name in NUMBERS:
            have, want = getattr(event, name), getattr(change, name)
            if have != want:
                report.differs(f"{where}: {name} is {have!r}, should be {want!r}")
    for deal, version in stored:
        report.differs(f"match {match.pk} deal {deal} version {version}: rated, but it did not play")
    if report.count > before and not check:
        match.rating_events.all().delete()
        RatingEvent.objects.bulk_create(event_rows(ladder, changes))


def _compare_ratings(ladder: Ladder, book: Book, report: RebuildReport, *, check: bool) -> None:
    rows = {row.version_id: row for row in ratings_of(ladder)}
    before = report.count
    current = _current_versions(book)
    for version, track in book.tracks.items():
        row = rows.get(version)
        if row is None:
            report.differs(f"version {version}: no rating, should be {track.value!r}")
            continue
        want = totals(track) | {"is_current": version in current}
        for name in (*TOTALS, "is_current"):
            have = getattr(row, name)
            if have != want[name]:
                report.differs(f"{row.version}: {name} is {have!r}, should be {want[name]!r}")
    extra = [row for version, row in rows.items() if version not in book.tracks]
    for row in extra:
        report.differs(f"{row.version}: has a rating, but no finished match")
    if report.count > before and not check:
        Rating.objects.filter(pk__in=[row.pk for row in extra]).delete()
        ratings_write(ladder, book, {v: row for v, row in rows.items() if v in book.tracks}, book.tracks)


def _compare_ladder(ladder: Ladder, want: dict[str, object], report: RebuildReport, *, check: bool) -> None:
    for name, value in want.items():
        have = getattr(ladder, name)
        if have != value:
            report.differs(f"the ladder's {name} is {have}, should be {value}")
            if not check:
                setattr(ladder, name, value)
                ladder.save(update_fields=[name])


def _current_versions(book: Book) -> set[int]:
    newest: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for track in book.tracks.values():
        newest[track.entrant.bot].append((track.entrant.number, track.entrant.version))
    return {max(versions)[1] for versions in newest.values()}
