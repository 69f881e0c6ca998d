"""Deals per second through the whole worker path, for each backend, beside the same referee with bare subprocesses.

The path: claim the match in PostgreSQL, start a sandbox for every bot, let the referee play, publish live events, save
deals, records and logs in one transaction. Starting the bots is shown apart, since it is paid once for each sitting
however many deals are played in it.
"""

from __future__ import annotations

import importlib
import os
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

PRESET, SEATS, SETS, MATCHES = "podkidnoy", (2, 4), 12, 2


@dataclass
class Clock:
    """Seconds of one run: all of it, and what went by until the first card was dealt in each sitting."""

    deals: int = 0
    total: float = 0.0
    starts: list[float] = field(default_factory=list)

    @property
    def rate(self) -> float:
        """Deals a second, starting the bots left out."""
        return self.deals / (self.total - sum(self.starts))

    @property
    def whole_rate(self) -> float:
        """Deals a second, all in."""
        return self.deals / self.total

    @property
    def start_ms(self) -> float:
        """Median of starting all bots of a sitting, until the first card is dealt."""
        return statistics.median(self.starts) * 1000


@contextmanager
def arena() -> Iterator[None]:
    """PostgreSQL and Valkey of our own, migrated, and Django on them."""
    importlib.import_module("tests.services")
    import django

    from arena.demo.embedded import start_postgres, start_valkey

    root = Path(os.environ["ARENA_TEST_ROOT"])
    server, _ = start_postgres(root / "pg", "arena")
    port = int(os.environ["ARENA_REDIS_URL"].rsplit(":", 1)[1].split("/")[0])
    valkey = start_valkey(root / "valkey", port)
    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    try:
        yield
    finally:
        from django.db import connections

        connections.close_all()
        valkey.terminate()
        server.cleanup()


def versions(number: int) -> list[Any]:
    """So many bots that play at random, ready."""
    from django.db.models.functions import Now

    from arena.accounts.services import house_get
    from arena.bots.hosts import host_report
    from arena.bots.models import BotVersion
    from arena.bots.services import bot_create, version_upload
    from bots_sdk.reference import reference_folder
    from sandbox.bundles import Bundle

    host_report(name="bench", backend="bench", languages=["python"])
    data = Bundle.from_folder(reference_folder("random")).to_zip()
    made = []
    for index in range(number):
        bot = bot_create(owner=house_get(), slug=f"random-{index}")
        made.append(version_upload(bot=bot, by=bot.owner, data=data)[0])
    BotVersion.objects.update(state=BotVersion.State.READY, ready_at=Now())
    return made


def timed_sitting(clock: Clock, began: Callable[[], float]) -> Callable[..., Any]:
    """The referee's ``play_sitting``, noting when the first card was dealt."""
    from bots_sdk.referee import play_sitting

    def play(spec: Any, players: Sequence[Any], *, on_event: Callable[..., None] | None = None) -> Any:
        dealt: list[float] = []

        def see(deal: int, event: Any) -> None:
            if not dealt:
                dealt.append(time.monotonic())
            if on_event is not None:
                on_event(deal, event)

        outcome = play_sitting(spec, players, on_event=see)
        if outcome.faults:
            raise SystemExit(f"a bot failed: {outcome.faults[0].reason}")
        clock.starts.append(dealt[0] - began())
        clock.deals += len(outcome.deals)
        return outcome

    return play


