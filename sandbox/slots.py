"""Slots: a number, a uid and a folder for each running sandbox of a host, leased by file locks.

A slot belongs to whoever holds the lock on its lease file. The kernel drops the lock when the
holder dies, however it dies, so a slot that can be locked is free, and what lies in it is left
over from a crash. The lease file says for whom the slot was taken, for the sweep's report.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import os
import re
import shutil
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from sandbox.policy import BACKENDS, FIRST_UID, SLOTS
from sandbox.spec import Labels


class NoSlot(Exception):
    """Every slot of the host is taken."""


@dataclass(slots=True)
class Slot:
    """A slot that this process holds.

    `name` is that of its control group, `uid` (and gid) no other sandbox of this host has;
    `folder` exists, is empty at first, and can be read inside.
    """

    number: int
    name: str
    uid: int
    folder: Path
    _lease: int

    def is_abandoned(self) -> bool:
        """The holder before us died without giving the slot back."""
        return os.fstat(self._lease).st_size > 0

    def leave(self) -> None:
        """Give the lock back and change nothing."""
        if self._lease >= 0:
            os.close(self._lease)
            self._lease = -1

    def write(self, labels: Labels) -> None:
        """Note for whom the slot is taken."""
        text = json.dumps(labels.as_text()).encode()
        os.pwrite(self._lease, text, 0)
        os.ftruncate(self._lease, len(text))

    def release(self) -> None:
        """Empty the folder and give the slot back; a second call does nothing.

        What cannot be removed now is left to the sweep, and the slot is not used until then.
        """
        if self._lease >= 0:
            try:
                if self.folder.exists():
                    shutil.rmtree(self.folder)
                os.ftruncate(self._lease, 0)
            except OSError:
                pass
            finally:
                self.leave()


class Slots:
    """The slots of one backend under `run`; several processes share them.

    Raises:
        OSError: the folder cannot be made.
        ValueError: `DURAK_SANDBOX_UID` is no number.

    """

    def __init__(self, run: Path, backend: str, count: int = SLOTS) -> None:
        folder = run / backend
        self.folder, self.count = folder, count
        # Installations with other run folders have other control groups.
        self.prefix = f"{backend}-{hashlib.sha256(os.fsencode(folder)).hexdigest()[:6]}"
        given = os.environ.get("DURAK_SANDBOX_UID", str(FIRST_UID))
        if not re.fullmatch("[1-9][0-9]{0,8}", given):
            raise ValueError(f"DURAK_SANDBOX_UID is {given!r}; it must be a user's number, such as {FIRST_UID}")
        first = int(given)
        self.first_uid = first + SLOTS * BACKENDS.index(backend)
        folder.mkdir(mode=0o755, parents=True, exist_ok=True)
        owner = folder.stat().st_uid
        if owner != os.geteuid():
            raise PermissionError(f"{folder} belongs to uid {owner}, not to us; remove it or set DURAK_SANDBOX_RUN")
        self._next = os.getpid() % count

    def name(self, number: int) -> str:
        """The name of a slot's control group."""
        return f"{self.prefix}-{number}"

    def take(self, labels: Labels) -> Slot:
        """Lease a free slot.

        Raises:
            NoSlot: all are taken.
            OSError: the folder cannot be written.

        """
        for step in range(self.count):
            number = (self._next + step) % self.count
            slot = self._try(number)
            if slot is not None and slot.is_abandoned():
                # Left over from a crash: its processes may live, so it waits for the sweep.
                slot.leave()
                slot = None
            if slot is not None:
                # The next search starts behind: a uid rests before it is used again.
                self._next = number + 1
                slot.write(labels)
                return slot
        raise NoSlot(f"all {self.count} sandbox slots of this host are in use")

    def abandoned(self) -> Iterator[tuple[Slot, dict[str, str]]]:
        """Slots whose holder died without giving them back, now held by the caller."""
        for lease in sorted(self.folder.glob("*.lease")):
            with contextlib.suppress(OSError, ValueError):
                if lease.stat().st_size == 0:
                    continue
                slot = self._try(int(lease.stem))
                if slot is None:
                    continue
                if not slot.is_abandoned():
                    slot.leave()
                    continue
                try:
                    labels = json.loads(lease.read_text())
                except ValueError:  # its holder died while it wrote
                    labels = Labels().as_text()
                yield slot, labels

    def overdue(self, now: float | None = None) -> Iterator[tuple[int, dict[str, str]]]:
        """Held slots past their labels' deadline."""
        now = time.time() if now is None else now
        for lease in sorted(self.folder.glob("*.lease")):
            with contextlib.suppress(OSError, ValueError):
                labels = json.loads(lease.read_text() or "{}")
                if labels and float(labels["deadline"]) < now:
                    yield int(lease.stem), labels

    def is_held(self, number: int) -> bool:
        """Whether a living process holds the slot."""
        slot = self._try(number)
        if slot is not None:
            slot.leave()
        return slot is None

    def _try(self, number: int) -> Slot | None:
        path = self.folder / f"{number}.lease"
        lease = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        try:
            fcntl.flock(lease, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(lease)
            return None
        folder = self.folder / str(number)
        if os.fstat(lease).st_size == 0:
            try:
                shutil.rmtree(folder, ignore_errors=True)
                folder.mkdir(mode=0o755)
                folder.chmod(0o755)
            except OSError:
                os.close(lease)
                raise
        return Slot(number, self.name(number), self.first_uid + number, folder, lease)


def run_folder() -> Path:
    """Where leases and slot folders lie: `DURAK_SANDBOX_RUN`, or a place the system has for it."""
    if given := os.environ.get("DURAK_SANDBOX_RUN"):
        return Path(given)
    if os.geteuid() == 0:
        return Path("/run/durak-sandbox")
    if runtime := os.environ.get("XDG_RUNTIME_DIR"):
        return Path(runtime) / "durak-sandbox"
    return Path(tempfile.gettempdir()) / f"durak-sandbox-{os.geteuid()}"
