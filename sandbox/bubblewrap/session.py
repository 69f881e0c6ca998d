"""One running bubblewrap sandbox."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import time
from dataclasses import dataclass
from typing import Final

from bots_sdk.referee.pipes import KeptLog
from bots_sdk.referee.player import ExitReport, HostFault
from sandbox.base import CannotStart
from sandbox.bubblewrap.argv import STARTED
from sandbox.cgroups import Group, Usage
from sandbox.limits import Limits
from sandbox.session import SandboxSession
from sandbox.slots import Slot
from sandbox.spec import Labels
from sandbox.verdicts import Ending, report

END_SECONDS: Final = 10.0
"""How long the kernel may take to end a sandbox that was killed."""

REAP_SECONDS: Final = 1.0
"""How long bwrap may take to notice; longer only when it was stopped by a signal."""


@dataclass(frozen=True, slots=True)
class Process:
    """What the backend started. `outer` is bwrap, our child; `init` is process 1 inside."""

    outer: int
    outer_fd: int
    init_fd: int
    stdin: int
    stdout: int
    stderr: int


class BubblewrapSession(SandboxSession):
    """Owns the process, its slot and its control group (None where there are no groups)."""

    def __init__(self, process: Process, *, slot: Slot, group: Group | None, limits: Limits, labels: Labels) -> None:
        super().__init__(
            stdin=process.stdin,
            stdout=process.stdout,
            stderr=process.stderr,
            exit_fd=process.outer_fd,
            group=group,
            limits=limits,
        )
        self._process, self._slot, self._labels = process, slot, labels
        self._preamble = b""
        self._set_up = False

    def _blame_the_host_if_it_was(self) -> None:
        if time.time() > self._labels.deadline:
            raise HostFault("the sandbox outlived its deadline and was swept")
        ended = os.waitid(os.P_PIDFD, self._process.outer_fd, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        if ended is not None and ended.si_code != os.CLD_EXITED:
            raise HostFault(f"the sandbox was killed from outside, by signal {ended.si_status}")
        # The mark may still lie in the pipe of a program that left at once; without one there was no program,
        # whether bwrap itself has left by now or not.
        self.drain()
        if not self._set_up:
            words = self._preamble.decode(errors="replace").strip() or "bwrap gave no reason"
            raise CannotStart(f"the sandbox could not be set up: {words}")

    def _feed_stderr(self, data: bytes) -> None:
        if not self._set_up:
            self._preamble += data
            before, mark, data = self._preamble.partition(STARTED.encode())
            if not mark:
                return
            self._set_up = True
            data = before + data
        super()._feed_stderr(data)

    def _end(self, log: KeptLog) -> ExitReport:
        left = self._exited
        process = self._process
        # Process 1 takes all the others of its namespace along, and is dead only when they are;
        # bwrap then reaps it and leaves by itself.
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(process.init_fd, signal.SIGKILL)
        gone, _, _ = select.select([process.init_fd], [], [], END_SECONDS)
        if not select.select([process.outer_fd], [], [], REAP_SECONDS)[0]:
            signal.pidfd_send_signal(process.outer_fd, signal.SIGKILL)
        _, status = os.waitpid(process.outer, 0)
        self.drain()
        usage = self._group.usage() if self._group else Usage()
        removed = self._group.remove() if self._group else True
        if not gone or not removed:
            self._slot.leave()  # the sweep will have it
            raise HostFault(f"the kernel did not end the sandbox in {END_SECONDS:.0f} s")
        self._slot.release()
        code = os.waitstatus_to_exitcode(status)
        ending = Ending(
            status=code if code >= 0 else 128 - code,
            stopped_by_us=not left,
            oom_kills=usage.oom_kills,
            pids_refused=usage.pids_refused,
            cpu_ms=usage.cpu_ms,
            peak_memory=usage.peak_memory,
        )
        return report(ending, self._limits, log.value())

    def _close_descriptors(self) -> None:
        super()._close_descriptors()
        os.close(self._process.init_fd)
