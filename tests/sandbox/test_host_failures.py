"""When the host fails, the attempt is void with its reason, no bot is charged, nothing is left."""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from docker.errors import DockerException

from bots_sdk.referee.player import Eof, HostFault, Timeout
from sandbox.base import CannotStart, Sandbox
from sandbox.bubblewrap import BubblewrapSandbox
from sandbox.docker import DockerSandbox
from sandbox.runtimes import RUNTIMES, Runtime
from sandbox.spec import Labels, SandboxSpec
from tests.docker_host.daemon import Daemon
from tests.docker_host.fixtures import DockerHost
from tests.sandbox.attacks.traces import traces
from tests.sandbox.conftest import PYTHON_IMAGE, run_folder

pytestmark = pytest.mark.alone

ECHO = "import sys\nfor line in sys.stdin: print(line, end='', flush=True)\n"
SPIN = "print('up', flush=True)\nwhile True: pass\n"
REPOSITORY = Path(__file__).parents[2]


@pytest.fixture
def echo(tmp_path: Path) -> Path:
    (tmp_path / "bot.py").write_text(ECHO)
    return tmp_path


def spec(runtime: Runtime, folder: Path, labels: Labels | None = None) -> SandboxSpec:
    return SandboxSpec(
        runtime=runtime, folder=folder, argv=("python3", "-u", "bot.py"), labels=labels or Labels(match="test")
    )


def soon(seconds: float = 20) -> float:
    return time.monotonic() + seconds


def left_over(sandbox: Sandbox, before: set[str], seconds: float = 10) -> set[str]:
    """What is there that was not before, once the machine has had a moment."""
    if isinstance(sandbox, DockerSandbox):
        sandbox.reaper.wait()
    until = time.monotonic() + seconds
    while (left := traces(sandbox.slots) - before) and time.monotonic() < until:
        time.sleep(0.1)
    return left


def warmed_up(sandbox: Sandbox, runtime: Runtime, folder: Path) -> set[str]:
    """The traces once connections are open and leases made."""
    session = sandbox.start(spec(runtime, folder))
    session.stop()
    left_over(sandbox, set(), 2)
    return traces(sandbox.slots)


def test_out_of_descriptors_is_the_hosts_fault_and_leaves_nothing(
    sandbox: Sandbox, python: Runtime, echo: Path
) -> None:
    before = warmed_up(sandbox, python, echo)
    with few_descriptors(left=1), pytest.raises(CannotStart, match="Too many open files"):
        sandbox.start(spec(python, echo))
    # Without descriptors nothing can be tidied up either; what was left is found by the sweep.
    sandbox.sweep()
    assert not left_over(sandbox, before)
    session = sandbox.start(spec(python, echo))
    session.send(b"again", soon())
    assert session.receive(soon()) == b"again"
    session.stop()


def test_a_full_disk_is_the_hosts_fault_and_leaves_nothing(sandbox: Sandbox, python: Runtime, echo: Path) -> None:
    before = warmed_up(sandbox, python, echo)
    (echo / "large.bin").write_bytes(bytes(8 << 20))
    with small_disk(sandbox.slots.folder.parent):
        sandbox.slots.folder.mkdir()
        with pytest.raises(CannotStart, match="No space left"):
            sandbox.start(spec(python, echo))
        # The reaper works on that disk too.
        assert not isinstance(sandbox, DockerSandbox) or sandbox.reaper.wait()
        assert not any(path.is_dir() for path in sandbox.slots.folder.iterdir())
    assert not left_over(sandbox, before)


@contextlib.contextmanager
def few_descriptors(*, left: int) -> Iterator[None]:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(soft, 256), hard))
    taken = []
    try:
        with contextlib.suppress(OSError):
            while True:
                taken.append(os.open("/dev/null", os.O_RDONLY))
        for _ in range(left):
            os.close(taken.pop())
        yield
    finally:
        for fd in taken:
            os.close(fd)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@contextlib.contextmanager
def small_disk(folder: Path) -> Iterator[None]:
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.mount(b"tmpfs", os.fsencode(folder), b"tmpfs", 0, b"size=1m"):
        pytest.skip("needs the right to mount")
    try:
        yield
    finally:
        assert libc.umount2(os.fsencode(folder), 2) == 0


def test_a_program_folder_with_a_link_is_refused_before_anything_runs(
    sandbox: Sandbox, python: Runtime, echo: Path
) -> None:
    (echo / "passwd").symlink_to("/etc/passwd")
    with pytest.raises(HostFault, match="neither a regular file nor a folder") as raised:
        sandbox.start(spec(python, echo))
    # That is this program's, and says nothing of the host.
    assert not isinstance(raised.value, CannotStart)


def test_a_sandbox_past_its_deadline_is_swept_and_nobody_is_charged(
    sandbox: Sandbox, python: Runtime, echo: Path
) -> None:
    session = sandbox.start(spec(python, echo, Labels(match="overdue", deadline=time.time() + 1)))
    session.send(b"hello", soon())
    assert session.receive(soon()) == b"hello"
    time.sleep(1.1)
    assert "deadline" in "".join(sandbox.sweep())
    with pytest.raises(HostFault, match="deadline"):
        session.receive(soon())
    session.stop()
    assert sandbox.sweep() == []


