"""Proof of a finished match from what was published: seed, rules and records; nothing else is trusted."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass

from arena.errors import Conflict
from arena.matches.models import Deal, Match
from bots_sdk.durak import DealRecord, DurakError, RuleSet
from bots_sdk.referee import MatchPlan


@dataclass(frozen=True, slots=True)
class Verification:
    """What a verification found: nothing, or each disagreement in words."""

    match_id: int
    deals: int
    problems: tuple[str, ...]

    @property
    def ok(self) -> bool:
        """Whether the match is what its seed and rules make it."""
        return not self.problems


def match_verify(match: Match) -> Verification:
    """Deal every deck again from the match's seed and referee every record again, byte for byte.

    Raises ``Conflict`` for a match that is not finished.
    """
    if match.state != Match.State.FINISHED:
        raise Conflict(f"Match {match.pk} is {match.state}; only a finished match can be verified.")
    deals = {deal.index: deal for deal in match.deals.all()}
    return Verification(match.pk, len(deals), tuple(_problems(match, deals)))


def _problems(match: Match, deals: dict[int, Deal]) -> Iterator[str]:
    seed = bytes(match.seed)
    if hashlib.sha256(seed).hexdigest() != match.commitment:
        yield "the seed is not the one that was committed to"
    rules = RuleSet.from_dict(match.rules)
    plan = MatchPlan.build(rules, match.seats, match.sets, seed, orders=match.orders)
    planned = {spec.index: (number, spec) for number, sitting in enumerate(plan.sittings) for spec in sitting.deals}
    if sorted(deals) != sorted(planned):
        yield f"deals {sorted(planned)} were planned, {sorted(deals)} are there"
    for index in sorted(deals.keys() & planned.keys()):
        number, spec = planned[index]
        deal = deals[index]
        seating = plan.sittings[number].order
        if (deal.sitting, deal.set_index, tuple(deal.seating)) != (number, spec.set_index, seating):
            yield f"deal {index}: it was seated as {deal.seating}, the plan says {list(seating)}"
        yield from _record_problems(deal, rules, spec.seed, spec.dealer)
    for participant in match.participants.all():
        duraks = sum(participant.index in deal.duraks for deal in deals.values())
        if participant.duraks != duraks:
            yield f"participant {participant.index}: {participant.duraks} times durak, the deals say {duraks}"


def _record_problems(deal: Deal, rules: RuleSet, seed: bytes, dealer: int) -> Iterator[str]:
    try:
        record = DealRecord.parse(deal.record)
        end = record.replay()
    except DurakError as error:
        yield f"deal {deal.index}: {error}"
        return
    if record != DealRecord(rules, seed, len(deal.seating), dealer, record.moves, end.result, record.fault):
        yield f"deal {deal.index}: its record is of other rules, another seed or another dealer"
    if record.to_text() != deal.record:
        yield f"deal {deal.index}: its record is not written as it reads"
    result = end.result
    if result is None:
        yield f"deal {deal.index}: its record stops before the end"
    elif (result.reason, sorted(deal.seating[seat] for seat in result.duraks)) != (deal.ended, sorted(deal.duraks)):
        yield f"deal {deal.index}: it ends as {result}, stored are {deal.ended} and duraks {deal.duraks}"
