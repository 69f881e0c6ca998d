"""One running container as a player."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from bots_sdk.referee.pipes import KeptLog
from bots_sdk.referee.player import ExitReport, HostFault
from sandbox.cgroups import Group, Usage
from sandbox.docker.attach import STDERR, Attachment, FrameError, Frames
from sandbox.docker.client import FAILURES, Daemon, Watch
from sandbox.limits import Limits
from sandbox.session import SandboxSession
from sandbox.slots import Slot
from sandbox.spec import Labels
from sandbox.verdicts import Ending, report

KILLED: Final = 128 + signal.SIGKILL
EXIT_SECONDS: Final = 3.0
"""How long the daemon may take to notice that a container has left, after its stream ended."""


@dataclass(slots=True)
class Container:
    """A container that was created, attached and started, and what belongs to it.

    `group` is the control group that holds it, where we can read it; `born` is monotonic.
    """

    id: str
    name: str
    slot: Slot
    group: Group | None
    attachment: Attachment
    generation: int
    born: float


class DockerSession(SandboxSession):
    """Speaks with the program through the attached stream."""

    def __init__(
        self,
        container: Container,
        *,
        daemon: Daemon,
        watch: Watch,
        limits: Limits,
        labels: Labels,
        discard: Callable[[Container], None],
    ) -> None:
        self._frames = Frames()
        self._container, self._daemon, self._watch = container, daemon, watch
        self._labels, self._discard = labels, discard
        stream = container.attachment.fileno()
        super().__init__(stdin=stream, stdout=stream, group=container.group, limits=limits)

    def _blame_the_host_if_it_was(self) -> None:
        if self._watch.changed_since(self._container.generation):
            raise HostFault("the Docker daemon was restarted or went away")
        if time.time() > self._labels.deadline:
            raise HostFault("the container outlived its deadline and was swept")
        try:
            found = self._daemon.inspect(self._container.id)
        except FAILURES as error:
            raise HostFault("the Docker daemon does not answer") from error
        if found is None:
            raise HostFault("the container was removed from outside")

    def _ingest(self, fd: int, data: bytes) -> None:
        try:
            for stream, piece in self._frames.split(data):
                if stream == STDERR:
                    self._feed_stderr(piece)
                else:
                    self._feed_stdout(piece)
        except FrameError as error:
            raise HostFault(str(error)) from error

    def _shut_stdin(self) -> None:
        self._container.attachment.shut_stdin()

    def _close_descriptors(self) -> None:
        self._container.attachment.close()

    def _end(self, log: KeptLog) -> ExitReport:
        left = self._ended
        container = self._container
        self.drain()
        # First of all: the daemon answers no question about a container whose stream is full.
        container.attachment.cut()
        try:
            return self._end_container(log, left=left)
        except FAILURES as error:
            if container.group is not None:
                container.group.kill()
            raise HostFault("the Docker daemon went away") from error
        finally:
            self._discard(container)

    def _end_container(self, log: KeptLog, *, left: bool) -> ExitReport:
        container = self._container
        state = self._exit_state() if left else None
        # A stream that ended before its program did (it closed its output) is ended by us.
        left = left and state is not None
        inner = self._inner_usage()
        if not left and container.group is not None:
            container.group.kill()
            state = self._exit_state()
        usage = container.group.usage() if container.group else Usage()
        status = int(state["ExitCode"]) if state else KILLED
        flagged = bool(state and state["OOMKilled"]) or container.id in self._watch.out_of_memory
        self._watch.out_of_memory.discard(container.id)
        # Version 1 counts kills in Docker's inner group only, which goes with the container.
        full = (usage.peak_memory or 0) >= self._limits.memory_bytes and status == KILLED and left
        ending = Ending(
            status=status,
            stopped_by_us=not left,
            oom_kills=max(usage.oom_kills, inner.oom_kills, int(flagged or full)),
            pids_refused=max(usage.pids_refused, inner.pids_refused),
            cpu_ms=usage.cpu_ms,
            peak_memory=usage.peak_memory,
        )
        return report(ending, self._limits, log.value())

    def _exit_state(self) -> dict[str, Any] | None:
        """The state of a container that has left; None while it runs on."""
        until = time.monotonic() + EXIT_SECONDS
        while True:
            found = self._daemon.inspect(self._container.id)
            if found is None:
                return None
            state: dict[str, Any] = found["State"]
            if not state["Running"]:
                return state
            if time.monotonic() > until:
                return None
            time.sleep(0.005)

    def _inner_usage(self) -> Usage:
        """The accounts of Docker's own group, while the container lives."""
        group = self._container.group
        inner = group.child(self._container.id) if group else None
        return inner.usage() if inner else Usage()
