"""Trying a bot's folder in the sandbox: `python -m sandbox run`."""

from __future__ import annotations

import secrets
import select
import sys
import tempfile
import time
from collections import Counter
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from rich.progress import track

from bots_sdk.durak import RuleSet
from bots_sdk.referee import Fault, MatchPlan, SittingSpec, play_sitting, start_players
from bots_sdk.referee.plan import smallest_table
from bots_sdk.referee.player import Eof, PlayerFault
from sandbox.base import Sandbox, Session
from sandbox.builds import build
from sandbox.bundles import Bundle, BundleError
from sandbox.spec import Labels, SandboxSpec

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import Console

TALK_SECONDS: Final = 0.2


class TryOutError(Exception):
    """The bot's folder, or what was asked of it, will not do; the message says why."""


def play_against_itself(
    sandbox: Sandbox,
    folder: Path,
    out: Console,
    *,
    deals: int,
    seats: int | None,
    preset: str | None,
) -> bool:
    """Play, print what came of it, and say whether the bot was without fault.

    Raises:
        TryOutError: the bot does not build, or does not play these rules.
        HostFault: the host failed.

    """
    with _built(sandbox, folder) as (bundle, program):
        manifest = bundle.manifest
        if preset not in {None, *manifest.presets} or seats not in {None, *manifest.seats}:
            asked = f"{preset or manifest.presets[0]} for {seats or min(manifest.seats)}"
            raise TryOutError(
                f"its durak.toml has presets {', '.join(manifest.presets)} and seats "
                f"{', '.join(map(str, manifest.seats))}; not {asked}"
            )
        try:
            preset, seats = smallest_table(
                [preset] if preset else manifest.presets, [seats] if seats else manifest.seats
            )
        except ValueError as error:
            raise TryOutError(f"{preset} for {seats}: {error}") from error
        rules = RuleSet.preset(preset)
        plan = MatchPlan.build(rules, seats, -(-deals // seats), secrets.token_bytes(32))
        duraks: Counter[int] = Counter()
        faults: list[Fault] = []
        began = time.monotonic()
        for sitting in track(plan.sittings, "playing", console=out, transient=True):
            specs = [_spec(bundle, program, seat) for seat in range(seats)]
            players = start_players([partial(sandbox.start, spec) for spec in specs])
            outcome = play_sitting(SittingSpec.planned(plan, sitting), players)
            faults += outcome.faults
            for deal in outcome.deals:
                duraks.update(deal.result.duraks)
        played = sum(len(sitting.deals) for sitting in plan.sittings)
        seconds = time.monotonic() - began
    out.print(
        f"{manifest.name}: {played} deals of {preset} for {seats} in {sandbox.name}, "
        f"{seconds:.1f} s; durak by seat: {', '.join(str(duraks[s]) for s in range(seats))}"
    )
    for fault in faults:
        where = "before the first deal" if fault.deal is None else f"deal {fault.deal}, turn {fault.turn}"
        out.print(f"seat {fault.seat}, {where}: {fault.verdict}: {fault.reason}", soft_wrap=True)
        if fault.exit is not None and fault.exit.stderr:
            out.print(fault.exit.stderr.decode(errors="replace"), markup=False, soft_wrap=True)
    return not faults


def talk(sandbox: Sandbox, folder: Path, out: Console) -> None:
    """Pass lines from our stdin to the bot and its lines to `out`, until either side ends.

    Raises:
        TryOutError: the bot does not build.
        HostFault: the host failed.

    """
    with _built(sandbox, folder) as (bundle, program):
        session = sandbox.start(_spec(bundle, program, 0))
        try:
            _talk(session, out)
        finally:
            report = session.stop(time.monotonic() + 1)
    out.print(report.stderr.decode(errors="replace"), markup=False, soft_wrap=True)
    out.print(f"the bot {report.reason}")


def _talk(session: Session, out: Console) -> None:
    stdin_open = True
    quiet_until = 0.0
    while stdin_open or time.monotonic() < quiet_until:
        if stdin_open and select.select([sys.stdin], [], [], TALK_SECONDS)[0]:
            line = sys.stdin.readline()
            if line:
                session.send(line.rstrip("\n").encode(), time.monotonic() + 5)
            else:
                stdin_open = False
            quiet_until = time.monotonic() + 1
        try:
            while True:
                answer = session.receive(time.monotonic() + TALK_SECONDS)
                out.print(answer.decode(errors="replace"), markup=False, soft_wrap=True)
                quiet_until = time.monotonic() + 1
        except Eof:
            return
        except PlayerFault:
            continue


@contextmanager
def _built(sandbox: Sandbox, folder: Path) -> Iterator[tuple[Bundle, Path]]:
    try:
        bundle = Bundle.from_folder(folder)
    except BundleError as error:
        raise TryOutError(str(error)) from error
    with tempfile.TemporaryDirectory(prefix="durak-run-") as parent:
        report = build(sandbox, bundle, Path(parent) / "program")
        if report.output is None:
            raise TryOutError(f"it does not build: {report.reason}\n{report.log}")
        yield bundle, report.output


def _spec(bundle: Bundle, program: Path, seat: int) -> SandboxSpec:
    runtime = bundle.manifest.runtime
    return SandboxSpec(
        runtime=runtime,
        folder=program,
        argv=runtime.run_argv(bundle.manifest.entry),
        labels=Labels(match="run", seat=seat),
    )
