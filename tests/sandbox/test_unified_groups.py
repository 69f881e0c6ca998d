"""Control groups of version 2 with real programs: what they hold, what they tell, and that they go.

On a host with version 1 these tests are run by `test_user_mode_kernel.py`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from bots_sdk.referee.player import Eof
from sandbox.base import Session
from sandbox.bubblewrap import BubblewrapSandbox
from sandbox.cgroups import NoCgroups, find_hierarchy
from sandbox.limits import MIB, Limits
from sandbox.runtimes import RUNTIMES
from sandbox.spec import Labels, SandboxSpec
from sandbox.starvation import Reading
from tests.sandbox.attacks.traces import traces
from tests.sandbox.conftest import run_folder


def is_unified() -> bool:
    try:
        return find_hierarchy().version == "v2"
    except NoCgroups:
        return False


pytestmark = [
    pytest.mark.alone,
    pytest.mark.slow,
    pytest.mark.skipif(not is_unified(), reason="this host's control groups are of version 1"),
]
PYTHON = replace(RUNTIMES["python"], libraries=False)
Start = Callable[..., Session]


@pytest.fixture(scope="module")
def sandbox() -> Iterator[BubblewrapSandbox]:
    with run_folder() as run:
        yield BubblewrapSandbox(run)


@pytest.fixture
def start(sandbox: BubblewrapSandbox, tmp_path: Path) -> Start:
    def start(program: str, **limits: float) -> Session:
        (tmp_path / "bot.py").write_text(program)
        wanted = replace(Limits(memory_bytes=64 * MIB, pids=16), **limits)
        return sandbox.start(
            SandboxSpec(runtime=PYTHON, folder=tmp_path, argv=("python3", "-u", "bot.py"), limits=wanted)
        )

    return start


def soon(seconds: float = 60) -> float:
    return time.monotonic() + seconds


@pytest.mark.parametrize("where", ["", "import os\nif os.fork(): os.wait()\n"], ids=["itself", "a child"])
def test_more_memory_than_allowed_ends_the_whole_sandbox_wherever_it_was_used(start: Start, where: str) -> None:
    session = start(f"{where}kept = bytearray(100 << 20)\nprint('had it', flush=True)\nimport time\ntime.sleep(60)\n")
    with pytest.raises(Eof):
        session.receive(soon())
    report = session.stop()
    assert report.oom
    assert "64 MiB" in report.reason


def test_processes_are_counted_and_those_refused_are_told(start: Start) -> None:
    session = start(
        "import os, time\n"
        "made = 0\n"
        "try:\n"
        "    while True:\n"
        "        if os.fork() == 0: time.sleep(60)\n"
        "        made += 1\n"
        "except OSError:\n"
        "    print(made, flush=True)\n"
        "time.sleep(60)\n"
    )
    assert 10 <= int(session.receive(soon())) < 16
    assert "more than its 16 processes" in session.stop().reason


def test_the_quota_holds_and_its_throttling_is_told(sandbox: BubblewrapSandbox, start: Start) -> None:
    session = start("print('up', flush=True)\nwhile True: pass\n", cpus=0.25)
    session.receive(soon())
    assert sandbox.hierarchy is not None
    (path,) = sandbox.hierarchy.parents[""].glob(f"{sandbox.slots.prefix}-*")
    group = sandbox.hierarchy.find(path.name)
    assert group is not None
    before = Reading.of(group)
    time.sleep(4)
    after = Reading.of(group)
    seconds = after.at - before.at
    assert before.used is not None
    assert after.used is not None
    assert 0.1 < (after.used - before.used) / 1000 / seconds < 0.4
    assert after.throttled > before.throttled
    assert session.stop().cpu_ms


def test_what_was_used_is_reported(start: Start) -> None:
    session = start("kept = b'x' * (20 << 20)\nprint('up', flush=True)\ninput()\n")
    session.receive(soon())
    report = session.stop(soon())
    assert report.cpu_ms
    assert report.peak_memory
    assert 20 * MIB < report.peak_memory < 64 * MIB


def test_nothing_outlives_the_sandbox_however_it_forked(sandbox: BubblewrapSandbox, start: Start) -> None:
    before = {trace for trace in traces(sandbox.slots) if not trace.endswith("descriptors")}
    session = start(
        "import os, time\n"
        "for _ in range(4):\n"
        "    if os.fork() == 0:\n"
        "        os.setsid()\n"
        "        if os.fork() == 0: time.sleep(600)\n"
        "        os._exit(0)\n"
        "print('up', flush=True)\n"
        "time.sleep(600)\n"
    )
    session.receive(soon())
    assert any(trace.startswith("cgroup") for trace in traces(sandbox.slots))
    session.stop()
    assert {trace for trace in traces(sandbox.slots) if not trace.endswith("descriptors")} == before


def test_the_group_of_a_dead_worker_is_swept(sandbox: BubblewrapSandbox) -> None:
    slot = sandbox.slots.take(Labels(worker="dead", match="9"))
    assert sandbox.hierarchy is not None
    sandbox.hierarchy.create(slot.name, Limits())
    slot.leave()
    assert [line for line in sandbox.sweep() if "worker dead, match 9" in line]
    assert sandbox.hierarchy.find(slot.name) is None
