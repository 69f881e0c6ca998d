"""The worker's way through one match: claim it, open a sandbox per seat, let the referee play, bring the result."""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db import OperationalError, close_old_connections

from arena.bots.hosts import (
    CANNOT_START,
    host_failed,
    host_name,
    languages_here,
    sandbox_close,
    sandbox_here,
    worker_name,
)
from arena.bots.leases import LeaseKeeper
from arena.bots.models import BotVersion
from arena.bots.programs import program_folder
from arena.matches.lag import LagMeter
from arena.matches.models import Attempt, Match
from arena.matches.queue import attempt_finish, attempt_renew, attempt_void, match_claim
from arena.matches.replays import seat_names
from arena.matches.results import Ending, PlayedDeal, PlayedFault, PlayedLog, PlayedMatch
from arena.matches.spectator import Broadcast, Spectator
from bots_sdk.durak import DealRecord, Event, RuleSet
from bots_sdk.referee import (
    ExitReport,
    Fault,
    HostFault,
    MatchPlan,
    PlannedSitting,
    Player,
    SittingOutcome,
    SittingSpec,
    TimeControl,
    Verdict,
    play_sitting,
)
from sandbox.base import CannotStart, NoSandbox, Sandbox
from sandbox.runtimes import RUNTIMES
from sandbox.spec import Labels, SandboxSpec

if TYPE_CHECKING:
    from bots_sdk.referee import DealOutcome

log = logging.getLogger(__name__)

TIME_VERDICTS = frozenset({Verdict.TIMEOUT, Verdict.STDIN_BLOCKED})
SETTING_UP_SECONDS = 600.0
"""What a sitting may take beside the bots' clocks before its sandboxes are swept."""
SAVE_AGAIN_SECONDS = 1.0
LAG_SHARE = 0.5
"""A time fault is the host's when the host itself lost this share of the time that the bot was given, within it."""


class LeaseLost(Exception):
    """The match is somebody else's by now; what was played of it is thrown away."""


@dataclass
class Progress:
    """How far an attempt is; `done` deals are read by the thread that keeps its lease.

    `order` is who has which seat in the sitting that is being played, as participant indexes.
    """

    done: int = 0
    order: Sequence[int] = ()


@dataclass
class Tally:
    """What has come together over the sittings of a match."""

    deals: list[PlayedDeal] = field(default_factory=list)
    faults: list[PlayedFault] = field(default_factory=list)
    logs: list[PlayedLog] = field(default_factory=list)
    excluded: set[int] = field(default_factory=set)

    def faults_of(self, participants: int) -> tuple[int, ...]:
        """Faults so far by participant."""
        return tuple(sum(fault.participant == index for fault in self.faults) for index in range(participants))

    def add(self, number: int, order: Sequence[int], outcome: SittingOutcome) -> None:
        """Take in the outcome of sitting ``number``, in which participant ``order[seat]`` had the seat."""
        self.deals += [_deal(number, order, deal) for deal in outcome.deals]
        self.faults += [
            PlayedFault(
                participant=order[fault.seat],
                deal_index=fault.deal,
                turn=fault.turn,
                verdict=str(fault.verdict),
                reason=fault.reason,
                line="\n".join(filter(None, (fault.line, fault.log))),
                view=fault.position,
            )
            for fault in outcome.faults
        ]
        self.logs += [
            PlayedLog(order[seat], number, report.stderr.decode(errors="replace"), exit_facts(report))
            for seat, report in enumerate(outcome.exits)
            if report is not None
        ]
        self.excluded |= {order[seat] for seat, out in enumerate(outcome.excluded) if out}


def play_next() -> Ending | None:
    """Play the first match of the queue that this host can; None if there is none."""
    attempt = match_claim(worker=worker_name(), languages=languages_here())
    if attempt is None:
        return None
    try:
        sandbox = sandbox_here()
    except NoSandbox as error:
        return _host_failed(attempt, error)
    return play_attempt(attempt, sandbox)