def test_what_a_killed_worker_left_is_swept_and_what_lives_is_not(
    sandbox: Sandbox, python: Runtime, echo: Path, request: pytest.FixtureRequest
) -> None:
    before = warmed_up(sandbox, python, echo)
    alive = sandbox.start(spec(python, echo))
    script = f"""
import sys, time
from dataclasses import replace
from pathlib import Path
from sandbox.bubblewrap import BubblewrapSandbox
from sandbox.docker import DockerSandbox
from sandbox.runtimes import RUNTIMES
from sandbox.spec import Labels, SandboxSpec
run = Path({str(sandbox.slots.folder.parent)!r})
python = replace(RUNTIMES["python"], image={PYTHON_IMAGE!r})
if {sandbox.name!r} == "docker":
    sandbox = DockerSandbox({getattr(getattr(sandbox, "daemon", None), "address", None)!r}, run=run, pool_bytes=0)
else:
    sandbox = BubblewrapSandbox(run)
labels = Labels(worker="doomed", match="42")
session = sandbox.start(SandboxSpec(runtime=python, folder=Path({str(echo)!r}), argv=("python3", "-u", "bot.py"),
                                    labels=labels))
session.send(b"x", time.monotonic() + 20)
print(session.receive(time.monotonic() + 20), flush=True)
time.sleep(600)
"""
    environment = {**os.environ, "DURAK_SANDBOX_UID": str(sandbox.slots.first_uid)}
    if sandbox.name == "docker":
        environment["DURAK_SANDBOX_UID"] = str(sandbox.slots.first_uid - sandbox.slots.count)
    worker = subprocess.Popen([sys.executable, "-c", script], cwd=REPOSITORY, stdout=subprocess.PIPE, env=environment)
    assert worker.stdout is not None
    assert worker.stdout.readline() == b"b'x'\n"
    assert sandbox.sweep() == []
    worker.send_signal(signal.SIGKILL)
    worker.wait()
    worker.stdout.close()
    time.sleep(0.2)

    lines = sandbox.sweep()
    assert any("worker doomed, match 42" in line for line in lines), lines
    assert sandbox.sweep() == []
    alive.send(b"still here", soon())
    assert alive.receive(soon()) == b"still here"
    alive.stop()
    assert not left_over(sandbox, before)


