"""Whether the host was the slow one: how late a thread that only sleeps is woken."""

from __future__ import annotations

import threading
import time
from types import TracebackType
from typing import Self

STEP_SECONDS = 0.02


class LagMeter:
    """Measures, until the block is left, by how much the host overslept; ``worst_ms`` is the longest so far."""

    def __init__(self) -> None:
        self.worst_ms = 0.0
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._run, name="lag-meter", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._done.set()
        self._thread.join()

    def _run(self) -> None:
        before = time.monotonic()
        while not self._done.wait(STEP_SECONDS):
            now = time.monotonic()
            self.worst_ms = max(self.worst_ms, (now - before - STEP_SECONDS) * 1000)
            before = now
