"""Finished matches with what the pages have to show: faults, logs and timings, played by the game itself."""

from __future__ import annotations

import random
from collections.abc import Sequence

from arena.accounts.models import User
from arena.bots.models import BotVersion
from arena.ladders.models import Ladder, LadderMatch
from arena.matches.models import Match
from arena.matches.queue import attempt_finish
from arena.matches.results import PlayedDeal, PlayedFault, PlayedLog, PlayedMatch
from bots_sdk.durak import DealRecord, Fault, GameState, Move, RuleSet
from bots_sdk.referee import MatchPlan
from tests.arena.factories import bot_make, match_claim_it, match_make, user_make, version_make

PASSWORD = "correct horse battery"
EVERY_PRESET = tuple(RuleSet.presets())
FAULT_AFTER_MOVES = 8
SECRET_LINE = "the line that only its owner sees"
REASON = "9♠ cannot be thrown in: no 9 lies on the table"


def person(name: str, **fields) -> User:
    """Somebody who can sign in with ``PASSWORD``."""
    return user_make(name, password=PASSWORD, email=f"{name}@example.org", **fields)


def bots(*slugs: str, owner: User | None = None) -> list[BotVersion]:
    """Ready versions of bots of these names, each for every preset and number of seats."""
    return [version_make(bot_make(slug, owner), presets=EVERY_PRESET, seats=(2, 3, 4, 5, 6)) for slug in slugs]


def ladder_match(ladder: Ladder, versions: Sequence[BotVersion], **more) -> Match:
    """A finished and rated match."""
    match = match_make(list(versions), kind="ladder", preset=ladder.preset)
    LadderMatch.objects.create(match=match, ladder=ladder)
    return finish(match, **more)


def played_match(versions: Sequence[BotVersion], *, preset: str = "podkidnoy", sets: int = 1, **more) -> Match:
    """A finished challenge."""
    return finish(match_make(list(versions), preset=preset, sets=sets), **more)


def finish(
    match: Match,
    *,
    skills: Sequence[float] | None = None,
    chance: int = 1,
    fault_in: int | None = None,
    cowards: bool = False,
) -> Match:
    """Play a queued match. In deal ``fault_in`` whoever is to move after some moves makes a fault; ``cowards`` take
    whatever they are attacked with, so that a deal lasts for hundreds of bouts.
    """
    rng = random.Random(chance)
    skills = skills or [0.9] * match.seats
    plan = MatchPlan.build(
        RuleSet.from_dict(match.rules), match.seats, match.sets, bytes(match.seed), orders=match.orders
    )
    deals, faults, logs = [], [], []
    for number, sitting in enumerate(plan.sittings):
        logs += [
            PlayedLog(index, number, f"stderr of participant {index}", {"code": 0, "cpu_ms": 12.5, "reason": "exited"})
            for index in range(match.seats)
        ]
        for spec in sitting.deals:
            dealt = DealRecord(plan.rules, spec.seed, match.seats, spec.dealer)
            stop = FAULT_AFTER_MOVES if spec.index == fault_in else None
            record = play(dealt, [skills[index] for index in sitting.order], rng, stop_after=stop, cowards=cowards)
            if record.fault:
                guilty = sitting.order[record.fault.seat]
                seen = record.deal().to_position()
                faults.append(PlayedFault(guilty, spec.index, 8, "illegal_move", REASON, SECRET_LINE, seen))
            deals.append(
                PlayedDeal(
                    index=spec.index,
                    set_index=spec.set_index,
                    sitting=number,
                    seating=sitting.order,
                    record=record.to_text(),
                    duraks=tuple(sitting.order[seat] for seat in record.result.duraks),
                    ended=record.result.reason,
                    moves=len(record.moves),
                    timings=_timings(record),
                )
            )
    attempt = match_claim_it(match)
    ending = attempt_finish(attempt=attempt, played=PlayedMatch(deals, faults, logs, host={"backend": "none"}))
    assert ending.applied, ending.message
    match.refresh_from_db()
    return match


def play(
    dealt: DealRecord,
    skills: Sequence[float],
    rng: random.Random,
    *,
    stop_after: int | None = None,
    cowards: bool = False,
) -> DealRecord:
    """Play a dealt record: a seat of skill s makes the first move listed with probability s, else any."""
    state, moves = dealt.deal(), []
    while not state.is_over:
        if stop_after is not None and len(moves) >= stop_after:
            fault = Fault(state.seat_to_move, "illegal_move")
            state.fault(fault.seat)
            return DealRecord(dealt.rules, dealt.seed, dealt.seats, dealt.dealer, tuple(moves), state.result, fault)
        move = _coward(state, rng) if cowards else _choose(state, skills[state.seat_to_move], rng)
        moves.append(move)
        state.play(move)
    return DealRecord(dealt.rules, dealt.seed, dealt.seats, dealt.dealer, tuple(moves), state.result)


def _choose(state: GameState, skill: float, rng: random.Random) -> Move:
    legal = state.legal_moves()
    cards = [move for move in legal if move.kind not in {"take", "pass"}]
    return cards[0] if cards and rng.random() < skill else rng.choice(legal)


def _coward(state: GameState, rng: random.Random) -> Move:
    """Three cowards pass the same cards round: nothing is ever beaten."""
    legal = state.legal_moves()
    single = [move for move in legal if len(move.cards) == 1]
    return next((move for move in legal if move.kind in {"take", "pass"}), None) or rng.choice(single)


def _timings(record: DealRecord) -> list[list[float]]:
    """One entry for each decision that had a choice, as the referee makes them."""
    entries = []
    state = record.deal()
    for move in record.moves:
        if len(state.legal_moves()) > 1:
            entries.append([len(entries) + 1, state.seat_to_move, 1.5])
        state.play(move)
    return entries