def play_attempt(attempt: Attempt, sandbox: Sandbox) -> Ending:
    """Play a claimed match to its end and save it; whatever the host does wrong makes the attempt void."""
    progress = Progress()
    with LeaseKeeper(
        lambda: attempt_renew(attempt=attempt, deals_done=progress.done),
        lease_seconds=settings.MATCH_LEASE_SECONDS,
    ) as keeper:
        try:
            played = play_match(attempt.match, sandbox, progress=progress, keeper=keeper)
            return _finish(attempt, played)
        except LeaseLost as error:
            return Ending(applied=False, outcome=Attempt.Outcome.LOST, message=str(error))
        except (CannotStart, OSError) as error:
            return _host_failed(attempt, error)
        except HostFault as error:
            log.warning("Attempt %s of match %s is void.", attempt.number, attempt.match_id, exc_info=True)
            participant = None if error.seat is None else progress.order[error.seat]
            return attempt_void(attempt=attempt, reason=error.reason, in_turn_of=participant)
        except Exception as error:
            log.exception("Attempt %s of match %s is void.", attempt.number, attempt.match_id)
            return attempt_void(attempt=attempt, reason=f"the worker failed: {type(error).__name__}")


def _host_failed(attempt: Attempt, error: Exception) -> Ending:
    """Take no more work on this host for now, and let others play the match."""
    log.error("Attempt %s of match %s is void: %s", attempt.number, attempt.match_id, error)
    host_failed(name=host_name(), detail=str(error))
    ending = attempt_void(attempt=attempt, reason=CANNOT_START)
    sandbox_close()
    return ending


def _finish(attempt: Attempt, played: PlayedMatch) -> Ending:
    """Save the result, at the second try if the database was away for a moment; it may be had only once anyway."""
    try:
        return attempt_finish(attempt=attempt, played=played)
    except OperationalError:
        log.warning("The result of match %s could not be saved; trying again.", attempt.match_id, exc_info=True)
    close_old_connections()
    time.sleep(SAVE_AGAIN_SECONDS)
    return attempt_finish(attempt=attempt, played=played)


def play_match(match: Match, sandbox: Sandbox, *, progress: Progress, keeper: LeaseKeeper) -> PlayedMatch:
    """Play all sittings of a match, each with fresh processes in fresh sandboxes.

    Raises:
        HostFault: the host failed or was the slow one; the match is to be played again.
        LeaseLost: the match has been given to another worker, or called off.

    """
    versions = [each.version for each in match.participants.select_related("version__bot").defer("version__build_log")]
    programs = [program_folder(version) for version in versions]
    plan = MatchPlan.build(
        RuleSet.from_dict(match.rules),
        match.seats,
        match.sets,
        bytes(match.seed),
        orders=match.orders,
    )
    clock = TimeControl(**match.time_control)
    tally = Tally()
    broadcast = Broadcast(match.pk)
    began, cpu_began = time.monotonic(), time.process_time()
    worst_ms = 0.0
    for number, sitting in enumerate(plan.sittings):
        progress.order = sitting.order
        spec = SittingSpec.planned(
            plan,
            sitting,
            time_control=clock,
            fault_limit=settings.MATCH_FAULT_LIMIT,
            faults=tally.faults_of(match.seats),
        )
        with LagMeter() as lag:
            names = seat_names([versions[index].bot.slug for index in sitting.order])
            spectator = Spectator(broadcast, spec, names, is_open=number % match.seats == 0)
            watch = _Watch(match, broadcast, spectator, progress, keeper, _Stopwatch(lag, clock))
            players = [] if spec.excluded_seats() else start_players(match, spec, sitting, versions, programs, sandbox)
            outcome = play_sitting(spec, players, on_event=watch.see)
        watch.close(sitting, outcome)
        tally.add(number, sitting.order, outcome)
        worst_ms = max(worst_ms, lag.worst_ms)
    return PlayedMatch(
        deals=tally.deals,
        faults=tally.faults,
        logs=tally.logs,
        excluded=frozenset(tally.excluded),
        host={
            "backend": sandbox.name,
            "play_ms": round((time.monotonic() - began) * 1000),
            "cpu_ms": round((time.process_time() - cpu_began) * 1000),
            "lag_ms": round(worst_ms),
            "queue_ms": match.queue_ms,
        },
    )


