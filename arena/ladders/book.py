"""The live rating as a pure function: versions, finished matches in order, and what each deal changed.

The ladder that grows match by match and the one rebuilt from nothing are both made by `Book.apply`;
that is why they agree to the last bit.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from bots_sdk.ratings import Standing, rate_deal


@dataclass(frozen=True, slots=True)
class Entrant:
    """A version as the ratings need to know it."""

    version: int
    bot: int
    number: int
    is_anchor: bool = False


@dataclass(frozen=True, slots=True)
class DealResult:
    """One deal: who sat where, who lost (none for a draw), and which seats were a team."""

    index: int
    seating: tuple[int, ...]
    """Version by seat."""
    duraks: frozenset[int]
    """Versions; all of the losing team, or the one that was at fault."""
    teams: tuple[int, ...] = ()
    """Team by seat; empty when everyone plays alone."""


@dataclass(frozen=True, slots=True)
class MatchResult:
    """A finished match as the ratings need to know it."""

    match: int
    entrants: tuple[Entrant, ...]
    deals: tuple[DealResult, ...]
    put_out: frozenset[int] = frozenset()
    """Versions that reached the fault limit."""


@dataclass(frozen=True, slots=True)
class Change:
    """What one deal did to one version: a row of the ledger."""

    match: int
    deal: int
    version: int
    p: float
    y: float
    k: float
    before: float
    after: float


@dataclass(slots=True)
class Track:
    """A version's running totals on a ladder."""

    entrant: Entrant
    standing: Standing
    matches: int = 0
    deals: int = 0
    duraks: int = 0
    draws: int = 0
    faulty_streak: int = 0

    @property
    def value(self) -> float:
        """The rating, in Elo points."""
        return self.standing.rating

    @property
    def information(self) -> float:
        """1 / RD^2, in 1 / Elo^2."""
        return self.standing.information


@dataclass(slots=True)
class Book:
    """All tracks of one ladder, or those that the next match concerns."""

    tracks: dict[int, Track] = field(default_factory=dict)

    def current(self, bot: int) -> Track | None:
        """The track of the bot's newest version that has played."""
        own = [track for track in self.tracks.values() if track.entrant.bot == bot]
        return max(own, key=lambda track: track.entrant.number, default=None)

    def fresh(self, entrant: Entrant) -> Track:
        """Where a version starts: at its predecessor's rating with RD 53, else at 1500 with RD 150."""
        older = [
            track
            for track in self.tracks.values()
            if track.entrant.bot == entrant.bot and track.entrant.number < entrant.number
        ]
        if entrant.is_anchor or not older:
            return Track(entrant, Standing(pinned=entrant.is_anchor))
        return Track(entrant, max(older, key=lambda track: track.entrant.number).standing.for_new_version())

    def apply(self, result: MatchResult) -> list[Change]:
        """Rate every deal of a match, in order, each from the ratings that the one before it left."""
        for entrant in result.entrants:
            if entrant.version not in self.tracks:
                self.tracks[entrant.version] = self.fresh(entrant)
        changes = [change for deal in result.deals for change in self._rate(result.match, deal)]
        for entrant in result.entrants:
            track = self.tracks[entrant.version]
            track.matches += 1
            track.faulty_streak = track.faulty_streak + 1 if entrant.version in result.put_out else 0
        return changes

    def _rate(self, match: int, deal: DealResult) -> list[Change]:
        seats = [self.tracks[version] for version in deal.seating]
        lost = [seat for seat, version in enumerate(deal.seating) if version in deal.duraks]
        changes = []
        for track, change in zip(seats, rate_deal([t.standing for t in seats], lost, deal.teams), strict=True):
            changes.append(
                Change(
                    match=match,
                    deal=deal.index,
                    version=track.entrant.version,
                    p=change.p,
                    y=change.y,
                    k=change.before.k,
                    before=change.before.rating,
                    after=change.after.rating,
                ),
            )
            track.standing = change.after
            track.deals += 1
            track.duraks += track.entrant.version in deal.duraks
            track.draws += not deal.duraks
        return changes
