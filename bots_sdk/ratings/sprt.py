"""Is A stronger than B? A sequential test on duplicate sets, never on single deals.

The score of a set is 1/2 + (losses of B - losses of A) / (2 x deals), each loss a share as in
`durak_shares` (a draw is shared by all). With two seats the five possible scores make it
pentanomial. The generalised likelihood ratio of the expected score at `elo1` against `elo0` is
taken over all distributions on the scores that occurred, which needs no model of how the deals
of a set depend on one another.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf, log, sqrt

from bots_sdk.ratings.brownian import Corridor
from bots_sdk.ratings.model import elo_of_score, expected_score

_UNSEEN = 1e-3
"""The count given to a possible score that has not occurred."""

MOST_ELO = 2000
"""A difference beyond which expected scores can no longer be told from 0 and 1."""

LEAST_STEP = 0.01
LEAST_RATE = 1e-9

PENTANOMIAL = (0.0, 0.25, 0.5, 0.75, 1.0)


@dataclass(frozen=True, slots=True)
class Sprt:
    """The state of a test; `verdict` is "A", "B" (that A is not better) or None while undecided.

    `llr` is compared with `lower` and `upper`. `elo` is A's lead, as likely too high as too low, and
    `interval` its 95 per cent interval; both allow for the test's stopping at a bound.
    """

    llr: float
    lower: float
    upper: float
    elo: float
    interval: tuple[float, float]
    sets: int

    @property
    def verdict(self) -> str | None:
        """Who is found better, or None while it is open."""
        if self.llr >= self.upper:
            return "A"
        return "B" if self.llr <= self.lower else None


def set_score(shares_a: float, shares_b: float, deals: int) -> float:
    """A's score in one set, given the sums of the two bots' shares of its lost deals."""
    return 0.5 + (shares_b - shares_a) / (2 * deals)


def sprt(
    scores: Mapping[float, float],
    *,
    elo0: float = 0.0,
    elo1: float = 5.0,
    alpha: float = 0.05,
    beta: float = 0.05,
    shared: float = 1.0,
) -> Sprt:
    """Test elo0 against elo1 given how many sets had each score.

    `shared` is the part of all lost deals that fell to A or B (1 with two seats): the more of
    them fall to others, the less an Elo difference moves the score.

    Raises:
        ValueError: elo0 not below elo1 by `LEAST_STEP`, one of them of more than `MOST_ELO` in size or no number,
            an error rate below `LEAST_RATE` or not below 1/2, or `shared` outside (0, 1].

    """
    for name, elo in (("elo0", elo0), ("elo1", elo1)):
        if not abs(elo) <= MOST_ELO:
            raise ValueError(f"{name} is {elo}; it must lie between -{MOST_ELO} and {MOST_ELO}")
    if elo1 - elo0 < LEAST_STEP:
        raise ValueError(f"elo0 ({elo0}) must be below elo1 ({elo1}), by {LEAST_STEP} at least")
    for name, rate in (("alpha", alpha), ("beta", beta)):
        if not LEAST_RATE <= rate < 0.5:
            raise ValueError(f"{name} is {rate}; it must be at least {LEAST_RATE} and below 0.5")
    if not 0 < shared <= 1:
        raise ValueError(f"shared is {shared}; it must lie in (0, 1]")
    lower, upper = log(beta / (1 - alpha)), log((1 - beta) / alpha)
    sets = sum(scores.values())
    if not sets:
        return Sprt(0.0, lower, upper, 0.0, (-inf, inf), 0)
    possible = dict.fromkeys((*PENTANOMIAL, *scores), 0.0) | dict(scores)
    padded = {score: count or _UNSEEN for score, count in possible.items()}
    score0, score1 = (0.5 + shared * (expected_score(elo) - 0.5) for elo in (elo0, elo1))
    walk = _Walk(padded, sets, score0, score1, lower, upper)
    low, middle, high = (elo_of_score(0.5 + (walk.score_with(p) - 0.5) / shared) for p in (0.975, 0.5, 0.025))
    llr = likelihood_ratio(padded, score0, score1)
    return Sprt(llr, lower, upper, middle, (low, high), round(sets))


class _Walk:
    """The log likelihood ratio as a Brownian motion, to ask which scores fit where it is."""

    def __init__(
        self,
        counts: Mapping[float, float],
        sets: float,
        score0: float,
        score1: float,
        lower: float,
        upper: float,
    ) -> None:
        total = sum(counts.values())
        mean = sum(score * count for score, count in counts.items()) / total
        self._variance = sum(n * (score - mean) ** 2 for score, n in counts.items()) / total
        self._middle, self._step = (score0 + score1) / 2, score1 - score0
        self._lower, self._upper = lower, upper
        slope = self._drift(mean)
        self._end = min(upper, max(lower, slope * sets))
        # A walk past a bound had stopped when it reached it.
        self._time = self._end / slope if slope else sets

    def _drift(self, score: float) -> float:
        return (score - self._middle) * self._step / self._variance

    def score_with(self, worse: float) -> float:
        """The expected score under which a worse outcome had this probability."""
        low, high = 0.0, 1.0
        sigma = self._step / sqrt(self._variance)
        for _ in range(60):
            score = (low + high) / 2
            corridor = Corridor(self._lower, self._upper, self._drift(score), sigma)
            if corridor.worse(self._time, self._end) > worse:
                low = score
            else:
                high = score
        return (low + high) / 2


def likelihood_ratio(counts: Mapping[float, float], mean0: float, mean1: float) -> float:
    """The log of the ratio between the best fits with expected score `mean1` and `mean0`."""
    return sum(
        count * (log(1 + x0 * (score - mean0)) - log(1 + x1 * (score - mean1)))
        for x0, x1 in [(tilt(counts, mean0), tilt(counts, mean1))]
        for score, count in counts.items()
    )


def tilt(counts: Mapping[float, float], mean: float) -> float:
    """X with sum n (a - mean) / (1 + x (a - mean)) = 0.

    The distribution closest to the counts among those with this mean has the weights
    n / (1 + x (a - mean)).

    Raises:
        ValueError: `mean` does not lie between the lowest and the highest score.

    """
    lowest, highest = min(counts) - mean, max(counts) - mean
    if not lowest < 0 < highest:
        raise ValueError(f"an expected score of {mean} cannot come from the scores {sorted(counts)}")
    low, high = -1 / highest, -1 / lowest
    for _ in range(200):
        x = (low + high) / 2
        if sum(n * (a - mean) / (1 + x * (a - mean)) for a, n in counts.items()) > 0:
            low = x
        else:
            high = x
        if high - low < 1e-14 * max(abs(low), abs(high)):
            break
    return (low + high) / 2