def start_players(
    match: Match,
    spec: SittingSpec,
    sitting: PlannedSitting,
    versions: Sequence[BotVersion],
    programs: Sequence[Path],
    sandbox: Sandbox,
) -> list[Player]:
    """A running sandbox for each seat; none is left if one cannot be started.

    Raises:
        HostFault: a sandbox could not be started.

    """
    deadline = time.time() + SETTING_UP_SECONDS + spec.longest_ms / 1000
    with ExitStack() as undo:
        players: list[Player] = []
        for seat, participant in enumerate(sitting.order):
            version = versions[participant]
            runtime = RUNTIMES[version.language]
            player = sandbox.start(
                SandboxSpec(
                    runtime=runtime,
                    folder=programs[participant],
                    argv=runtime.run_argv(version.manifest["entry"]),
                    labels=Labels(
                        worker=worker_name(),
                        match=str(match.pk),
                        seat=seat,
                        deadline=deadline,
                    ),
                ),
            )
            undo.callback(player.stop)
            players.append(player)
        undo.pop_all()
    return players


def exit_facts(report: ExitReport) -> dict[str, Any]:
    """How a process ended, JSON-able, without its stderr."""
    facts = asdict(report)
    del facts["stderr"]
    return facts


class _Stopwatch:
    """Tells whether the host itself was away for much of the time in which a bot ran out of its own."""

    def __init__(self, lag: LagMeter, clock: TimeControl) -> None:
        self._lag = lag
        self._startup_ms = clock.startup_ms
        self._turn_ms = clock.move_ms + clock.bank_ms
        self._lost_at_startup: float | None = None

    def see(self, event: Event) -> None:
        """Look at the host at the moment of an event; the first one ends the start-up.

        Raises:
            HostFault: it is a time fault, and the host was the slow one.

        """
        if self._lost_at_startup is None:
            self._lost_at_startup = self._lag.lost_within(self._startup_ms)
        if event.kind == "fault" and event.data["verdict"] in TIME_VERDICTS:
            self._judge(event.seat, self._turn_ms, self._lag.lost_within(self._turn_ms))

    def judge_startup(self, faults: Sequence[Fault]) -> None:
        """Raise ``HostFault`` if a bot did not get ready while the host was the slow one."""
        for fault in faults:
            if fault.verdict is Verdict.NOT_READY:
                self._judge(fault.seat, self._startup_ms, self._lost_at_startup or 0.0)

    def _judge(self, seat: int | None, given_ms: float, lost_ms: float) -> None:
        if lost_ms >= LAG_SHARE * given_ms:
            raise HostFault(
                f"a bot ran out of its {given_ms} ms while the host itself lost {lost_ms:.0f} ms of them: "
                "the host was the slow one",
                seat,
            )


class _Watch:
    """Follows one sitting: progress, the live view, the host, and whether the lease is still held."""

    def __init__(
        self,
        match: Match,
        broadcast: Broadcast,
        spectator: Spectator,
        progress: Progress,
        keeper: LeaseKeeper,
        stopwatch: _Stopwatch,
    ) -> None:
        self._match = match
        self._stopwatch = stopwatch
        self._broadcast = broadcast
        self._progress = progress
        self._keeper = keeper
        self._spectator = spectator

    def see(self, deal_index: int, event: Event) -> None:
        if self._keeper.lost.is_set():
            raise LeaseLost(f"the lease on match {self._match.pk} has passed on; its play was stopped")
        self._stopwatch.see(event)
        self._spectator.see(deal_index, event)
        if event.kind == "deal_over":
            self._progress.done += 1
            self._broadcast.send({"type": "progress", **self._counts()})

    def close(self, sitting: PlannedSitting, outcome: SittingOutcome) -> None:
        self._stopwatch.judge_startup(outcome.faults)
        for deal in outcome.deals:
            self._broadcast.send(
                {
                    "type": "deal",
                    "deal": deal.spec.index,
                    "duraks": sorted(sitting.order[seat] for seat in deal.result.duraks),
                    "ended": deal.result.reason,
                    **self._counts(),
                },
            )
        self._broadcast.flush()

    def _counts(self) -> dict[str, int]:
        return {"deals_done": self._progress.done, "deals_total": self._match.deals_total}


def _deal(number: int, order: Sequence[int], deal: DealOutcome) -> PlayedDeal:
    return PlayedDeal(
        index=deal.spec.index,
        set_index=deal.spec.set_index,
        sitting=number,
        seating=tuple(order),
        record=deal.record,
        duraks=tuple(sorted(order[seat] for seat in deal.result.duraks)),
        ended=deal.result.reason,
        moves=len(DealRecord.parse(deal.record).moves),
        timings=[[decision.turn, decision.seat, round(decision.ms, 3)] for decision in deal.decisions],
    )
