"""Players behind file descriptors: one poll loop serves a whole table.

While the referee waits for one player, the pipes of all the others are drained too, so a bot
that writes a long log is never blocked by somebody else's thinking. A `PipePlayer` starts with
a loop of its own; `join` moves it to the table's.
"""

from __future__ import annotations

import contextlib
import os
import select
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from math import ceil
from typing import Protocol, runtime_checkable

from bots_sdk.referee.lines import LineBuffer
from bots_sdk.referee.player import (
    MAX_LINE,
    Eof,
    ExitReport,
    HostFault,
    LineTooLong,
    OutputLimit,
    StdinBlocked,
    Timeout,
)

READ_SIZE = 65_536
DRAIN_READS = 32
"""Reads enough to empty the largest pipe (1 MiB), so that a flood cannot hold a drain for ever."""
READABLE = select.POLLIN
WRITABLE = select.POLLOUT

Handler = Callable[[int, int], None]
"""Called with the descriptor and the poll events that it has."""


@dataclass(frozen=True, slots=True)
class OutputCaps:
    """How much of a bot's output is read and kept, in bytes.

    `stdout` bounds what one sitting may print; of stderr everything is read and the first
    `stderr_head` and the last `stderr_tail` bytes are kept.
    """

    stdout: int = 8 * 1024 * 1024
    stderr_head: int = 16 * 1024
    stderr_tail: int = 48 * 1024


class Poller:
    """The poll loop of one table; used from one thread only."""

    def __init__(self) -> None:
        self._poll = select.poll()
        self._watched: dict[int, tuple[int, Handler]] = {}

    def watch(self, fd: int, events: int, handler: Handler) -> None:
        """Call `handler` whenever the descriptor has one of the poll `events`."""
        self._poll.register(fd, events)
        self._watched[fd] = (events, handler)

    def forget(self, fd: int) -> None:
        """Stop watching a descriptor, if it is watched."""
        if self._watched.pop(fd, None) is not None:
            self._poll.unregister(fd)

    def move(self, fd: int, other: Poller) -> None:
        """Hand a descriptor, with its handler, to another loop."""
        if fd in self._watched:
            events, handler = self._watched[fd]
            self.forget(fd)
            other.watch(fd, events, handler)

    def step(self, seconds: float) -> None:
        """Wait at most `seconds` for any descriptor, and serve all that are ready once."""
        for fd, events in self._poll.poll(max(0, ceil(seconds * 1000))):
            watched = self._watched.get(fd)
            if watched is not None:
                watched[1](fd, events)


@runtime_checkable
class Pooled(Protocol):
    """A player whose descriptors can be served by its table's common loop."""

    def join(self, poller: Poller) -> None:
        """Move to a table's common loop."""


class KeptLog:
    """The first and the last bytes of a stream of any length."""

    def __init__(self, head: int, tail: int) -> None:
        self._head_size, self._tail_size = head, tail
        self._head = bytearray()
        self._tail: deque[bytes] = deque()
        self._tail_length = 0
        self._lost = 0

    def add(self, data: bytes) -> None:
        """Append what was read."""
        room = self._head_size - len(self._head)
        if room > 0:
            self._head += data[:room]
            data = data[room:]
        if not data:
            return
        self._tail.append(data)
        self._tail_length += len(data)
        while self._tail_length - len(self._tail[0]) >= self._tail_size:
            self._tail_length -= len(self._tail[0])
            self._lost += len(self._tail.popleft())

    def value(self) -> bytes:
        """Return what was kept, with a mark where something is left out."""
        tail = b"".join(self._tail)
        lost = self._lost + max(0, len(tail) - self._tail_size)
        tail = tail[-self._tail_size :] if self._tail_size else b""
        if not lost:
            return bytes(self._head) + tail
        return bytes(self._head) + b"\n... %d bytes left out ...\n" % lost + tail


