"""A lease kept alive while long work runs in the main thread."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from datetime import timedelta
from types import TracebackType
from typing import Self

from django.db import DatabaseError, connections

log = logging.getLogger(__name__)

OFTEN_SECONDS = 2.0
"""So soon a worker hears that its match was called off, and others how far it is."""
LONGEST_WAIT = timedelta(minutes=1)


def back_off(failed: int, *, first: timedelta = timedelta(seconds=1)) -> timedelta:
    """How long to wait after so many failed attempts: ``first``, then twice as long each time, up to a minute."""
    return min(first * 2 ** min(failed - 1, 10), LONGEST_WAIT) if failed else timedelta()


class LeaseKeeper:
    """Calls ``renew()`` every two seconds, or third of the lease, from a thread of its own until the block is left.

    ``renew`` returns whether the lease is still held. Once it says no, ``lost`` is set for good. A database that
    cannot be reached is tried again: whether the lease has run out is then decided where the result is saved, by the
    database's own clock.
    """

    def __init__(self, renew: Callable[[], bool], *, lease_seconds: float) -> None:
        self.lost = threading.Event()
        self._renew = renew
        self._every = min(lease_seconds / 3, OFTEN_SECONDS)
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._run, name="lease-keeper", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._done.set()
        self._thread.join()

    def _run(self) -> None:
        try:
            while not self._done.wait(self._every):
                try:
                    held = self._renew()
                except DatabaseError:
                    log.warning("The lease could not be renewed; trying again.", exc_info=True)
                    connections.close_all()
                    continue
                if not held:
                    self.lost.set()
                    return
        finally:
            connections.close_all()
