"""Containers started ahead, waiting at their gates.

Starting a hardened container takes a fifth of a second; opening a gate takes a few milliseconds.
A gated container is used once. For each kind as many are kept ready as were lately in use at once,
within a bound on their memory, and one that has waited too long is thrown away. The filling is
done by one background thread.
"""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Final

from sandbox.docker.container import Kind
from sandbox.docker.session import Container

IDLE_BYTES: Final = 16 * 1024 * 1024
"""What one idle container costs the host at most (measured: 0.5 MiB inside, 13 MiB resident for its shim)."""


class WarmPool:
    """`create` makes a gated container, `discard` does away with one; both may take long.

    `memory_bytes` bounds what idle containers may cost (`IDLE_BYTES` each); 0 keeps none.
    """

    def __init__(
        self,
        create: Callable[[Kind], Container],
        discard: Callable[[Container], None],
        *,
        memory_bytes: int,
        expire_seconds: float,
    ) -> None:
        self._create, self._discard = create, discard
        self._capacity = memory_bytes // IDLE_BYTES
        self._expire = expire_seconds
        self._reset()

    def _reset(self) -> None:
        self._pid = os.getpid()
        self._changed = threading.Condition()
        self._idle: dict[Kind, deque[Container]] = {}
        self._wanted: dict[Kind, int] = {}
        self._in_use: dict[Kind, int] = {}
        self._thread: threading.Thread | None = None
        self._closed = False

    def take(self, kind: Kind) -> Container | None:
        """A gated container of this kind, or None when none is ready; refilling goes on behind."""
        if self._pid != os.getpid():
            # After a fork the containers are the parent's.
            self._reset()
        with self._changed:
            in_use = self._in_use.get(kind, 0) + 1
            self._in_use[kind] = in_use
            # The most lately wanted kinds are the last: the first give way when memory is short.
            self._wanted[kind] = max(self._wanted.pop(kind, 0), in_use)
            found = self._pop(kind)
            self._wake()
        return found

    def give_back(self, kind: Kind) -> None:
        """A container of this kind is no longer in use."""
        with self._changed:
            self._in_use[kind] = max(0, self._in_use.get(kind, 0) - 1)

    def warm(self, kind: Kind, count: int, *, seconds: float = 60.0) -> int:
        """Ask for `count` ready containers and wait for them; returns how many are ready."""
        with self._changed:
            self._wanted[kind] = max(self._wanted.pop(kind, 0), min(count, self._capacity))
            self._wake()
            goal = min(count, self._capacity)
            self._changed.wait_for(lambda: len(self._idle.get(kind, ())) >= goal or self._closed, seconds)
            return len(self._idle.get(kind, ()))

    @property
    def idle(self) -> int:
        """How many containers wait now."""
        with self._changed:
            return sum(map(len, self._idle.values()))

    def close(self) -> None:
        """Throw all idle containers away and stop filling."""
        if self._pid != os.getpid():
            return
        with self._changed:
            self._closed = True
            left = [container for queue in self._idle.values() for container in queue]
            self._idle.clear()
            self._changed.notify_all()
        if self._thread is not None:
            self._thread.join(30)
        for container in left:
            self._discard(container)

    def _pop(self, kind: Kind) -> Container | None:
        queue = self._idle.get(kind)
        while queue:
            container = queue.popleft()
            if container.attachment.is_quiet():
                return container
            self._discard(container)
        return None

    def _wake(self) -> None:
        if self._capacity and not self._closed and self._thread is None:
            self._thread = threading.Thread(target=self._fill, daemon=True, name="docker-pool")
            self._thread.start()
        self._changed.notify_all()

    def _fill(self) -> None:
        while True:
            with self._changed:
                self._drop_expired()
                kind = self._next_kind()
                if self._closed:
                    return
                if kind is None:
                    self._changed.wait(self._expire / 4)
                    continue
            container = None
            with contextlib.suppress(Exception):
                container = self._create(kind)
            with self._changed:
                if container is None:
                    # A cold start will meet the same trouble and report it to the caller.
                    self._wanted.pop(kind, None)
                elif self._closed:
                    self._discard(container)
                else:
                    self._idle.setdefault(kind, deque()).append(container)
                self._changed.notify_all()

    def _next_kind(self) -> Kind | None:
        """The kind that most lately lacked one, once there is room for it."""
        for kind in reversed(self._wanted):
            if len(self._idle.get(kind, ())) < self._wanted[kind]:
                return kind if self._make_room(kind) else None
        return None

    def _make_room(self, wanted: Kind) -> bool:
        if sum(map(len, self._idle.values())) < self._capacity:
            return True
        for kind in self._wanted:
            if kind == wanted:
                return False
            if queue := self._idle.get(kind):
                self._discard(queue.popleft())
                return True
        return False

    def _drop_expired(self) -> None:
        now = time.monotonic()
        for kind, queue in self._idle.items():
            while queue and now - queue[0].born > self._expire:
                self._discard(queue.popleft())
                # Nobody came for it: fewer will do.
                self._wanted[kind] = max(self._in_use.get(kind, 0), self._wanted.get(kind, 1) - 1)
