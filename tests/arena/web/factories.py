"""Real rows for the pages: matches are dealt and played by the game itself, without a sandbox."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence

from django.utils import timezone

from arena.accounts.models import User
from arena.bots.models import Bot, BotVersion
from arena.ladders.models import Ladder, LadderMatch
from arena.matches.models import Match
from arena.matches.queue import attempt_finish, match_claim
from arena.matches.results import PlayedDeal, PlayedFault, PlayedLog, PlayedMatch
from arena.matches.services import match_create
from bots_sdk.durak import DealRecord, Fault, GameState, Move, RuleSet
from bots_sdk.referee import MatchPlan

PASSWORD = "correct horse battery"
EVERY_PRESET = list(RuleSet.presets())


def make_user(name: str, **more) -> User:
    return User.objects.create_user(name, f"{name}@example.org", PASSWORD, **more)


def make_version(owner: User, slug: str, *, state: str = "ready", number: int = 1, **more) -> BotVersion:
    bot, _ = Bot.objects.get_or_create(slug=slug, defaults={"owner": owner, "description": f"{slug} plays its own way"})
    return BotVersion.objects.create(
        bot=bot,
        number=number,
        sha256=hashlib.sha256(f"{slug} {number}".encode()).hexdigest(),
        language="python",
        manifest={"name": slug},
        presets=EVERY_PRESET,
        seats=[2, 3, 4, 5, 6],
        size=1234,
        state=state,
        uploaded_by=owner,
        ready_at=timezone.now() if state == "ready" else None,
        **more,
    )


def play(record: DealRecord, skills: Sequence[float], rng: random.Random, stop_after: int | None = None) -> DealRecord:
    """Play a dealt record: a seat of skill s makes the first listed move with probability s, else any."""
    state = record.deal()
    moves: list[Move] = []
    while not state.is_over:
        if stop_after is not None and len(moves) >= stop_after:
            fault = Fault(state.seat_to_move, "illegal_move")
            return DealRecord(record.rules, record.seed, record.seats, record.dealer, tuple(moves), fault=fault).replayed()
        move = _choose(state, skills[state.seat_to_move], rng)
        moves.append(move)
        state.play(move)
    return DealRecord(record.rules, record.seed, record.seats, record.dealer, tuple(moves), state.result)


def _choose(state: GameState, skill: float, rng: random.Random) -> Move:
    legal = state.legal_moves()
    cards = [move for move in legal if move.kind not in {"take", "pass"}]
    return cards[0] if cards and rng.random() < skill else rng.choice(legal)


def finish(match: Match, skills: Sequence[float], *, seed: int = 1, fault_in: int | None = None) -> Match:
    """Play a queued match to its end; in deal ``fault_in`` whoever is to move after eight moves makes a fault."""
    rng = random.Random(seed)
    attempt = match_claim(worker="test/1")
    assert attempt.match_id == match.pk, "another match was waiting before this one"
    plan = MatchPlan.build(RuleSet.from_dict(match.rules), match.seats, match.sets, bytes(match.seed), orders=match.orders)
    deals, faults, logs = [], [], []
    for sitting, planned in enumerate(plan.sittings):
        for index in range(match.seats):
            logs.append(PlayedLog(index, sitting, f"stderr of participant {index}\n", {"code": 0, "cpu_ms": 12.5}))
        for spec in planned.deals:
            dealt = DealRecord(plan.rules, spec.seed, match.seats, spec.dealer)
            record = play(dealt, [skills[i] for i in planned.order], rng, 8 if spec.index == fault_in else None)
            if record.fault:
                guilty = planned.order[record.fault.seat]
                reason = "9♠ cannot be thrown in: no 9 lies on the table"
                faults.append(PlayedFault(guilty, spec.index, 8, "illegal_move", reason, "secret line", {"hand": ["9S"]}))
            duraks = tuple(planned.order[seat] for seat in record.result.duraks)
            timings = [[turn, 0, round(rng.random() * 9, 2)] for turn in range(len(record.moves))]
            deals.append(
                PlayedDeal(
                    spec.index, spec.set_index, sitting, planned.order, record.to_text(), duraks,
                    record.result.reason, len(record.moves), timings,
                ),
            )  # fmt: skip
    ending = attempt_finish(attempt=attempt, played=PlayedMatch(deals, faults, logs, host={"backend": "none"}))
    assert ending.applied, ending.message
    return Match.objects.get(pk=match.pk)


def played_match(
    versions: Sequence[BotVersion],
    *,
    preset: str = "podkidnoy",
    sets: int = 1,
    kind: str = "challenge",
    ladder: Ladder | None = None,
    skills: Sequence[float] = (),
    by: User | None = None,
    **more,
) -> Match:
    """A finished match between these versions; on a ladder it is rated."""
    match = match_create(kind="ladder" if ladder else kind, versions=versions, preset=preset, sets=sets, created_by=by)
    if ladder:
        LadderMatch.objects.create(match=match, ladder=ladder)
    return finish(match, skills or [0.9] * len(versions), **more)
