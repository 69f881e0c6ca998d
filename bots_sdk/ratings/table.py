"""The official table: the maximum-likelihood fit of the model to all deals, in no order.

Newton's method on the log posterior with H = sum c^2 (diag p - p p') + prior; for teams H bounds
the true curvature, so that each step still climbs (an MM step; Hunter 2004). Confidence
intervals are from the sandwich H^-1 (sum s_d s_d') H^-1 with one cluster a duplicate set, because
the deals of a set share their cards.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from math import sqrt
from typing import Final

from bots_sdk.ratings import matrix
from bots_sdk.ratings.intervals import Z95
from bots_sdk.ratings.live import START
from bots_sdk.ratings.model import C, durak_shares, lose_probabilities

PRIOR_SD: Final = 200.0
_STEPS: Final = 500
_CLOSE: Final = 1e-9
_LONGEST_STEP: Final = 400.0


@dataclass(frozen=True, slots=True)
class RatedDeal:
    """One deal: who sat in it, which of its seats lost (none: a draw), and its duplicate set."""

    players: tuple[Hashable, ...]
    duraks: tuple[int, ...]
    cluster: Hashable
    teams: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Estimate:
    """A fitted rating and its standard error in rating points (0 for the anchor)."""

    rating: float
    error: float

    def interval(self, z: float = Z95) -> tuple[float, float]:
        """The rating's interval at `z` standard errors."""
        return self.rating - z * self.error, self.rating + z * self.error


class NoEstimate(ValueError):
    """The deals do not determine the ratings (without a prior: someone never or always lost)."""


def fit(
    deals: Iterable[RatedDeal],
    *,
    anchor: Hashable | None = None,
    centre: float = START,
    prior_sd: float | None = PRIOR_SD,
) -> dict[Hashable, Estimate]:
    """Fit all players' ratings at once.

    `anchor` names the player who is fixed at `centre`; the prior of all others is normal around
    it. Without an anchor the prior (or, without a prior, the mean rating) is at `centre`.

    Raises:
        NoEstimate: the likelihood has no single highest point.
        ValueError: a deal names a player twice, or a durak that is no seat.

    """
    model = _Model(deals, anchor, prior_sd)
    free = [0.0] * len(model.free)
    for _ in range(_STEPS):
        ratings = model.all_ratings(free)
        gradient, hessian = model.slope(ratings)
        try:
            step = matrix.solve(matrix.cholesky(hessian), gradient)
        except matrix.Singular as error:
            raise NoEstimate("the deals do not connect all players") from error
        longest = max((abs(x) for x in step), default=0.0)
        if longest > _LONGEST_STEP:
            step = [x * _LONGEST_STEP / longest for x in step]
        free = [rating + x for rating, x in zip(free, step, strict=True)]
        if max((abs(rating) for rating in free), default=0.0) > 10_000:
            raise NoEstimate("someone never lost, or always did; a prior is needed")
        if longest < _CLOSE:
            break
    else:
        raise NoEstimate(f"no convergence in {_STEPS} steps; a prior is needed")
    ratings = model.all_ratings(free)
    errors = model.errors(ratings)
    return {player: Estimate(centre + ratings[index], errors[index]) for player, index in model.index.items()}


class _Model:
    """The deals, with players as numbers; equal deals are counted together."""

    def __init__(self, deals: Iterable[RatedDeal], anchor: Hashable | None, prior_sd: float | None) -> None:
        self.index: dict[Hashable, int] = {}
        self._clusters: dict[Hashable, list[tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]]]
        self._clusters = defaultdict(list)
        self._counts: dict[tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]], int]
        self._counts = defaultdict(int)
        for deal in deals:
            if len(set(deal.players)) != len(deal.players):
                raise ValueError(f"a deal names a player twice: {deal.players}")
            players = tuple(self.index.setdefault(p, len(self.index)) for p in deal.players)
            key = (players, tuple(deal.duraks), deal.teams)
            self._counts[key] += 1
            self._clusters[deal.cluster].append(key)
        if anchor is not None:
            self.index.setdefault(anchor, len(self.index))
        fixed = None if anchor is None else self.index[anchor]
        self.free = [i for i in range(len(self.index)) if i != fixed]
        self._place = {player: place for place, player in enumerate(self.free)}
        self._prior = 0.0 if prior_sd is None else prior_sd**-2
        self._centred = prior_sd is None and anchor is None

    def all_ratings(self, free: list[float]) -> list[float]:
        ratings = [0.0] * len(self.index)
        for player, rating in zip(self.free, free, strict=True):
            ratings[player] = rating
        return ratings

    def slope(self, ratings: list[float]) -> tuple[list[float], matrix.Matrix]:
        """The gradient of the log posterior and H, over the free players."""
        size = len(self.free)
        gradient = [-self._prior * ratings[player] for player in self.free]
        # Without prior or anchor only differences count: tie the mean to the centre.
        tie = C * C if self._centred else 0.0
        mean = sum(ratings) / len(ratings) if ratings else 0.0
        gradient = [g - tie * size * mean for g in gradient]
        hessian = [[tie] * size for _ in range(size)]
        for place in range(size):
            hessian[place][place] += self._prior
        for (players, duraks, teams), count in self._counts.items():
            own = [ratings[player] for player in players]
            p = lose_probabilities(own)
            y = durak_shares(len(players), duraks, own, teams)
            places = [self._place.get(player) for player in players]
            for i, a in enumerate(places):
                if a is None:
                    continue
                gradient[a] += count * C * (p[i] - y[i])
                row = hessian[a]
                weight = count * C * C * p[i]
                row[a] += weight
                for j, b in enumerate(places):
                    if b is not None:
                        row[b] -= weight * p[j]
        return gradient, hessian

    def errors(self, ratings: list[float]) -> list[float]:
        """Standard errors from the sandwich, 0 for the anchor."""
        size = len(self.free)
        _, hessian = self.slope(ratings)
        meat = [[0.0] * size for _ in range(size)]
        for keys in self._clusters.values():
            score: dict[int, float] = defaultdict(float)
            for players, duraks, teams in keys:
                own = [ratings[player] for player in players]
                p = lose_probabilities(own)
                y = durak_shares(len(players), duraks, own, teams)
                for player, expected, share in zip(players, p, y, strict=True):
                    if player in self._place:
                        score[self._place[player]] += C * (expected - share)
            for a, x in score.items():
                row = meat[a]
                for b, z in score.items():
                    row[b] += x * z
        inverse = matrix.inverse(matrix.cholesky(hessian))
        errors = [0.0] * len(ratings)
        for place, player in enumerate(self.free):
            bread = inverse[place]
            touched = [sum(map(float.__mul__, row, bread)) for row in meat]
            errors[player] = sqrt(max(0.0, sum(map(float.__mul__, touched, bread))))
        return errors
