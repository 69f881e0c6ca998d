"""What a build leaves behind, and what it says, for an author's ordinary doings."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from bots_sdk.referee import HostFault
from sandbox import Sandbox, SandboxSpec
from sandbox.builds import build
from sandbox.bundles import Bundle
from sandbox.runtimes import PRODUCTS
from tests.sandbox.bundles.archives import FILES, MANIFEST, zip_of

pytestmark = pytest.mark.parametrize("language", ["python"])

BUNDLE = Bundle.from_archive(zip_of(FILES))


def with_files(**files: bytes) -> Bundle:
    return Bundle.from_archive(zip_of(FILES | {name.replace("__", "."): data for name, data in files.items()}))


def open_descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def test_a_syntax_error_is_shown_with_its_file_and_line(sandbox: Sandbox, tmp_path: Path) -> None:
    report = build(sandbox, with_files(helper__py=b"x = 1\nif x\n    pass\n"), tmp_path / "program")
    assert not report.ok
    assert "helper.py" in report.log
    assert "line 2" in report.log
    assert report.reason == "the compiler ended with status 1; see its log"
    assert not (tmp_path / "program").exists()


def test_an_interpreted_bot_s_program_is_its_files_alone(sandbox: Sandbox, tmp_path: Path) -> None:
    report = build(sandbox, BUNDLE, tmp_path / "program")
    assert report.ok
    assert report.output == tmp_path / "program"
    assert {path.name for path in report.output.rglob("*")} == set(FILES)
    assert not (report.output / PRODUCTS).exists()


def test_a_folder_in_use_is_left_as_it_is(sandbox: Sandbox, tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("x")
    with pytest.raises(FileExistsError):
        build(sandbox, BUNDLE, tmp_path)
    assert (tmp_path / "mine").read_text() == "x"


def test_a_host_that_cannot_start_a_build_charges_nobody_and_leaves_no_folder(
    sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: SandboxSpec) -> None:
        raise HostFault("no room")

    monkeypatch.setattr(sandbox, "start", fail)
    with pytest.raises(HostFault, match="no room"):
        build(sandbox, BUNDLE, tmp_path / "program")
    assert not (tmp_path / "program").exists()


def test_builds_leave_no_descriptor_open(sandbox: Sandbox, tmp_path: Path) -> None:
    build(sandbox, BUNDLE, tmp_path / "warm")
    before = open_descriptors()
    builds = 6
    for number in range(builds):
        assert build(sandbox, BUNDLE, tmp_path / str(number)).ok
    # The client keeps a connection to the daemon for each thread that wanted one at the same time.
    kept = 2 if sandbox.name == "docker" else 0
    until = time.monotonic() + 10
    while open_descriptors() > before + kept and time.monotonic() < until:
        time.sleep(0.1)
    assert open_descriptors() <= before + kept
    assert kept < builds


def test_the_log_is_made_printable(sandbox: Sandbox, tmp_path: Path) -> None:
    report = build(sandbox, with_files(odd__py="x = '\x1b[31m\u202e' 1\n".encode()), tmp_path / "program")
    assert not report.ok
    assert "\x1b" not in report.log
    assert "\u202e" not in report.log
    assert "\\x1b[31m\\u202e" in report.log


def test_the_manifest_s_language_decides_how_it_is_built(sandbox: Sandbox, tmp_path: Path) -> None:
    wrong = Bundle.from_archive(zip_of({"durak.toml": MANIFEST, "bot.py": b"console.log('hi');\nlet x;\n"}))
    assert not build(sandbox, wrong, tmp_path / "program").ok
