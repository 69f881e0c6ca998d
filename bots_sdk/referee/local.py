"""Players without a sandbox: a bare subprocess on an author's own machine, and a bot in-process."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from bots_sdk.referee.pipes import KeptLog, OutputCaps, PipePlayer
from bots_sdk.referee.player import MAX_LINE, STOPPED, Eof, ExitReport, HostFault, Timeout


class SubprocessPlayer(PipePlayer):
    """A bot as an ordinary child process, with no protection: only for code that you trust.

    It leads a process group of its own, and the whole group is ended with it.

    Raises:
        HostFault: the program cannot be started.

    """

    def __init__(
        self,
        argv: Sequence[str],
        *,
        cwd: Path | str | None = None,
        env: Mapping[str, str] | None = None,
        caps: OutputCaps | None = None,
    ) -> None:
        pipes = [os.pipe() for _ in range(3)]
        (child_in, stdin), (stdout, child_out), (stderr, child_err) = pipes
        try:
            self._process = subprocess.Popen(
                argv,
                stdin=child_in,
                stdout=child_out,
                stderr=child_err,
                cwd=cwd,
                env=None if env is None else dict(env),
                start_new_session=True,
            )
        except OSError as error:
            for fd in (stdin, stdout, stderr):
                os.close(fd)
            raise HostFault(f"cannot start {argv[0]}: {error.strerror or error}") from error
        finally:
            for fd in (child_in, child_out, child_err):
                os.close(fd)
        pidfd_open = getattr(os, "pidfd_open", None)
        exit_fd = pidfd_open(self._process.pid) if pidfd_open else None
        super().__init__(stdin=stdin, stdout=stdout, stderr=stderr, exit_fd=exit_fd, caps=caps)

    def _end(self, log: KeptLog) -> ExitReport:
        # Not poll(): it would reap the leader and free the group's number for someone else.
        left = self._exited
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        _, status, usage = os.wait4(self._process.pid, 0)
        self.drain()
        code = os.waitstatus_to_exitcode(status)
        self._process.returncode = code
        unit = 1024 if os.uname().sysname == "Linux" else 1
        killed_by_us = not left and code == -signal.SIGKILL
        return ExitReport(
            code=code if code >= 0 else None,
            signal=-code if code < 0 else None,
            cpu_ms=(usage.ru_utime + usage.ru_stime) * 1000,
            peak_memory=usage.ru_maxrss * unit,
            stderr=log.value(),
            reason=STOPPED if killed_by_us else exit_reason(code),
        )


def exit_reason(code: int) -> str:
    """Words for an exit status in `subprocess`'s convention (negative for a signal)."""
    if code >= 0:
        return f"exited with code {code}"
    try:
        name = signal.Signals(-code).name
    except ValueError:
        name = f"signal {-code}"
    return f"ended by {name}"


class InProcessPlayer:
    """A function from a line to its answer (or None) as a player: for tests and for analysis.

    It runs in the caller's thread, so nothing can take its time away or stop it.
    """

    def __init__(self, answer: Callable[[bytes], bytes | None]) -> None:
        self._answer = answer
        self._waiting: deque[bytes] = deque()
        self._error: Exception | None = None
        self._stopped = False

    def send(self, line: bytes, deadline: float) -> None:
        """Have the line answered at once."""
        if self._error is not None or self._stopped:
            raise Eof("the bot has left")
        try:
            reply = self._answer(line)
        except Exception as error:  # noqa: BLE001 - whatever a bot raises is its own fault
            self._error = error
            return
        if reply is not None:
            self._waiting.append(reply)

    def receive(self, deadline: float, max_line: int = MAX_LINE) -> bytes:
        """Return the next answer; a timeout when there is none."""
        if self._waiting:
            return self._waiting.popleft()
        if self._error is not None or self._stopped:
            raise Eof("the bot has left")
        raise Timeout("the bot gave no answer")

    def stray(self) -> bytes | None:
        """Return an answer that nobody asked for."""
        return self._waiting.popleft() if self._waiting else None

    def stop(self, deadline: float | None = None) -> ExitReport:
        """Say whether the function ever raised."""
        self._stopped = True
        if self._error is None:
            return ExitReport(code=0, reason="left")
        log = f"{type(self._error).__name__}: {self._error}".encode()
        return ExitReport(code=1, stderr=log, reason="raised an exception")
