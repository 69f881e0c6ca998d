"""Removing containers behind the referee's back: it takes a tenth of a second that no match waits for."""

from __future__ import annotations

import os
import queue
import threading
import time
from collections.abc import Callable
from typing import Final

from sandbox.docker.client import FAILURES
from sandbox.docker.session import Container

PAUSES: Final = (0.2, 1.0, 5.0)
"""Seconds between tries while the daemon does not answer; after the last the sweep has it."""


class Reaper:
    """Calls `remove` for each container, in one thread for each process, until it succeeds or `give_up` is left."""

    def __init__(self, remove: Callable[[Container], None], give_up: Callable[[Container], None]) -> None:
        self._remove, self._give_up = remove, give_up
        self._lock = threading.Lock()
        self._reset()

    def _reset(self) -> None:
        self._pid = os.getpid()
        self._queue: queue.SimpleQueue[Container] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._pending = 0
        self._done = threading.Condition()

    def take(self, container: Container) -> None:
        """Have a container removed; returns at once."""
        with self._lock:
            if self._pid != os.getpid():
                self._reset()
            with self._done:
                self._pending += 1
            self._queue.put(container)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, daemon=True, name="docker-reaper")
                self._thread.start()

    def wait(self, seconds: float = 30.0) -> bool:
        """Wait until all is removed; False if it took too long."""
        if self._pid != os.getpid():
            return True
        with self._done:
            return self._done.wait_for(lambda: self._pending == 0, seconds)

    def _run(self) -> None:
        while True:
            container = self._queue.get()
            for pause in (*PAUSES, None):
                try:
                    self._remove(container)
                    break
                except FAILURES:
                    if pause is None:
                        self._give_up(container)
                    else:
                        time.sleep(pause)
            with self._done:
                self._pending -= 1
                self._done.notify_all()
