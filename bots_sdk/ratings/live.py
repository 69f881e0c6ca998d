"""The live ladder: one rating and its information, moved deal by deal.

dR_i = K_i (p_i - y_i). It is zero-sum when all K are equal, and never compares two safe players
with one another. Information L_i = 1/150^2 + c^2 sum p (1 - p) gives K_i = max(4, c / L_i) and
the rating deviation RD_i = L_i^(-1/2).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Final

from bots_sdk.ratings.model import C, durak_shares, information, lose_probabilities

START: Final = 1500.0
START_RD: Final = 150.0
NEW_VERSION_RD: Final = 53.0
PROVISIONAL_RD: Final = 75.0
RANKED_RD: Final = 50.0
LEAST_K: Final = 4.0


@dataclass(frozen=True, slots=True)
class Standing:
    """A bot's place on a live ladder; a `pinned` one (the house bot) never moves."""

    rating: float = START
    information: float = START_RD**-2
    pinned: bool = False

    @property
    def rd(self) -> float:
        """The rating deviation, in rating points; 0 for a pinned one, whose rating is no estimate."""
        return 0.0 if self.pinned else float(self.information**-0.5)

    @property
    def k(self) -> float:
        """How far one lost deal against certainty would move the rating."""
        return 0.0 if self.pinned else max(LEAST_K, C / self.information)

    @property
    def provisional(self) -> bool:
        """Shown with a question mark."""
        return self.rd > PROVISIONAL_RD

    @property
    def ranked(self) -> bool:
        """Certain enough for a place in the table."""
        return self.rd <= RANKED_RD

    def for_new_version(self) -> Standing:
        """A new version of the bot: the rating is kept, the certainty is not.

        A standing that is less certain already stays so.
        """
        return replace(self, information=min(self.information, NEW_VERSION_RD**-2))


@dataclass(frozen=True, slots=True)
class Change:
    """What one deal did to one seat: `p` was its probability to lose and `y` its share of the loss."""

    before: Standing
    after: Standing
    p: float
    y: float

    @property
    def delta(self) -> float:
        """How far the rating moved."""
        return self.after.rating - self.before.rating


def rate_deal(standings: Sequence[Standing], duraks: Collection[int], teams: Sequence[int] = ()) -> list[Change]:
    """Apply one deal to its seats, in seat order; no `duraks` is a draw.

    Raises:
        ValueError: see `durak_shares`.

    """
    ratings = [standing.rating for standing in standings]
    probabilities = lose_probabilities(ratings)
    shares = durak_shares(len(standings), duraks, ratings, teams)
    gains = information(ratings, teams)
    return [
        Change(
            before,
            replace(
                before,
                rating=before.rating + before.k * (p - y),
                information=before.information + gain,
            ),
            p,
            y,
        )
        for before, p, y, gain in zip(standings, probabilities, shares, gains, strict=True)
    ]