class PipePlayer:
    """A player whose stdin, stdout and stderr are descriptors that this object owns.

    Subclasses start the process and write `_end`. A transport that carries several streams
    over one descriptor passes it as both `stdin` and `stdout` and overrides `_ingest` to split
    what arrives into `_feed_stdout` and `_feed_stderr`.

    `exit_fd` (for example a pidfd) becomes readable when the process has left: output that a
    forgotten grandchild still holds open then no longer keeps the referee waiting.
    `late_ms`: when the loop itself wakes this much after a deadline, the host was the slow one,
    and `HostFault` is raised instead of `Timeout`.
    """

    def __init__(
        self,
        *,
        stdin: int,
        stdout: int,
        stderr: int | None = None,
        exit_fd: int | None = None,
        caps: OutputCaps | None = None,
        late_ms: float = 500.0,
    ) -> None:
        self._caps = caps or OutputCaps()
        self._late = late_ms / 1000
        self._poller = Poller()
        self._stdin, self._stdout, self._stderr, self._exit = stdin, stdout, stderr, exit_fd
        self._pending = memoryview(b"")
        self._stdin_open = True
        self._stdin_shut = False
        self._ended = False
        self._exited = False
        self._printed = 0
        self._lines = LineBuffer()
        self._log = KeptLog(self._caps.stderr_head, self._caps.stderr_tail)
        self._report: ExitReport | None = None
        self._failure: HostFault | None = None
        self._inputs = [fd for fd in (stdout, stderr, exit_fd) if fd is not None]
        for fd in {stdin, *self._inputs}:
            os.set_blocking(fd, False)
        for fd in self._inputs:
            self._poller.watch(fd, READABLE, self._on_event)

    # The Player interface.

    def join(self, poller: Poller) -> None:
        """Move to a table's common loop."""
        for fd in {self._stdin, *self._inputs}:
            self._poller.move(fd, poller)
        self._poller = poller

    def send(self, line: bytes, deadline: float) -> None:
        """See `Player`."""
        if not self._stdin_open:
            raise Eof("the bot closed its stdin")
        unfinished = bool(self._pending)
        self._pending = memoryview(bytes(self._pending) + line + b"\n")
        if not unfinished:
            self._flush()
        while self._pending:
            now = time.monotonic()
            if now >= deadline:
                self._check_late(now, deadline)
                raise StdinBlocked("the bot does not read its stdin, and the pipe is full")
            self._poller.step(deadline - now)
        if not self._stdin_open:
            raise Eof("the bot closed its stdin")

    def receive(self, deadline: float, max_line: int = MAX_LINE) -> bytes:
        """See `Player`."""
        while True:
            if self._printed > self._caps.stdout:
                raise OutputLimit(
                    f"the bot wrote more than {self._caps.stdout} bytes to stdout in one sitting",
                    self._lines.unfinished(max_line),
                )
            line = self._lines.next_line(max_line)
            if line is not None:
                return line
            if self._ended:
                raise Eof("the bot closed its stdout", self._lines.take_unfinished(max_line))
            now = time.monotonic()
            if now >= deadline:
                self._check_late(now, deadline)
                raise Timeout("no complete line came in time", self._lines.unfinished(max_line))
            self._poller.step(deadline - now)
            self._check_late(time.monotonic(), deadline)

    def stray(self) -> bytes | None:
        """See `Player`."""
        self._poller.step(0)
        try:
            line = self._lines.next_line(MAX_LINE)
        except LineTooLong as fault:
            return fault.line
        return line if line is not None else self._lines.take_unfinished(MAX_LINE) or None

    def stop(self, deadline: float | None = None) -> ExitReport:
        """See `Player`."""
        if self._failure is not None:
            raise self._failure
        if self._report is None:
            self._close_stdin()
            while deadline is not None and not self._gone():
                now = time.monotonic()
                if now >= deadline:
                    break
                self._poller.step(deadline - now)
            try:
                self._report = self._end(self._log)
            except HostFault as fault:
                self._failure = fault
                raise
            finally:
                self._close()
        return self._report

    # What a transport writes or overrides.

    def _end(self, log: KeptLog) -> ExitReport:
        """Make sure that the process is gone, and report; called once, by `stop`."""
        raise NotImplementedError

    def _ingest(self, fd: int, data: bytes) -> None:
        """Route what was read from a descriptor."""
        if fd == self._stderr:
            self._feed_stderr(data)
        else:
            self._feed_stdout(data)

    def _write(self, data: memoryview) -> int:
        return os.write(self._stdin, data)

    def _shut_stdin(self) -> None:
        """Tell the process that no more input comes."""
        if self._stdin != self._stdout:
            os.close(self._stdin)

    def _close_descriptors(self) -> None:
        """Close what is still open besides stdin."""
        for fd in self._inputs:
            os.close(fd)

    # Machinery.

    def drain(self) -> None:
        """Read whatever stdout and stderr hold now, without waiting."""
        for fd in self._inputs:
            if fd != self._exit:
                for _ in range(DRAIN_READS):
                    if not self._read(fd):
                        break

    def _feed_stdout(self, data: bytes) -> None:
        self._printed += len(data)
        if self._printed > self._caps.stdout:
            self._poller.forget(self._stdout)
        else:
            self._lines.add(data)

    def _feed_stderr(self, data: bytes) -> None:
        self._log.add(data)

    def _gone(self) -> bool:
        """The process has left, as far as its descriptors tell."""
        return self._exited if self._exit is not None else self._ended

    def _on_event(self, fd: int, events: int) -> None:
        if fd == self._exit:
            self._poller.forget(fd)
            self._exited = True
            self.drain()
            self._ended = True
            return
        if fd == self._stdin and events & ~READABLE:
            self._flush()
        if fd != self._stdin or fd == self._stdout:
            self._read(fd)

    def _read(self, fd: int) -> bool:
        """Read once; False when there is nothing more for now."""
        if fd == self._stdout and self._printed > self._caps.stdout:
            return False
        try:
            data = os.read(fd, READ_SIZE)
        except BlockingIOError:
            return False
        except OSError:
            data = b""
        if data:
            self._ingest(fd, data)
            return True
        self._poller.forget(fd)
        if fd == self._stdout:
            self._ended = True
        return False

    def _flush(self) -> None:
        try:
            while self._pending:
                self._pending = self._pending[self._write(self._pending) :]
        except BlockingIOError:
            self._watch_stdin(writable=True)
            return
        except OSError:
            self._pending = memoryview(b"")
            self._watch_stdin(writable=False)
            self._stdin_open = False
            return
        self._watch_stdin(writable=False)

    def _watch_stdin(self, *, writable: bool) -> None:
        # Where one descriptor is both, it is still read from, unless nothing more of it will be.
        is_read = self._stdin == self._stdout and not self._ended and self._printed <= self._caps.stdout
        events = (WRITABLE if writable else 0) | (READABLE if is_read else 0)
        if events:
            self._poller.watch(self._stdin, events, self._on_event)
        else:
            self._poller.forget(self._stdin)

    def _check_late(self, now: float, deadline: float) -> None:
        if now - deadline > self._late:
            raise HostFault(f"the host woke the referee {(now - deadline) * 1000:.0f} ms after a deadline")

    def _close_stdin(self) -> None:
        if not self._stdin_shut:
            self._stdin_shut = True
            self._stdin_open = False
            if self._stdin != self._stdout:
                self._poller.forget(self._stdin)
            with contextlib.suppress(OSError):
                self._shut_stdin()

    def _close(self) -> None:
        for fd in self._inputs:
            self._poller.forget(fd)
        self._close_descriptors()
