"""`durak check`: a bot as the server will take it: its files, its build, and a match against itself."""

from __future__ import annotations

import secrets
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bots_sdk.cli.console import err, out, progress_bar, warn
from bots_sdk.cli.contestants import contestants, find_folder, read_bundle
from bots_sdk.cli.errors import FAILURE, CliError
from bots_sdk.durak import RuleSet
from bots_sdk.referee import Fault, HostFault, MatchPlan, Player, SittingSpec, play_sitting, start_players
from bots_sdk.referee.plan import smallest_table
from sandbox.bundles import Bundle

if TYPE_CHECKING:
    from sandbox.base import Sandbox

Start = Callable[[int], Player]

BARE = "No sandbox here ({reason}). The bot runs bare: limits on memory, processes and the network are not tried."


@dataclass(frozen=True)
class _Trial:
    """One match of a bot against itself."""

    preset: str
    seats: int


def check(
    folder: Annotated[str, typer.Argument(help="the bot's folder")] = ".",
    *,
    every: Annotated[bool, typer.Option("--all", help="every rule set and seat count of durak.toml")] = False,
    backend: Annotated[str, typer.Option("--sandbox", help="auto, docker, bubblewrap, or none")] = "auto",
) -> None:
    """Try a bot as the server will: read its files, build it, and let it play against itself in the sandbox."""
    path = find_folder(folder)
    bundle = read_bundle(path)
    manifest = bundle.manifest
    size = sum(map(len, bundle.files.values()))
    _passed(f"files: {len(bundle.files)}, {size} bytes; {manifest.name}, {manifest.runtime.title}, {manifest.entry}")
    sandbox = _open(backend)
    trials = _trials(bundle, every=every)
    with tempfile.TemporaryDirectory(prefix="durak-check-") as scratch:
        if sandbox is None:
            program = contestants([str(path)], Path(scratch))[0]
            _passed("build: with this machine's own tools")
            faults = _play(trials, lambda _seat: program.start())
        else:
            try:
                start = _build(sandbox, bundle, Path(scratch) / "program")
                faults = _play(trials, start)
            finally:
                sandbox.close()
    if faults:
        raise typer.Exit(FAILURE)
    _passed("ready: the server will take it" if sandbox else "ready, as far as can be told without a sandbox")


def _passed(words: str) -> None:
    out.print("[green]✓[/] ", end="")
    out.print(words, markup=False)


def _open(backend: str) -> Sandbox | None:
    """The sandbox, or None (with a warning) where there is none."""
    from sandbox.base import NoSandbox
    from sandbox.choose import open_sandbox

    if backend == "none":
        warn(BARE.format(reason="--sandbox none"))
        return None
    try:
        sandbox = open_sandbox(backend)
    except NoSandbox as reason:
        if backend != "auto":
            raise CliError(str(reason)) from reason
        warn(BARE.format(reason=reason))
        return None
    except ValueError as error:
        raise CliError(str(error), 2) from error
    _passed(f"sandbox: {sandbox.name}")
    return sandbox


def _build(sandbox: Sandbox, bundle: Bundle, folder: Path) -> Start:
    from sandbox.builds import build
    from sandbox.packages import CannotPrepare, prepare
    from sandbox.spec import Labels, SandboxSpec

    unprepared = f"the packages for {bundle.manifest.runtime.title} bots cannot be prepared"
    try:
        if bundle.manifest.runtime.libraries:
            prepare()
        report = build(sandbox, bundle, folder)
    except CannotPrepare as error:
        raise CliError(f"{unprepared}: {error}") from error
    except OSError as error:
        where = f"{error.filename}: {error.strerror}"
        raise CliError(f"{unprepared}: {where}; DURAK_SANDBOX_PACKAGES names another folder for them") from error
    except HostFault as fault:
        raise CliError(f"the sandbox failed, not the bot: {fault.reason}") from fault
    if report.log.strip():
        err.print(report.log, markup=False)
    if report.output is None:
        raise CliError(f"build: {report.reason}")
    _passed(f"build: {report.seconds:.1f} s")
    program, runtime = report.output, bundle.manifest.runtime
    argv = runtime.run_argv(bundle.manifest.entry)

    def start(seat: int) -> Player:
        labels = Labels(match="check", seat=seat)
        return sandbox.start(SandboxSpec(runtime=runtime, folder=program, argv=argv, labels=labels))

    return start


def _trials(bundle: Bundle, *, every: bool) -> list[_Trial]:
    manifest = bundle.manifest
    if not every:
        return [_Trial(*smallest_table(manifest.presets, manifest.seats))]
    return [
        _Trial(preset, seats)
        for preset in manifest.presets
        for seats in manifest.seats
        if seats in RuleSet.preset(preset).seat_counts
    ]


def _play(trials: list[_Trial], start: Start) -> list[Fault]:
    """One duplicate set of each trial, under the server's clock; stops after the first with a fault."""
    for trial in trials:
        plan = MatchPlan.build(RuleSet.preset(trial.preset), trial.seats, 1, secrets.token_bytes(32))
        decisions = 0
        slowest = 0.0
        with progress_bar() as bar:
            for sitting in bar.track(plan.sittings, description=f"{trial.preset}, {trial.seats} seats"):
                try:
                    outcome = play_sitting(
                        SittingSpec.planned(plan, sitting),
                        start_players(partial(start, seat) for seat in range(trial.seats)),
                    )
                except HostFault as fault:
                    raise CliError(f"the host failed, not the bot: {fault.reason}") from fault
                if outcome.faults:
                    _report(trial, outcome.faults[0])
                    return list(outcome.faults)
                times = [decision.ms for deal in outcome.deals for decision in deal.decisions]
                decisions += len(times)
                slowest = max([slowest, *times])
        _passed(
            f"match: {trial.preset}, {trial.seats} seats against itself, {decisions} decisions, "
            f"the longest {slowest:.1f} ms"
        )
    return []


def _report(trial: _Trial, fault: Fault) -> None:
    where = "before the first deal" if fault.deal is None else f"turn {fault.turn}"
    err.print(f"[red]✗[/] match: {trial.preset}, {trial.seats} seats, {where}: {fault.verdict}")
    err.print(f"  {fault.reason}", markup=False)
    if fault.line:
        err.print(f"  it sent: {fault.line}", markup=False)
    if fault.exit is not None and fault.exit.stderr:
        err.print("  its log:")
        err.print(fault.exit.stderr.decode(errors="replace"), markup=False)
