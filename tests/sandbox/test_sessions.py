"""What a session does for the referee, on both real backends."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from bots_sdk.durak import RuleSet
from bots_sdk.referee import DealSpec, Fault, HostFault, SittingSpec, TimeControl, play_sitting
from bots_sdk.referee.player import STOPPED, Eof, OutputLimit, StdinBlocked, Timeout
from sandbox.base import Sandbox, Session
from sandbox.bubblewrap import BubblewrapSandbox
from sandbox.cgroups import NoCgroups
from sandbox.docker import DockerSandbox
from sandbox.limits import MIB, Limits
from sandbox.probe import WORDS
from sandbox.runtimes import RUNTIMES, Runtime
from sandbox.spec import SandboxSpec
from tests.docker_host.fixtures import DockerHost
from tests.sandbox.conftest import run_folder

pytestmark = pytest.mark.alone

PROGRAMS = Path(__file__).parent / "attacks" / "programs"
ECHO = "import sys\nfor line in sys.stdin: print(line, end='', flush=True)\n"
Start = Callable[..., Session]


@pytest.fixture
def start(sandbox: Sandbox, python: Runtime, tmp_path: Path) -> Start:
    def start(program: str, *, argv: tuple[str, ...] = ("python3", "-u", "bot.py"), **limits: int) -> Session:
        (tmp_path / "bot.py").write_text(program)
        wanted = replace(Limits.of(python), **limits) if limits else None
        return sandbox.start(SandboxSpec(runtime=python, folder=tmp_path, argv=argv, limits=wanted))

    return start


def send_much(session: Session) -> None:
    for _ in range(200):
        session.send(b"x" * 60_000, soon(0.3))


def receive_much(session: Session) -> None:
    for _ in range(1000):
        session.receive(soon())


def soon(seconds: float = 20) -> float:
    return time.monotonic() + seconds


def test_a_bot_that_leaves_by_itself_is_waited_for_and_its_code_reported(start: Start) -> None:
    session = start("import sys\nsys.stdin.read()\nsys.exit(5)\n")
    report = session.stop(soon())
    assert (report.code, report.signal, report.oom) == (5, None, False)
    assert report.reason == "exited with code 5"
    assert session.stop() is report


def test_a_bot_that_stays_is_stopped_at_the_deadline(start: Start) -> None:
    session = start("import time\nprint('up', flush=True)\ntime.sleep(600)\n")
    assert session.receive(soon()) == b"up"
    began = time.monotonic()
    report = session.stop(soon(0.3))
    assert 0.2 < time.monotonic() - began < 5
    assert report.reason == STOPPED


def test_time_and_memory_that_were_used_are_reported(start: Start) -> None:
    session = start("kept = bytearray(40 << 20)\nfor _ in range(3_000_000): pass\nprint('done', flush=True)\ninput()\n")
    assert session.receive(soon()) == b"done"
    report = session.stop()
    assert report.cpu_ms is not None
    assert report.peak_memory is not None
    assert report.cpu_ms > 20
    assert 40 * MIB < report.peak_memory < 100 * MIB


def test_a_bot_that_never_reads_blocks_its_own_pipe_and_not_the_referee(start: Start) -> None:
    session = start("import time\nprint('up', flush=True)\ntime.sleep(600)\n")
    assert session.receive(soon()) == b"up"
    with pytest.raises(StdinBlocked):
        send_much(session)
    session.stop()


def test_of_a_long_log_the_beginning_and_the_end_are_kept(start: Start) -> None:
    session = start(
        "import sys\nsys.stderr.write('first\\n' + 'x' * 300_000 + '\\nlast\\n')\nsys.stderr.flush()\n"
        "print('done', flush=True)\nimport time\ntime.sleep(600)\n"
    )
    assert session.receive(soon()) == b"done"
    time.sleep(0.3)
    log = session.stop().stderr
    assert log.startswith(b"first\n")
    assert log.endswith(b"\nlast\n")
    assert b"bytes left out" in log
    assert len(log) < 66_000


def test_more_output_than_a_match_allows_is_a_fault(start: Start) -> None:
    session = start("while True: print('x' * 1000, flush=True)\n", stdout_bytes=100_000)
    with pytest.raises(OutputLimit):
        receive_much(session)
    session.stop()


def test_cpu_time_beyond_the_sum_ends_the_program_with_the_reason(start: Start) -> None:
    session = start("while True: pass\n", cpu_seconds=1)
    with pytest.raises(Eof):
        session.receive(soon(60))
    assert session.stop().reason == "was killed for using more than its 1 s of CPU time"


def test_a_program_that_is_not_there_is_the_authors_fault_in_clear_words(start: Start) -> None:
    session = start("", argv=("./no-such-program",))
    with pytest.raises(Eof):
        session.receive(soon())
    report = session.stop()
    assert report.reason == "could not be started (code 127): see its log"
    assert b"no-such-program" in report.stderr


def test_an_argument_with_quotes_newlines_and_dollars_arrives_as_it_is(start: Start) -> None:
    strange = "a'b\"c $HOME `id` \\ \n--go-- x"
    session = start("import sys\nprint(ascii(sys.argv[1]), flush=True)\n", argv=("python3", "-u", "bot.py", strange))
    assert session.receive(soon()) == ascii(strange).encode()
    session.stop()


def test_a_sandbox_outlives_the_thread_that_started_it(start: Start) -> None:
    sessions: list[Session] = []
    thread = threading.Thread(target=lambda: sessions.append(start(ECHO)))
    thread.start()
    thread.join()
    time.sleep(0.2)
    sessions[0].send(b"hello", soon())
    assert sessions[0].receive(soon()) == b"hello"
    sessions[0].stop()


def test_the_environment_is_the_languages_and_nothing_of_ours(
    start: Start, python: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET_OF_THE_WORKER", "x")
    session = start("import os\nprint(','.join(sorted(os.environ)), flush=True)\n")
    names = set(session.receive(soon()).decode().split(","))
    assert names - {"HOSTNAME", "PWD", "LC_CTYPE"} == set(python.env)
    session.stop()


@pytest.mark.slow
def test_sixteen_matches_at_once_charge_no_timeout_to_bots_that_use_a_fifth_of_their_time(
    sandbox: Sandbox, python: Runtime, tmp_path: Path
) -> None:
    honest = (PROGRAMS / "honest.py").read_text()
    (tmp_path / "honest.py").write_text(honest)
    (tmp_path / "bot.py").write_text(
        "import time\nfrom honest import answer, play\n"
        "def think(message):\n"
        "    until = time.process_time() + message['clock']['move_ms'] / 5000\n"
        "    while time.process_time() < until: pass\n"
        "    answer(message)\n"
        "play(answer=think)\n"
    )
    spec = SandboxSpec(runtime=python, folder=tmp_path, argv=("python3", "-u", "bot.py"))
    busy_with_other_things = os.getloadavg()[0] > 2 * (os.cpu_count() or 1)
    faults: list[Fault] = []
    finished: list[int] = []

    def match(number: int) -> None:
        sitting = SittingSpec(
            RuleSet.preset("podkidnoy"), 2, (DealSpec(0, 0, bytes([number]) * 32),), TimeControl(60_000, 200, 3_000)
        )
        for _ in range(5):
            try:
                outcome = play_sitting(sitting, [sandbox.start(spec) for _ in range(2)])
            except HostFault:
                continue  # void, because the host had even less to give: nobody is charged, and it is played again
            faults.extend(outcome.faults)
            finished.append(number)
            return

    threads = [threading.Thread(target=match, args=(number,)) for number in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert faults == []
    assert len(finished) == 16 or busy_with_other_things


def test_where_no_control_group_can_be_had_each_process_is_limited_and_compilers_are_refused(
    python_packages: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none() -> None:
        raise NoCgroups("read-only")

    monkeypatch.setattr("sandbox.bubblewrap.backend.find_hierarchy", none)
    with run_folder() as run:
        sandbox = BubblewrapSandbox(run)
        (tmp_path / "bot.py").write_text("print('up', flush=True)\nkept = bytearray(512 << 20)\n")
        argv = ("python3", "-u", "bot.py")
        session = sandbox.start(SandboxSpec(runtime=RUNTIMES["python"], folder=tmp_path, argv=argv))
        assert session.receive(soon()) == b"up"
        with pytest.raises(Eof):
            session.receive(soon())
        assert b"MemoryError" in session.stop().stderr
        with pytest.raises(HostFault, match="compilers need control groups"):
            sandbox.start(SandboxSpec(runtime=RUNTIMES["cpp"], folder=tmp_path, argv=argv))
        states = {control.name: control.state for control in sandbox.probe().controls}
        assert (states["memory"], states["processes"], states["network"]) == ("partial", "partial", "held")
        assert sandbox.probe().safe


@pytest.mark.docker
@pytest.mark.xdist_group("docker")
def test_a_container_that_waits_is_used_once_and_nothing_of_the_pool_is_left(
    docker_host: DockerHost, python_image: str, tmp_path: Path
) -> None:
    python = replace(RUNTIMES["python"], image=python_image)
    (tmp_path / "bot.py").write_text(ECHO)
    spec = SandboxSpec(runtime=python, folder=tmp_path, argv=("python3", "-u", "bot.py"))
    with run_folder() as run:
        sandbox = DockerSandbox(docker_host.socket, run=run)
        assert sandbox.warm(spec, 2) == 2
        waiting = {container.id for queue in sandbox.pool._idle.values() for container in queue}
        sessions = [sandbox.start(spec) for _ in range(2)]
        assert {session._container.id for session in sessions} == waiting
        for number, session in enumerate(sessions):
            session.send(str(number).encode(), soon())
            assert session.receive(soon()) == str(number).encode()
            session.stop()
        sandbox.close()
        assert not [path for path in sandbox.slots.folder.iterdir() if path.is_dir()]
        folder = str(sandbox.slots.folder)
        assert not sandbox.daemon.client.containers(all=True, filters={"label": f"durak.sandbox={folder}"})


def test_the_probe_finds_every_control_held_on_this_host(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    if sandbox.name == "docker":
        image = "durak-test/python:1"
        monkeypatch.setattr("sandbox.probe.RUNTIMES", {**RUNTIMES, "python": replace(RUNTIMES["python"], image=image)})
    found = sandbox.probe()
    assert {control.name: control.state for control in found.controls if control.state != "held"} == {}
    assert {control.name for control in found.controls} == set(WORDS)
    assert found.safe
    assert found.as_dict()["refusals"] == []


def test_a_timeout_is_told_at_the_absolute_deadline_although_bytes_trickle_in(start: Start) -> None:
    session = start("import sys, time\nwhile True:\n    sys.stdout.write('x'); sys.stdout.flush(); time.sleep(0.05)\n")
    began = time.monotonic()
    with pytest.raises(Timeout):
        session.receive(soon(1))
    assert time.monotonic() - began < 2
    session.stop()
