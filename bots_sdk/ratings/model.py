"""The model: who loses a deal, as a choice of the durak in proportion to weakness.

With w_i = 10^(-R_i/400), seat i is durak with probability w_i / sum(w): Luce's choice axiom
applied to losing. With two players this is exactly Elo's formula; ten times weaker is 400 points.
Sources: Elo 1978; Luce 1959.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from math import log
from typing import Final

C: Final = log(10) / 400
"""One rating point in units of log odds."""


def weaknesses(ratings: Sequence[float]) -> list[float]:
    """w_i = 10^(-R_i/400), scaled so that the weakest has 1."""
    lowest = min(ratings)
    return [10 ** ((lowest - rating) / 400) for rating in ratings]


def lose_probabilities(ratings: Sequence[float]) -> list[float]:
    """For each seat, the probability of being the durak; they add up to 1."""
    weights = weaknesses(ratings)
    total = sum(weights)
    return [weight / total for weight in weights]


def durak_shares(
    seats: int, duraks: Collection[int], ratings: Sequence[float] = (), teams: Sequence[int] = ()
) -> list[float]:
    """y: each seat's share of the lost deal; they add up to 1.

    Without teams the durak carries it all, or everyone 1/n in a draw. With `teams` (a team
    number for each seat) the losing team's share is split by r_i = w_i / (sum of its w), and in
    a draw every team carries the same.

    Raises:
        ValueError: a durak that is no seat, or two duraks of different teams.

    """
    for seat in duraks:
        if not 0 <= seat < seats:
            raise ValueError(f"durak {seat} is none of the {seats} seats")
    if not teams:
        losers = list(duraks) or list(range(seats))
        return [1 / len(losers) if seat in losers else 0.0 for seat in range(seats)]
    lost = {teams[seat] for seat in duraks} or set(teams)
    if duraks and len(lost) > 1:
        raise ValueError(f"the duraks {sorted(duraks)} are of different teams")
    weights = weaknesses(ratings)
    totals = dict.fromkeys(lost, 0.0)
    for team, weight in zip(teams, weights, strict=True):
        if team in lost:
            totals[team] += weight
    return [
        weight / totals[team] / len(lost) if team in lost else 0.0 for team, weight in zip(teams, weights, strict=True)
    ]


def information(ratings: Sequence[float], teams: Sequence[int] = ()) -> list[float]:
    """How much one deal tells of each rating: the expected curvature, in 1 / rating points^2.

    c^2 p (1 - p) for a single player; for a member of a team, which loses with probability P,
    c^2 r^2 P (1 - P) with r as in `durak_shares`.
    """
    chances = lose_probabilities(ratings)
    if not teams:
        return [C * C * p * (1 - p) for p in chances]
    lost = dict.fromkeys(teams, 0.0)
    for team, p in zip(teams, chances, strict=True):
        lost[team] += p
    return [C * C * p * p * (1 / lost[team] - 1) for team, p in zip(teams, chances, strict=True)]


def expected_score(elo: float) -> float:
    """The share of two players' lost deals that falls to the other one, `elo` points weaker."""
    return 1 / (1 + 10 ** (-elo / 400))


def elo_of_score(score: float) -> float:
    """The inverse of `expected_score`; infinite at 0 and 1."""
    if score <= 0:
        return float("-inf")
    if score >= 1:
        return float("inf")
    return -log(1 / score - 1) / C
