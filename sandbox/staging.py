"""Laying a program's folder where the sandbox can read it.

A sandbox runs under a uid of its own, which cannot pass through a private parent folder nor read
a 0600 file; so the program is copied into the slot with the modes that it needs inside.
"""

from __future__ import annotations

import os
import shutil
import stat
from pathlib import Path


class StagingError(Exception):
    """The folder holds something that does not belong into a program; the message names it."""


def stage(source: Path, target: Path) -> None:
    """Copy regular files and folders; modes become 0755 and 0644 (0755 when any execute bit is set).

    `target` may exist and be empty.

    Raises:
        StagingError: a link, device, socket or pipe is found.
        OSError: reading or writing fails.

    """
    target.mkdir(mode=0o755, exist_ok=True)
    target.chmod(0o755)
    with os.scandir(source) as entries:
        for entry in entries:
            mode = entry.stat(follow_symlinks=False).st_mode
            destination = target / entry.name
            if stat.S_ISDIR(mode):
                stage(Path(entry.path), destination)
            elif stat.S_ISREG(mode):
                shutil.copyfile(entry.path, destination, follow_symlinks=False)
                destination.chmod(0o755 if mode & 0o111 else 0o644)
            else:
                raise StagingError(f"{entry.name} is neither a regular file nor a folder")


def readable_by_others(path: Path) -> bool:
    """Whether an unprivileged uid can reach `path` and read it."""
    try:
        for parent in path.resolve().parents:
            if not parent.stat().st_mode & stat.S_IXOTH:
                return False
        mode = path.stat().st_mode
    except OSError:
        return False
    wanted = stat.S_IROTH | (stat.S_IXOTH if stat.S_ISDIR(mode) else 0)
    return mode & wanted == wanted