def through_the_worker(sandbox: Any, bots: list[Any]) -> Clock:
    """Matches played as a worker plays them."""
    from arena.matches import play
    from arena.matches.queue import match_claim
    from arena.matches.services import match_create

    def run(sets: int, matches: int) -> Clock:
        clock, starting = Clock(), [0.0]
        start_players, play_sitting = play.start_players, play.play_sitting

        def start(*arguments: Any) -> Any:
            starting[0] = time.monotonic()
            return start_players(*arguments)

        play.start_players = start
        play.play_sitting = timed_sitting(clock, lambda: starting[0])
        try:
            for _ in range(matches):
                match_create(kind="challenge", versions=bots, preset=PRESET, sets=sets)
                began = time.monotonic()
                ending = play.play_attempt(match_claim(worker="bench/1"), sandbox)
                clock.total += time.monotonic() - began
                if ending.outcome != "finished":
                    raise SystemExit(f"a match was not saved: {ending.message}")
        finally:
            play.start_players, play.play_sitting = start_players, play_sitting
        return clock

    run(1, 1)
    return run(SETS, MATCHES)


def bare(bots: list[Any]) -> Clock:
    """The same plan and the same programs between ordinary subprocesses, without queue, sandbox and database."""
    from arena.bots.programs import program_folder
    from bots_sdk.durak import RuleSet
    from bots_sdk.referee import MatchPlan, SittingSpec
    from bots_sdk.referee.local import SubprocessPlayer
    from sandbox.packages import INTERPRETER, prepare

    programs = [program_folder(version) for version in bots]
    environment = {"PATH": "/usr/bin:/bin", "PYTHONPATH": str(prepare())}

    def run(sets: int, matches: int) -> Clock:
        clock, starting = Clock(), [0.0]
        play = timed_sitting(clock, lambda: starting[0])
        for number in range(matches):
            began = time.monotonic()
            plan = MatchPlan.build(RuleSet.preset(PRESET), len(bots), sets, bytes([number]) * 32)
            for sitting in plan.sittings:
                starting[0] = time.monotonic()
                players = [
                    SubprocessPlayer([INTERPRETER, "-u", "bot.py"], cwd=programs[index], env=environment)
                    for index in sitting.order
                ]
                play(SittingSpec.planned(plan, sitting), players)
            clock.total += time.monotonic() - began
        return clock

    run(1, 1)
    return run(SETS, MATCHES)


def main() -> None:
    """Print the table."""
    from bench.docker import docker_sandbox
    from sandbox.packages import prepare

    console = Console(width=100)
    prepare()
    with arena(), ExitStack() as stack:
        bubblewrap, docker = _opened(stack, _bubblewrap), _opened(stack, docker_sandbox)
        table = Table(title=f"{PRESET}, random bots, {MATCHES} matches of {SETS} duplicate sets, one worker process")
        for column in ("seats", "players", "deals/s", "of bare", "with starts", "of bare", "start, ms", "of bare"):
            table.add_column(column, justify="left" if column == "players" else "right", no_wrap=True)
        bots = versions(max(SEATS))
        for seats in SEATS:
            base = bare(bots[:seats])
            _row(table, seats, "bare, referee only", base, base)
            for name, backend in (("bubblewrap", bubblewrap), ("docker", docker)):
                if isinstance(backend, str):
                    console.print(f"{name}: not here: {backend}")
                else:
                    _row(table, seats, f"worker, {name}", through_the_worker(backend, bots[:seats]), base)
        console.print(table)


def _opened(stack: ExitStack, backend: Callable[[], AbstractContextManager[Any]]) -> Any:
    """The sandbox, or why it cannot be had."""
    from sandbox import NoSandbox

    try:
        return stack.enter_context(backend())
    except NoSandbox as error:
        return str(error)


@contextmanager
def _bubblewrap() -> Iterator[Any]:
    from sandbox import open_sandbox

    sandbox = open_sandbox("bubblewrap")
    yield sandbox
    sandbox.close()


def _row(table: Table, seats: int, name: str, clock: Clock, base: Clock) -> None:
    table.add_row(
        str(seats),
        name,
        f"{clock.rate:.0f}",
        f"{clock.rate / base.rate:.2f}",
        f"{clock.whole_rate:.0f}",
        f"{clock.whole_rate / base.whole_rate:.2f}",
        f"{clock.start_ms:.0f}",
        f"{clock.start_ms / base.start_ms:.2f}",
    )


if __name__ == "__main__":
    main()
