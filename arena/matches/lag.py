"""Whether the host was the slow one: how late a thread that only sleeps is woken."""

from __future__ import annotations

import threading
import time
from collections import deque
from types import TracebackType
from typing import Self

STEP_MS = 20.0
NOISE_MS = 10.0
"""A delay below this is the interpreter's own: its threads take turns."""
REMEMBERED = 4096
"""Delays; at a step each they reach back over a minute."""


class LagMeter:
    """Measures by how much the host overslept while the block was run.

    ``worst_ms`` is the longest of all delays above the noise.
    """

    def __init__(self) -> None:
        self.worst_ms = 0.0
        self._delays: deque[tuple[float, float]] = deque(maxlen=REMEMBERED)
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._run, name="lag-meter", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._done.set()
        self._thread.join()

    def _run(self) -> None:
        before = time.monotonic()
        while not self._done.wait(STEP_MS / 1000):
            now = time.monotonic()
            self._note((now - before) * 1000 - STEP_MS)
            before = now

    def lost_within(self, ms: float) -> float:
        """The sum of the delays of the last ``ms`` milliseconds; what was lost long ago excuses nothing."""
        since = time.monotonic() - ms / 1000
        return sum(late_ms for at, late_ms in list(self._delays) if at >= since)

    def _note(self, late_ms: float) -> None:
        if late_ms > NOISE_MS:
            self._delays.append((time.monotonic(), late_ms))
            self.worst_ms = max(self.worst_ms, late_ms)
