"""What a sandbox costs on this host, as ratios to a bare subprocess of the same run.

Times are medians. The kinds take turns in every round, so that what else the machine does falls on
all of them alike.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from rich.console import Console
from rich.progress import track
from rich.table import Table

from bench.docker import docker_sandbox
from bots_sdk.referee import Player
from bots_sdk.referee.local import SubprocessPlayer
from sandbox import Limits, NoSandbox, Sandbox, SandboxSpec, open_sandbox
from sandbox.docker import DockerSandbox
from sandbox.docker.pool import IDLE_BYTES
from sandbox.packages import prepare
from sandbox.runtimes import RUNTIMES

ROUNDS = 15
TRIPS = 2_000
ECHO = "import sys\nfor line in sys.stdin.buffer:\n    sys.stdout.buffer.write(line)\n    sys.stdout.buffer.flush()\n"
# A turn's message and its answer have about this size.
LINE = b'{"type":"turn","turn":17,"legal":[{"move":"take"}]}' + b" " * 500
PYTHON = RUNTIMES["python"]


@dataclass
class Kind:
    """One way to start the echoing bot; `before` is not timed."""

    name: str
    start: Callable[[], Player]
    before: Callable[[], object] = lambda: None
    starts: list[float] = field(default_factory=list)
    trips: list[float] = field(default_factory=list)
    stops: list[float] = field(default_factory=list)

    def measure(self) -> None:
        """One start and stop; another start, on one core, for its share of the round trips."""
        self.before()
        began = time.perf_counter()
        player = self.start()
        _trip(player)
        self.starts.append(time.perf_counter() - began)
        began = time.perf_counter()
        player.stop()
        self.stops.append(time.perf_counter() - began)
        with _one_core():
            player = self.start()
            _trip(player)
            for _ in range(TRIPS // ROUNDS):
                began = time.perf_counter()
                _trip(player)
                self.trips.append(time.perf_counter() - began)
            player.stop()


@contextmanager
def _one_core() -> Iterator[None]:
    """Keep this process and what it starts on one core.

    Whether a bot is woken on our core or on another doubles a bare pipe's round trip, at random from one start to the
    next; that would drown what a sandbox adds. Containers are started by the daemon and stay where it puts them.
    """
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(before)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def _trip(player: Player) -> None:
    deadline = time.monotonic() + 30
    player.send(LINE, deadline)
    player.receive(deadline)


def main() -> None:
    """Measure every backend that is here, and print the table."""
    prepare()
    with TemporaryDirectory() as name, ExitStack() as stack:
        folder = Path(name)
        (folder / "bot.py").write_text(ECHO)
        kinds = [Kind("bare subprocess", lambda: SubprocessPlayer(_bare(folder), env=dict(PYTHON.env)))]
        kinds += _backends(folder, stack)
        for _ in track(range(ROUNDS), "starting and speaking", transient=True):
            for kind in kinds:
                kind.measure()
        _print(kinds)


def _bare(folder: Path) -> list[str]:
    return ["/usr/bin/python3", "-u", str(folder / "bot.py")]


def _backends(folder: Path, stack: ExitStack) -> list[Kind]:
    spec = SandboxSpec(runtime=PYTHON, folder=folder, argv=PYTHON.run_argv("bot.py"), limits=Limits.of(PYTHON))
    found = []
    try:
        sandbox: Sandbox = open_sandbox("bubblewrap")
        found.append(Kind("bubblewrap", lambda: sandbox.start(spec)))
    except NoSandbox as reason:
        print(f"no bubblewrap: {reason}")
    try:
        warm = stack.enter_context(docker_sandbox())
        if not isinstance(warm, DockerSandbox):
            raise TypeError(warm)
        cold = DockerSandbox(warm.daemon.address, pool_bytes=0)
        stack.callback(cold.close)
        found.append(Kind("Docker, cold", lambda: cold.start(spec)))
        found.append(Kind("Docker, from the warm pool", lambda: warm.start(spec), lambda: warm.warm(spec, 1)))
    except NoSandbox as reason:
        print(f"no Docker: {reason}")
    return found


def _print(kinds: list[Kind]) -> None:
    bare = kinds[0]
    table = Table(title="a Python bot; ratios to the bare subprocess of this run", title_justify="left")
    for column in ("", "start to first reply", "ratio", "round trip on one core, p50", "ratio", "stop"):
        table.add_column(column, justify="left" if not column else "right")
    for kind in kinds:
        table.add_row(
            kind.name,
            f"{median(kind.starts) * 1e3:.1f} ms",
            f"{median(kind.starts) / median(bare.starts):.2f}",
            f"{median(kind.trips) * 1e6:.1f} µs",
            f"{median(kind.trips) / median(bare.trips):.2f}",
            f"{median(kind.stops) * 1e3:.1f} ms",
        )
    console = Console(width=110, highlight=False)
    console.print(table)
    by_name = {kind.name: kind for kind in kinds}
    if "Docker, cold" in by_name:
        share = median(by_name["Docker, from the warm pool"].starts) / median(by_name["Docker, cold"].starts)
        console.print(
            f"a warm start takes {share:.2f} of a cold one; an idle container costs {IDLE_BYTES >> 20} MiB at most"
        )
