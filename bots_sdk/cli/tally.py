"""What came of a series of deals: durak rates with intervals, an Elo estimate, times and faults."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from bots_sdk.durak import RuleSet
from bots_sdk.ratings import RatedDeal, Sprt, durak_shares, fit, set_score, sprt, wilson
from bots_sdk.referee import DealOutcome, Fault, SittingOutcome

WIDE_PRIOR = 400.0
"""Keeps the estimate finite when someone never lost; hardly felt after a few deals."""


@dataclass
class Tally:
    """Counts the outcomes of one pairing, by participant (not by seat)."""

    labels: Sequence[str]
    rules: RuleSet
    deals: int = 0
    draws: int = 0
    duraks: Counter[int] = field(default_factory=Counter)
    times: dict[int, list[float]] = field(default_factory=lambda: defaultdict(list))
    faults: list[tuple[int, Fault]] = field(default_factory=list)
    played: list[DealOutcome] = field(default_factory=list)
    _rated: list[RatedDeal] = field(default_factory=list)
    _shares: dict[object, list[float]] = field(default_factory=dict)
    _set_deals: Counter[object] = field(default_factory=Counter)

    def add(self, order: Sequence[int], outcome: SittingOutcome, batch: int) -> None:
        """Take in one sitting, in which participant `order[seat]` had the seat."""
        self.faults += [(order[fault.seat], fault) for fault in outcome.faults]
        for deal in outcome.deals:
            self._add_deal(order, deal, batch)

    def _add_deal(self, order: Sequence[int], deal: DealOutcome, batch: int) -> None:
        seats = range(len(order))
        teams = tuple(self.rules.team_of(seat) for seat in seats) if self.rules.teams != "none" else ()
        duraks = tuple(sorted(deal.result.duraks))
        self.deals += 1
        self.draws += not duraks
        self.played.append(deal)
        for seat in duraks:
            self.duraks[order[seat]] += 1
        for decision in deal.decisions:
            self.times[order[decision.seat]].append(decision.ms)
        cluster = (batch, deal.spec.set_index)
        self._rated.append(RatedDeal(tuple(order), duraks, cluster, teams))
        shares = durak_shares(len(order), duraks, [0.0] * len(order), teams)
        totals = self._shares.setdefault(cluster, [0.0] * len(order))
        for seat in seats:
            totals[order[seat]] += shares[seat]
        self._set_deals[cluster] += 1

    def test(self, elo0: float, elo1: float, alpha: float, beta: float) -> Sprt:
        """The sequential test of the first participant against the second, on complete sets."""
        scores: Counter[float] = Counter()
        lost = total = 0.0
        for cluster, shares in self._shares.items():
            count = self._set_deals[cluster]
            if count == len(self.labels):
                scores[set_score(shares[0], shares[1], count)] += 1
                lost += shares[0] + shares[1]
                total += count
        shared = lost / total if lost else 1.0
        return sprt(scores, elo0=elo0, elo1=elo1, alpha=alpha, beta=beta, shared=min(1.0, shared))

    def rows(self) -> list[dict[str, Any]]:
        """One row a participant, none before the first deal; Elo is against the last, with its 95 per cent interval."""
        if not self.deals:
            return []
        last = len(self.labels) - 1
        table = fit(self._rated, anchor=last, centre=0.0, prior_sd=WIDE_PRIOR)
        rows = []
        for number, label in enumerate(self.labels):
            lost, estimate = self.duraks[number], table[number]
            rows.append(
                {
                    "bot": label,
                    "deals": self.deals,
                    "durak": lost,
                    "rate": lost / self.deals,
                    "interval": list(wilson(lost, self.deals)),
                    "elo": estimate.rating,
                    "elo_interval": list(estimate.interval()),
                    "faults": sum(who == number for who, _ in self.faults),
                    "ms": percentiles(self.times[number]),
                }
            )
        return rows


def percentiles(times: Sequence[float]) -> dict[str, float]:
    """The median, the 99th percentile and the longest of decision times, in milliseconds; zeros for none."""
    ordered = sorted(times) or [0.0]
    at = {"median": 0.5, "p99": 0.99, "longest": 1.0}
    return {name: round(ordered[min(len(ordered) - 1, int(part * len(ordered)))], 3) for name, part in at.items()}
