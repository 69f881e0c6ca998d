"""Between the rows of the database and the plain values of `arena.ladders.book`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.bots.models import BotVersion
from arena.ladders.book import DealResult, Entrant, MatchResult, Track
from arena.ladders.models import Rating
from arena.matches.models import Deal, Match, Participant
from bots_sdk.durak import RuleSet
from bots_sdk.ratings import Standing

if TYPE_CHECKING:
    from collections.abc import Iterable

COUNTS = ("matches", "deals", "duraks", "draws", "faulty_streak")
TOTALS = ("value", "information", *COUNTS)
"""What a rating row and a track have in common."""


def teams_of(rules: RuleSet, seats: int) -> tuple[int, ...]:
    """Team by seat, empty where everyone plays alone (R8)."""
    return () if rules.teams == "none" else tuple(rules.team_of(seat) for seat in range(seats))


def match_result(match: Match, participants: Iterable[Participant], deals: Iterable[Deal]) -> MatchResult:
    """A finished match as the ratings see it. Versions and their bots must be loaded with the participants."""
    seated = sorted(participants, key=lambda participant: participant.index)
    versions = [participant.version_id for participant in seated]
    teams = teams_of(RuleSet.from_dict(match.rules), match.seats)
    return MatchResult(
        match=match.pk,
        entrants=tuple(entrant_of(participant.version) for participant in seated),
        deals=tuple(
            DealResult(
                index=deal.index,
                seating=tuple(versions[index] for index in deal.seating),
                duraks=frozenset(versions[index] for index in deal.duraks),
                teams=teams,
            )
            for deal in sorted(deals, key=lambda deal: deal.index)
        ),
        put_out=frozenset(participant.version_id for participant in seated if participant.excluded),
    )


def entrant_of(version: BotVersion) -> Entrant:
    """A version as the ratings see it. Its bot must be loaded."""
    return Entrant(version.pk, version.bot_id, version.number, version.bot.is_anchor)


def track_of(rating: Rating) -> Track:
    """The running totals in a row. Its version and bot must be loaded."""
    entrant = entrant_of(rating.version)
    standing = Standing(rating.value, rating.information, pinned=entrant.is_anchor)
    return Track(entrant, standing, **{name: getattr(rating, name) for name in COUNTS})


def totals(holder: Track | Rating) -> dict[str, float]:
    """The running totals of either, by name."""
    return {name: getattr(holder, name) for name in TOTALS}
