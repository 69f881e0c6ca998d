"""A whole arena, started as `make demo` starts it, on a port and in a folder of its own."""

from __future__ import annotations

import os
import queue
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.services import free_port

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 300.0  # seconds, for anything that the demo does by itself


class Demo:
    """The supervisor's process, its address and what it has printed so far."""

    def __init__(self, data: Path, port: int) -> None:
        self.data = data
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("ARENA_", "DJANGO_"))}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "arena.demo", "--port", str(port), "--data", str(data)],
            cwd=ROOT,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        self.lines: list[str] = []
        self._new: queue.Queue[str] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.append(line)
            self._new.put(line)

    @property
    def output(self) -> str:
        return "".join(self.lines)

    def wait_for(self, pattern: str) -> re.Match[str]:
        """Wait until a printed line matches."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            if found := re.search(pattern, self.output):
                return found
            if self.process.poll() is not None:
                break
            time.sleep(0.1)
        pytest.fail(f"the demo never printed {pattern!r}; it printed:\n{self.output}")

    @property
    def address(self) -> str:
        return self.wait_for(r"ready: (http://[^/\s]+)/").group(1)

    def stop(self, signum: int = signal.SIGINT) -> int:
        """Signal the whole group, as a terminal does; return the exit status."""
        if self.process.poll() is None:
            os.killpg(self.process.pid, signum)
        return self.process.wait(timeout=60)


def new_folder() -> Path:
    """An empty folder that PostgreSQL's own user can reach (pytest's are for this user alone)."""
    return Path(tempfile.mkdtemp(prefix="demo-", dir=os.environ["ARENA_TEST_ROOT"]))


@pytest.fixture
def start() -> Iterator[Callable[..., Demo]]:
    """Starts demos, in a new folder unless told, and leaves none running."""
    started: list[Demo] = []

    def begin(data: Path | None = None, port: int | None = None) -> Demo:
        started.append(Demo(data or new_folder(), port or free_port()))
        return started[-1]

    yield begin
    for demo in started:
        demo.stop()


@pytest.fixture(scope="module")
def demo() -> Iterator[Demo]:
    running = Demo(new_folder(), free_port())
    yield running
    running.stop()
