"""The folder of Python packages that bots may import: the SDK, NumPy and msgspec.

`python -m sandbox prepare` makes it once, for the interpreter that bots get (`/usr/bin/python3`,
whose ABI need not be ours), from a hash-locked list; a match never installs anything.
"""

from __future__ import annotations

import contextlib
import fcntl
import functools
import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import bots_sdk

INTERPRETER: Final = "/usr/bin/python3"
REQUIREMENTS: Final = Path(__file__).parent / "python-packages.txt"
READY: Final = ".ready"


class NotPrepared(Exception):
    """The folder is not there yet; the message says how to make it."""


class CannotPrepare(Exception):
    """The folder cannot be made; the message says why and what to do."""


def prepare(into: Path | None = None, *, version: str | None = None) -> Path:
    """Make the folder if it is not there, and return it. Safe to call from several processes.

    `version` is that of the Python which is to import from it ("3.11"); this host's
    `/usr/bin/python3` unless given. Byte code is written ahead where the host has that version.

    Raises:
        CannotPrepare: no interpreter, no installer, or the download failed.
        OSError: the folder cannot be written.

    """
    return _make(into or packages_root(), version or _host_version(), download=True)


@functools.cache
def prepared() -> Path:
    """The prepared folder of this host; nothing is downloaded, but a changed SDK is laid anew.

    Raises:
        NotPrepared: it has not been made for this list and interpreter.

    """
    try:
        return _make(packages_root(), _host_version(), download=False)
    except (CannotPrepare, OSError) as error:
        raise NotPrepared(f"the packages for Python bots are missing: {error}") from error


def _make(root: Path, version: str, *, download: bool) -> Path:
    base = root / f"downloads-{_name(version)}-{_digest([REQUIREMENTS])}"
    target = root / f"{_name(version)}-{_digest([REQUIREMENTS, *_sdk_sources()])}"
    if (target / READY).exists():
        return target
    if not download and not (base / READY).exists():
        raise CannotPrepare("run `python -m sandbox prepare`")
    root.mkdir(mode=0o755, parents=True, exist_ok=True)
    with (root / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (base / READY).exists():
            with _fresh(base) as folder:
                _install(folder, version)
                _compile(folder, version)
        if not (target / READY).exists():
            with _fresh(target) as folder:
                # Links: what was downloaded is kept once, however often the SDK changes.
                shutil.copytree(base, folder, copy_function=os.link, dirs_exist_ok=True)
                _copy_sdk(folder)
                _compile(folder / "bots_sdk", version)
    return target


@contextlib.contextmanager
def _fresh(target: Path) -> Iterator[Path]:
    """A new folder that becomes `target` when all went well."""
    folder = target.with_name(f".{target.name}.fresh")
    for old in (folder, target):
        shutil.rmtree(old, ignore_errors=True)
    folder.mkdir(mode=0o755)
    yield folder
    (folder / READY).touch()
    folder.rename(target)


def packages_root() -> Path:
    """Where prepared folders lie: `DURAK_SANDBOX_PACKAGES`, or a cache that every slot can read."""
    if given := os.environ.get("DURAK_SANDBOX_PACKAGES"):
        return Path(given)
    if os.geteuid() == 0:
        return Path("/var/cache/durak-sandbox/python")
    cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(cache) / "durak-sandbox" / "python"


def _name(version: str) -> str:
    return f"cp{version.replace('.', '')}"


def _digest(files: list[Path]) -> str:
    """Changes with the content of the files."""
    digest = hashlib.sha256()
    for file in files:
        digest.update(f"{file.parent.name}/{file.name}\0".encode() + file.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


@functools.cache
def _host_version() -> str:
    code = "import sys; print('%d.%d' % sys.version_info[:2])"
    try:
        done = subprocess.run(
            [INTERPRETER, "-I", "-S", "-c", code], capture_output=True, text=True, timeout=20, check=True
        )
    except (OSError, subprocess.SubprocessError) as error:
        raise CannotPrepare(
            f"{INTERPRETER} does not run ({error}); install it with `apt-get install python3`"
        ) from error
    return done.stdout.strip()


def _sdk_folder() -> Path:
    return Path(bots_sdk.__file__ or "").parent


def _sdk_sources() -> list[Path]:
    folder = _sdk_folder()
    return sorted(path for path in folder.rglob("*.py") if "reference" not in path.parts)


def _copy_sdk(target: Path) -> None:
    for source in _sdk_sources():
        destination = target / "bots_sdk" / source.relative_to(_sdk_folder())
        destination.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
        shutil.copyfile(source, destination)


def _install(target: Path, version: str) -> None:
    wanted = ["--python-version", version, "--target", str(target)]
    wanted += ["--only-binary", ":all:", "--require-hashes", "-r", str(REQUIREMENTS)]
    if importlib.util.find_spec("pip"):
        installer = [sys.executable, "-m", "pip", "install", "--no-deps", "--no-compile", "--quiet"]
    elif uv := shutil.which("uv"):
        installer = [uv, "pip", "install", "--quiet"]
    else:
        raise CannotPrepare("neither pip nor uv is here; install one, for example python3-pip")
    done = subprocess.run([*installer, *wanted], capture_output=True, text=True, check=False)
    if done.returncode:
        raise CannotPrepare(f"installing the packages for bots failed:\n{done.stderr.strip()}")


def _compile(target: Path, version: str) -> None:
    """Write byte code ahead: the folder is read-only inside; hashes, so that dates do not matter."""
    line = [INTERPRETER, "-I", "-m", "compileall", "-q", "--invalidation-mode", "unchecked-hash"]
    with contextlib.suppress(CannotPrepare):
        if _host_version() == version:
            subprocess.run([*line, target], check=False, capture_output=True)
    for path in [target, *target.rglob("*")]:
        path.chmod(0o755 if path.is_dir() else 0o644)
