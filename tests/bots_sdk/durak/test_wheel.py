"""Building the package: compiled where a compiler is, pure Python where none is, the same game in both."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.bots_sdk.durak.tables import TABLES
from tests.bots_sdk.durak.test_records import REPLAY, ROOT, played

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """A copy of what a wheel is built from."""
    folder = tmp_path / "source"
    for package in ("bots_sdk", "sandbox"):
        shutil.copytree(ROOT / package, folder / package, ignore=shutil.ignore_patterns("__pycache__", "*.so"))
    for name in ("setup.py", "pyproject.toml", "README.md"):
        shutil.copy(ROOT / name, folder)
    return folder


def run(command: list[str], folder: Path, **environment: str) -> str:
    """Run a build and return its log."""
    done = subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-4000:]
    return done.stdout


def wheel_of(source: Path, **environment: str) -> tuple[Path, str]:
    """Build a wheel as an installer does, unpack it and return the folder and the log."""
    out = source.parent / "out"
    if shutil.which("uv"):
        command = ["uv", "build", "--wheel", "--python", sys.executable, "-o", str(out), "."]
    else:
        command = [sys.executable, "-m", "pip", "wheel", "-v", "--no-deps", "-w", str(out), "."]
    log = run(command, source, **environment)
    [wheel] = out.glob("*.whl")
    unpacked = source.parent / "unpacked"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(unpacked)
    assert wheel.name.endswith("-py3-none-any.whl") == ("DURAK_PURE" in environment or "CC" in environment)
    return unpacked, log


def told(folder: Path) -> str:
    """What the engine in this folder makes of one deal of every preset and number of seats."""
    records = [played(name, seats, f"{name:>20} {seats}".encode()) for name, seats in TABLES]
    done = subprocess.run(
        [sys.executable, "-c", REPLAY],
        input="\n\n".join(record.to_text().strip() for record in records),
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(folder)},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_wheel_is_compiled_and_plays_every_preset_as_the_source_does(source: Path) -> None:
    if shutil.which("gcc") is None and shutil.which("cc") is None:
        pytest.fail("this test needs a C compiler: apt-get install gcc")
    unpacked, log = wheel_of(source)
    assert "durak-arena: the engine is compiled" in log
    where = run(
        [sys.executable, "-c", "import bots_sdk.durak.bout as bout; print(bout.__file__)"],
        unpacked,
        PYTHONPATH=str(unpacked),
    )
    assert where.strip().endswith((".so", ".pyd"))
    assert (unpacked / "bots_sdk" / "py.typed").exists()
    assert told(unpacked) == told(ROOT)
    assert " passed" in check_compiled(unpacked, source.parent / "checks")


def check_compiled(unpacked: Path, folder: Path) -> str:
    """Run tests of what compiling can change against an unpacked wheel: values, and the two referees in step."""
    shutil.copytree(ROOT / "tests" / "bots_sdk" / "durak", folder / "tests" / "bots_sdk" / "durak")
    (folder / "pytest.ini").write_text("[pytest]\nmarkers = slow: left out\n")
    tests = [f"tests/bots_sdk/durak/test_{name}.py" for name in ("values", "moves", "lockstep")]
    options = ["-q", "--import-mode=importlib", "-m", "not slow", "-p", "no:django", "-p", "no:cacheprovider"]
    python_path = f"{unpacked}{os.pathsep}{folder}"
    return run([sys.executable, "-m", "pytest", *options, *tests], folder, PYTHONPATH=python_path)


def test_a_wheel_is_pure_python_where_there_is_no_compiler_and_says_so(source: Path) -> None:
    unpacked, log = wheel_of(source, CC="no-such-compiler")
    assert "durak-arena: the engine stays pure Python: there is no C compiler no-such-compiler" in log
    assert not list(unpacked.rglob("*.so"))
    assert (unpacked / "bots_sdk" / "durak" / "bout.py").exists()


def test_a_compiler_that_fails_leaves_a_pure_package_and_the_build_goes_on(source: Path) -> None:
    log = run([sys.executable, "setup.py", "build"], source, CC="false")
    assert "durak-arena: the engine stays pure Python: " in log
    [built] = source.glob("build/lib*")
    assert not list(built.rglob("*.so"))
    assert (built / "bots_sdk" / "durak" / "bout.py").exists()


def test_an_editable_install_runs_the_source(source: Path) -> None:
    log = run([sys.executable, "setup.py", "develop", "--help"], source)
    assert "the engine stays pure Python: this is an editable install" in log
