"""What the referee talks to: a player that takes lines, answers lines, and can be stopped.

A subprocess, a sandboxed container, an in-process bot and a person in a browser all satisfy
`Player`. Deadlines are absolute seconds of `time.monotonic()`, so that a player who trickles
out one byte a second gains nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

MAX_LINE = 65_536
"""Bytes in one line from a bot, the newline not counted."""

STOPPED = "stopped by the referee"
"""The `reason` of an `ExitReport` when the process was still running and had to be ended."""


class PlayerFault(Exception):
    """The player broke the protocol; `line` is what it had sent, as far as it was kept."""

    def __init__(self, message: str, line: bytes = b"") -> None:
        super().__init__(message)
        self.line = line


class Timeout(PlayerFault):
    """No complete line came before the deadline; `line` is the part that did."""


class Eof(PlayerFault):
    """The player closed its output or left; `line` is an unfinished last line."""


class LineTooLong(PlayerFault):
    """A line passed the limit; its rest is thrown away up to the next newline."""


class OutputLimit(PlayerFault):
    """The player wrote more to stdout than one match allows; nothing more is read from it."""


class StdinBlocked(PlayerFault):
    """The player did not read its stdin until the deadline, and the pipe is full."""


class HostFault(Exception):
    """The host failed, not the bot: the whole sitting is void and nobody is charged.

    `seat` is the one that was waited for, if one was.
    """

    def __init__(self, reason: str, seat: int | None = None) -> None:
        super().__init__(reason)
        self.reason, self.seat = reason, seat


@dataclass(frozen=True, slots=True)
class ExitReport:
    """How a player's process ended.

    `code` is the exit status, or None when a `signal` ended it; `cpu_ms` and `peak_memory`
    (bytes) are None where the host cannot tell; `stderr` is the kept part of the bot's log
    (its beginning and its end); `reason` says in plain words why the process is gone.
    """

    code: int | None = None
    signal: int | None = None
    oom: bool = False
    cpu_ms: float | None = None
    peak_memory: int | None = None
    stderr: bytes = b""
    reason: str = ""


@runtime_checkable
class Player(Protocol):
    """One seat's bot. Any method may raise `HostFault`."""

    def send(self, line: bytes, deadline: float) -> None:
        """Write one line (given without its newline).

        Raises:
            StdinBlocked: the player did not take the whole line before the deadline.
            Eof: the player has closed its stdin or left.

        """

    def receive(self, deadline: float, max_line: int = MAX_LINE) -> bytes:
        """Return the next line without its newline; blank lines are tolerated and dropped.

        Raises:
            Timeout, Eof, LineTooLong, OutputLimit: see each.

        """

    def stray(self) -> bytes | None:
        """Take the next line, whole or not, that is waiting although nothing was asked; never waits.

        Blank lines are tolerated and dropped.
        """

    def stop(self, deadline: float | None = None) -> ExitReport:
        """End the player and say how it ended; a second call returns the same report.

        Until `deadline` it may leave by itself; with None it is ended at once.
        """
