"""Every hostile build fails, or finds nothing, on the real backends, and the host is as it was."""

from __future__ import annotations

import contextlib
import re
import socket
import stat
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from bots_sdk.referee import HostFault
from sandbox import Sandbox
from sandbox.builds import BuildReport, build
from sandbox.bundles import Bundle
from sandbox.bundles.bundle import file_mode
from sandbox.runtimes import PRODUCTS, RUNTIMES, BuildLimits
from tests.sandbox.languages.hostile import FAILING, HARMLESS, LEFTOVER, Row, bundle_of

pytestmark = pytest.mark.slow

SECRET = "the-host-s-own-secret-4711"


@pytest.fixture
def secret(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A file of the host that everyone may read, and a variable of its environment."""
    monkeypatch.setenv("ARENA_SECRET", SECRET)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "secret"
        path.write_text(SECRET)
        path.chmod(0o444)
        Path(folder).chmod(0o755)
        yield str(path)


@pytest.fixture
def listener() -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0)
        yield server


@pytest.fixture
def language(row: Row) -> str:
    return row.language


def run(sandbox: Sandbox, row: Row, folder: Path, secret: str, listener: socket.socket) -> BuildReport:
    bundle = bundle_of(row, secret=secret, port=listener.getsockname()[1])
    limits = replace(RUNTIMES[row.language].build, **row.limits)
    report = build_on_a_busy_host(sandbox, bundle, folder, limits)
    assert SECRET not in report.log
    assert len(report.log) < 4 * 70_000
    assert report.log.replace("\n", "").replace("\t", "").isprintable()
    assert report.seconds < limits.seconds + 10
    with pytest.raises(BlockingIOError):
        listener.accept()
    until = time.monotonic() + 10
    while leftovers(sandbox) and time.monotonic() < until:
        time.sleep(0.1)
    assert leftovers(sandbox) == []
    return report


def build_on_a_busy_host(sandbox: Sandbox, bundle: Bundle, folder: Path, limits: BuildLimits) -> BuildReport:
    """Build again, as the arena does, when the host was too slow to tell whose fault it was."""
    for _ in range(4):
        try:
            return build(sandbox, bundle, folder, limits=limits)
        except HostFault as fault:
            reason = fault.reason
            assert "overloaded" in reason or "after a deadline" in reason
    raise AssertionError(reason)


def leftovers(sandbox: Sandbox) -> list[str]:
    """The processes that hostile builds in this sandbox left behind, as far as they still run."""
    found = []
    uids = range(sandbox.slots.first_uid, sandbox.slots.first_uid + sandbox.slots.count)
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):  # ended in the meantime
            if path.stat().st_uid in uids and path.read_bytes() == LEFTOVER:
                found.append(path.parent.name)
    return found


def rows(table: list[Row]) -> list[object]:
    return [pytest.param(row, id=f"{row.language}: {row.name}") for row in table]


@pytest.mark.parametrize("row", rows(FAILING))
def test_a_hostile_build_fails_with_its_reason(
    sandbox: Sandbox, row: Row, tmp_path: Path, secret: str, listener: socket.socket
) -> None:
    report = run(sandbox, row, tmp_path / "program", secret, listener)
    assert not report.ok
    assert report.output is None
    assert re.search(row.reason, report.reason), (report.reason, report.log)
    assert row.log in report.log, report.log
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("row", rows(HARMLESS))
def test_a_hostile_build_that_succeeds_leaves_only_plain_files(
    sandbox: Sandbox, row: Row, tmp_path: Path, secret: str, listener: socket.socket
) -> None:
    report = run(sandbox, row, tmp_path / "program", secret, listener)
    if not report.ok:
        assert re.search(row.reason or "$never", report.reason), (report.reason, report.log)
        return
    assert report.output is not None
    for path in report.output.rglob("*"):
        status = path.lstat()
        assert stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode)
        if path.is_file():
            assert stat.S_IMODE(status.st_mode) == file_mode(path.read_bytes())
            assert SECRET.encode() not in path.read_bytes()
    bundle = bundle_of(row, secret=secret, port=listener.getsockname()[1])
    kept = {
        path.relative_to(report.output).as_posix(): path.read_bytes()
        for path in report.output.rglob("*")
        if path.is_file() and PRODUCTS not in path.parts
    }
    assert kept == dict(bundle.files)