def test_a_starved_bot_is_not_charged_and_a_sleeping_one_is(sandbox: Sandbox, python: Runtime, tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(SPIN)
    idle = tmp_path / "idle"
    idle.mkdir()
    (idle / "bot.py").write_text("import time\nprint('up', flush=True)\ntime.sleep(600)\n")
    spinner, sleeper = sandbox.start(spec(python, tmp_path)), sandbox.start(spec(python, idle))
    assert spinner.receive(soon()) == b"up"
    assert sleeper.receive(soon()) == b"up"
    crowd = [
        # Each in a session of its own: the kernel may weigh a whole session as one process.
        subprocess.Popen([sys.executable, "-S", "-c", "while True: pass"], start_new_session=True)
        for _ in range(8 * (os.cpu_count() or 1))
    ]
    try:
        time.sleep(0.5)
        with pytest.raises(HostFault, match=r"overloaded: in .* ms the bot waited"):
            spinner.receive(soon(0.5))
        with pytest.raises(Timeout):
            sleeper.receive(soon(0.1))
    finally:
        for process in crowd:
            process.kill()
        for process in crowd:
            process.wait()
        spinner.stop()
        sleeper.stop()


def test_a_sandbox_killed_from_outside_is_not_the_bots_crash(python_packages: Path, echo: Path) -> None:
    with run_folder() as run:
        sandbox = BubblewrapSandbox(run)
        session = sandbox.start(spec(RUNTIMES["python"], echo))
        os.kill(session._process.outer, signal.SIGKILL)
        with pytest.raises(HostFault, match="killed from outside, by signal 9"):
            session.receive(soon())
        session.stop()


def start_and_listen(sandbox: Sandbox, folder: Path) -> None:
    session = sandbox.start(spec(RUNTIMES["python"], folder))
    try:
        session.receive(soon())
    finally:
        session.stop()


def test_a_setup_that_fails_is_the_hosts_fault(python_packages: Path, echo: Path) -> None:
    with run_folder() as run:
        sandbox = BubblewrapSandbox(run)
        (sandbox._etc / "hosts").unlink()
        for _ in range(5):  # bwrap may be seen to end before, while or after its pipes close
            with pytest.raises(CannotStart, match="hosts"):
                start_and_listen(sandbox, echo)
        assert not list(run.glob("bubblewrap/*/"))


def test_a_bot_cannot_pass_its_own_crash_off_as_the_hosts(sandbox: Sandbox, python: Runtime, tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(
        "import sys\n"
        "sys.stderr.write('bwrap: Can\\'t mount proc on /newroot/proc: Permission denied\\n')\n"
        "sys.exit(1)\n"
    )
    session = sandbox.start(spec(python, tmp_path))
    with pytest.raises(Exception, match="closed its stdout"):
        session.receive(soon())
    assert session.stop().reason == "exited with code 1"


def test_a_language_that_the_host_lacks_is_the_hosts_fault(python_packages: Path, echo: Path) -> None:
    with run_folder() as run:
        sandbox = BubblewrapSandbox(run)
        lacking = replace(
            RUNTIMES["rust"],
            name="cobol",
            title="COBOL",
            packages=(replace(RUNTIMES["rust"].packages[0], name="gnucobol", proof="/nowhere"),),
        )
        with pytest.raises(CannotStart, match="cannot run COBOL: apt-get install gnucobol"):
            sandbox.start(spec(lacking, echo))


@pytest.mark.docker
@pytest.mark.xdist_group("docker")
def test_a_missing_image_is_the_hosts_fault_and_leaves_nothing(docker_host: DockerHost, echo: Path) -> None:
    with run_folder() as run:
        sandbox = DockerSandbox(docker_host.socket, run=run, pool_bytes=0)
        with pytest.raises(CannotStart, match="python -m sandbox images build"):
            sandbox.start(spec(replace(RUNTIMES["python"], image="durak-test/nowhere:1"), echo))
        assert not list(run.glob("docker/*/"))
        sandbox.close()


@pytest.mark.parametrize("step", [-86_400, 86_400])
def test_a_stepped_clock_neither_hurries_a_bot_nor_charges_it(
    sandbox: Sandbox, python: Runtime, echo: Path, step: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = sandbox.start(spec(python, echo))
    real = time.time
    monkeypatch.setattr(time, "time", lambda: real() + step)
    session.send(b"what is the time?", soon())
    assert session.receive(soon()) == b"what is the time?"
    with pytest.raises(Timeout):
        session.receive(soon(0.3))
    session.stop()


@pytest.mark.docker
@pytest.mark.xdist_group("docker")
def test_a_daemon_that_goes_away_while_it_is_asked_how_a_bot_ended_is_not_the_bots_crash(
    docker_host: DockerHost, python_image: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bot.py").write_text("raise SystemExit(3)\n")
    python = replace(RUNTIMES["python"], image=python_image)
    with run_folder() as run:
        sandbox = DockerSandbox(docker_host.socket, run=run, pool_bytes=0)
        session = sandbox.start(spec(python, tmp_path))
        with pytest.raises(Eof):
            session.receive(soon())

        def away(_: str) -> None:
            raise DockerException("connection refused")

        monkeypatch.setattr(sandbox.daemon, "inspect", away)
        for _ in range(2):
            with pytest.raises(HostFault, match="the Docker daemon went away"):
                session.stop()
        monkeypatch.undo()
        assert sandbox.reaper.wait()
        assert not [trace for trace in traces(sandbox.slots) if not trace.endswith("descriptors")]
        sandbox.close()


@pytest.mark.slow
@pytest.mark.docker
@pytest.mark.xdist_group("docker")
@pytest.mark.parametrize("end", ["kill", "stop"])
def test_a_daemon_that_goes_away_voids_the_attempt_and_the_sweep_after_its_restart_leaves_nothing(
    docker_host: DockerHost, python_image: str, echo: Path, end: str
) -> None:
    python = replace(RUNTIMES["python"], image=python_image)
    with private_daemon(docker_host, python_image) as daemon, run_folder() as run:
        sandbox = DockerSandbox(daemon.socket, run=run, pool_bytes=0)
        sessions = [sandbox.start(spec(python, echo)) for _ in range(2)]
        for session in sessions:
            session.send(b"x", soon())
            assert session.receive(soon()) == b"x"
        getattr(daemon, end)()
        with pytest.raises(HostFault, match="Docker daemon"):
            sessions[0].receive(soon())
        daemon.start()
        with pytest.raises(HostFault, match="Docker daemon"):
            sessions[1].receive(soon())
        for session in sessions:
            session.stop()
        assert sandbox.reaper.wait()
        sandbox.sweep()
        assert sandbox.daemon.client.containers(all=True) == []
        assert not [trace for trace in traces(sandbox.slots) if not trace.endswith("descriptors")]
        again = sandbox.start(spec(python, echo))
        again.send(b"back", soon())
        assert again.receive(soon()) == b"back"
        again.stop()
        sandbox.close()


@contextlib.contextmanager
def private_daemon(host: DockerHost, image: str) -> Iterator[Daemon]:
    """A second daemon, which a test may kill, with the image copied over."""
    with tempfile.TemporaryDirectory(prefix="durak-docker-") as name:
        daemon = Daemon(Path(name) / "data", Path(name) / "run")
        daemon.start()
        try:
            source, target = host.client(), docker_client(daemon)
            target.load_image(source.get_image(image))
            source.close()
            target.close()
            yield daemon
        finally:
            daemon.stop()


def docker_client(daemon: Daemon):
    import docker

    return docker.APIClient(daemon.socket, timeout=120)
