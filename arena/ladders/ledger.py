"""Writing what a book says into the rows of a ladder."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils import timezone

from arena.ladders.facts import TOTALS, totals
from arena.ladders.models import Ladder, Rating, RatingEvent

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from arena.ladders.book import Book, Change


def event_rows(ladder: Ladder, changes: Iterable[Change]) -> list[RatingEvent]:
    """The rows of the ledger for these changes, unsaved."""
    return [
        RatingEvent(
            ladder=ladder,
            match_id=change.match,
            deal_index=change.deal,
            version_id=change.version,
            p=change.p,
            y=change.y,
            k=change.k,
            before=change.before,
            after=change.after,
        )
        for change in changes
    ]


def ratings_write(ladder: Ladder, book: Book, rows: Mapping[int, Rating], versions: Iterable[int]) -> None:
    """Save the tracks of these versions, over their rows where they have one."""
    tracks = [book.tracks[version] for version in sorted(versions)]
    standing = {track.entrant.bot: book.current(track.entrant.bot) for track in tracks}
    current = {track.entrant.version for track in standing.values() if track is not None}
    ladder.ratings.filter(bot__in=standing, is_current=True).exclude(version__in=current).update(is_current=False)
    changed, new = [], []
    for track in tracks:
        row = rows.get(track.entrant.version) or Rating(
            ladder=ladder,
            version_id=track.entrant.version,
            bot_id=track.entrant.bot,
        )
        for name, value in totals(track).items():
            setattr(row, name, value)
        row.is_current = track.entrant.version in current
        row.updated_at = timezone.now()
        (changed if row.pk else new).append(row)
    Rating.objects.bulk_update(changed, [*TOTALS, "is_current", "updated_at"])
    Rating.objects.bulk_create(new)
