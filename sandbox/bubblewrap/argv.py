"""The policy in bubblewrap's words."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from glob import glob
from pathlib import Path
from typing import Final

from sandbox.limits import Limits
from sandbox.policy import (
    BOT_FOLDER,
    HIDDEN_PROC,
    HIDDEN_USR,
    HOSTNAME,
    INSIDE_UID,
    LIBRARY_FOLDER,
    Rlimit,
)

ETC_FILES: Final[Mapping[str, str]] = {
    "passwd": f"bot:x:{INSIDE_UID}:{INSIDE_UID}:bot:/tmp:/bin/sh\n",
    "group": f"bot:x:{INSIDE_UID}:\n",
    "hosts": "127.0.0.1 localhost\n",
    "nsswitch.conf": "passwd: files\ngroup: files\nhosts: files\n",
}
"""The whole of /etc inside, besides what a language's row asks for."""

HIDDEN_SIZE: Final = "4096"
STARTED: Final = "[sandbox ready]"


@dataclass(frozen=True, slots=True)
class View:
    """Host folders that the sandbox sees; `libraries` is None for a language without any."""

    bot: Path
    etc: Path
    libraries: Path | None
    host_paths: tuple[str, ...]


def options(view: View, limits: Limits, env: Mapping[str, str], fds: Mapping[str, int]) -> list[str]:
    """Everything but the command; `fds` holds seccomp, block and info."""
    return [
        *("--unshare-all", "--unshare-user", "--disable-userns", "--cap-drop", "ALL"),
        *("--uid", str(INSIDE_UID), "--gid", str(INSIDE_UID), "--hostname", HOSTNAME),
        *("--new-session", "--die-with-parent"),
        *("--seccomp", str(fds["seccomp"])),
        *("--block-fd", str(fds["block"]), "--info-fd", str(fds["info"])),
        *_system(),
        *_proc(),
        *("--dev", "/dev", "--size", str(limits.shm_bytes), "--perms", "1777"),
        *("--tmpfs", "/dev/shm", "--remount-ro", "/dev"),  # noqa: S108 - the sandbox's own
        *("--size", str(limits.tmp_bytes), "--perms", "1777", "--tmpfs", "/tmp"),  # noqa: S108 - the sandbox's own
        *_etc(view),
        *("--ro-bind", str(view.bot), BOT_FOLDER),
        *(("--ro-bind", str(view.libraries), LIBRARY_FOLDER) if view.libraries else ()),
        *("--remount-ro", "/", "--chdir", BOT_FOLDER),
        *(word for name, value in env.items() for word in ("--setenv", name, value)),
    ]


def command(argv: tuple[str, ...], rlimits: tuple[Rlimit, ...]) -> list[str]:
    """The program's argv behind a shell that lowers the limits of its process and its own.

    Before it becomes the program, the shell writes `STARTED` to stderr. A failure of the host
    while the sandbox is set up leaves no such mark, and nothing that the program does can take
    the mark back; so a program cannot pass its own failure off as the host's.
    """
    lower = " && ".join(
        f"ulimit -{row.letter} {row.ceiling // row.unit} && ulimit -S -{row.letter} {row.value // row.unit}"
        for row in rlimits
    )
    script = f'{lower} && printf %s "$0" >&2 && exec "$@"'
    return ["/bin/sh", "-c", script, STARTED, *argv]


def write_etc(folder: Path) -> None:
    """Lay the files of /etc in a folder of the host."""
    folder.mkdir(mode=0o755, parents=True, exist_ok=True)
    folder.chmod(0o755)
    for name, text in ETC_FILES.items():
        fresh = folder / f".{name}.{os.getpid()}"
        fresh.write_text(text)
        fresh.chmod(0o644)
        fresh.replace(folder / name)


def _system() -> Iterator[str]:
    yield from ("--ro-bind", "/usr", "/usr")
    for name in HIDDEN_USR:
        if Path("/usr", name).is_dir():
            yield from _covered(f"/usr/{name}")
    for name in ("bin", "sbin", "lib", "lib32", "lib64", "libx32"):
        path = Path("/", name)
        if path.is_symlink():
            yield from ("--symlink", str(path.readlink()), str(path))
        elif path.is_dir():
            yield from ("--ro-bind", str(path), str(path))


def _proc() -> Iterator[str]:
    yield from ("--proc", "/proc")
    for name in HIDDEN_PROC:
        path = Path("/proc", name)
        if path.is_symlink():
            continue
        if path.is_dir():
            yield from _covered(str(path))
        elif path.exists():
            yield from ("--ro-bind", "/dev/null", str(path))


def _covered(path: str) -> Iterator[str]:
    yield from ("--size", HIDDEN_SIZE, "--perms", "0555", "--tmpfs", path, "--remount-ro", path)


def _etc(view: View) -> Iterator[str]:
    for name in ETC_FILES:
        yield from ("--ro-bind", str(view.etc / name), f"/etc/{name}")
    for pattern in view.host_paths:
        for path in sorted(glob(pattern)):  # noqa: PTH207 - an absolute pattern
            yield from ("--ro-bind", path, path)
