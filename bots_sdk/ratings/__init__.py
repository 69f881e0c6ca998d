"""Ratings as pure functions: one Elo scale for two to six players and for teams.

`docs/ratings.md` explains them. `rate_deal` moves a live ladder, `fit` makes the official table,
`wilson` bounds a raw rate, and `sprt` compares two bots on duplicate sets.
"""

from bots_sdk.ratings.intervals import Z95, wilson
from bots_sdk.ratings.live import Change, Standing, rate_deal
from bots_sdk.ratings.model import (
    C,
    durak_shares,
    elo_of_score,
    expected_score,
    information,
    lose_probabilities,
)
from bots_sdk.ratings.sprt import Sprt, set_score, sprt
from bots_sdk.ratings.table import Estimate, NoEstimate, RatedDeal, fit

__all__ = [
    "Z95",
    "C",
    "Change",
    "Estimate",
    "NoEstimate",
    "RatedDeal",
    "Sprt",
    "Standing",
    "durak_shares",
    "elo_of_score",
    "expected_score",
    "fit",
    "information",
    "lose_probabilities",
    "rate_deal",
    "set_score",
    "sprt",
    "wilson",
]
