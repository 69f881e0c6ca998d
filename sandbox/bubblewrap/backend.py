"""Starting bubblewrap sandboxes."""

from __future__ import annotations

import contextlib
import json
import os
import platform
import select
import subprocess
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Final, Self

from bots_sdk.referee.player import HostFault
from sandbox import packages
from sandbox.base import CannotStart, NoSandbox
from sandbox.bubblewrap import argv
from sandbox.bubblewrap.binary import find_binary
from sandbox.bubblewrap.launch import from_lasting_thread
from sandbox.bubblewrap.session import BubblewrapSession, Process
from sandbox.capabilities import Capabilities
from sandbox.cgroups import Group, Hierarchy, NoCgroups, find_hierarchy
from sandbox.limits import MIB, OOM_SCORE, Limits
from sandbox.policy import rlimits
from sandbox.runtimes import Runtime, missing_packages
from sandbox.seccomp import filter_bytes
from sandbox.slots import NoSlot, Slot, Slots, run_folder
from sandbox.spec import SandboxSpec
from sandbox.staging import StagingError, stage

SETUP_SECONDS: Final = 20.0
"""How long bwrap may take to create its namespaces; a host slower than that is at fault."""

WITHOUT_CGROUPS: Final = {"memory_bytes": 256 * MIB, "pids": 32}
"""What is offered at most where no control group holds the sums: no compiler can work with it."""


class BubblewrapSandbox:
    """Sandboxes by bubblewrap, user namespaces, control groups and a seccomp filter.

    Raises:
        NoSandbox: bwrap is missing or too old, or the processor is of a kind that has no filter.
        OSError: the run folder cannot be made.

    """

    name = "bubblewrap"

    def __init__(self, run: Path | None = None, *, sweep: bool = True) -> None:
        self._run = run or run_folder()
        self.slots = Slots(self._run, self.name)
        self.binary = find_binary(self._run / "copies")
        self._etc = self._run / "etc"
        argv.write_etc(self._etc)
        try:
            self._filters = {locks: filter_bytes(platform.machine(), locks=locks) for locks in (False, True)}
        except KeyError:
            raise NoSandbox(f"there is no table of system calls for {platform.machine()} processors") from None
        self._languages: set[str] = set()
        self.hierarchy: Hierarchy | None = None
        self.no_cgroups = ""
        try:
            self.hierarchy = find_hierarchy()
        except NoCgroups as reason:
            self.no_cgroups = str(reason)
        if sweep:
            self.sweep()

    def probe(self) -> Capabilities:
        """Test on the live host what is enforced; takes a few seconds."""
        from sandbox.probe import probe_bubblewrap  # the probe starts sandboxes

        return probe_bubblewrap(self)

    def limits(self, asked: Limits) -> Limits:
        """What this host can hold of the limits that were asked for."""
        return asked if self.hierarchy else asked.with_at_most(**WITHOUT_CGROUPS)

    def why_not(self, runtime: Runtime) -> str:
        """Why a language cannot be had on this host; "" when it can. Looked up anew while it cannot."""
        if runtime.name not in self._languages:
            if runtime.compiled and self.hierarchy is None:
                return f"compilers need control groups ({self.no_cgroups})"
            # What Python bots import comes from the prepared folder, not from the host's packages.
            missing = [
                name for name in missing_packages(runtime) if not (runtime.libraries and name == "python3-numpy")
            ]
            if missing:
                return f"apt-get install {' '.join(missing)}"
            self._languages.add(runtime.name)
        return ""

    def start(self, spec: SandboxSpec) -> BubblewrapSession:
        """Start a program.

        Raises:
            CannotStart: the host could not do it; nobody is to be charged.
            HostFault: the program's folder holds a link or a device.

        """
        try:
            with ExitStack() as undo:
                session = self._start(spec, undo)
                undo.pop_all()
                return session
        except StagingError as error:
            raise HostFault(f"the program cannot be laid out: {error}") from error
        except (OSError, NoSlot, packages.NotPrepared) as error:
            raise CannotStart(f"the sandbox could not be started: {error}") from error

    def sweep(self) -> list[str]:
        """Remove what dead workers left, and end what has passed its deadline."""
        lines = []
        for slot, labels in self.slots.abandoned():
            group = self.hierarchy.find(slot.name) if self.hierarchy else None
            if group is not None:
                group.remove()
            slot.release()
            lines.append(f"removed {slot.name} of worker {labels['worker']}, match {labels['match']}")
        for number, labels in self.slots.overdue():
            group = self.hierarchy.find(self.slots.name(number)) if self.hierarchy else None
            if group is not None:
                group.kill()
            lines.append(f"ended {self.slots.name(number)} of match {labels['match']}, past its deadline")
        return lines

    def close(self) -> None:
        """Nothing is held ahead."""

    def _start(self, spec: SandboxSpec, undo: ExitStack) -> BubblewrapSession:
        if reason := self.why_not(spec.runtime):
            raise CannotStart(f"this host cannot run {spec.runtime.title}: {reason}")
        limits = self.limits(spec.limits_in_force)
        slot = self.slots.take(spec.labels)
        undo.callback(slot.release)
        bot = slot.folder / "bot"
        stage(spec.folder, bot)
        view = argv.View(
            bot=bot,
            etc=self._etc,
            libraries=packages.prepared() if spec.runtime.libraries else None,
            host_paths=spec.runtime.host_paths,
        )
        group = self.hierarchy.create(slot.name, limits) if self.hierarchy else None
        if group is not None:
            undo.callback(group.remove)
        process = self._spawn(spec, view, limits, slot, group)
        return BubblewrapSession(process, slot=slot, group=group, limits=limits, labels=spec.labels)

    def _spawn(self, spec: SandboxSpec, view: argv.View, limits: Limits, slot: Slot, group: Group | None) -> Process:
        with _Descriptors() as fds:
            child_in, stdin = fds.pipe()
            stdout, child_out = fds.pipe()
            stderr, child_err = fds.pipe()
            block, release = fds.pipe()
            info, child_info = fds.pipe()
            seccomp = fds.memory("seccomp", self._filters[limits.file_locks])
            words = argv.options(
                view,
                limits,
                spec.environment,
                {"seccomp": seccomp, "block": block, "info": child_info},
            )
            arguments = fds.memory("arguments", b"\0".join(map(os.fsencode, words)) + b"\0")
            as_root = os.geteuid() == 0
            line = [str(self.binary.path), "--args", str(arguments), "--"]
            line += argv.command(spec.argv, rlimits(limits, cgroup=group is not None))
            popen = from_lasting_thread(
                lambda: subprocess.Popen(
                    line,
                    stdin=child_in,
                    stdout=child_out,
                    stderr=child_err,
                    pass_fds=(block, child_info, seccomp, arguments),
                    env={},
                    cwd="/",
                    umask=0o077,
                    user=slot.uid if as_root else None,
                    group=slot.uid if as_root else None,
                    extra_groups=[] if as_root else None,
                )
            )
            outer_fd = fds.keep(os.pidfd_open(popen.pid))
            try:
                for fd in (child_in, child_out, child_err, child_info):
                    fds.close(fd)
                init = _read_info(info)
                init_fd = fds.keep(os.pidfd_open(init))
                if group is not None:
                    group.add(init)
                with contextlib.suppress(OSError):
                    Path(f"/proc/{init}/oom_score_adj").write_text(str(OOM_SCORE))
                os.write(release, b"1")
            except BaseException as error:
                popen.kill()
                popen.wait()
                said = _last_words(stderr)
                if said and isinstance(error, OSError):
                    raise OSError(said) from error
                raise
            # From here on the session reaps bwrap; Popen must not.
            popen.returncode = 0
            fds.release(stdin, stdout, stderr, outer_fd, init_fd)
            return Process(popen.pid, outer_fd, init_fd, stdin, stdout, stderr)


class _Descriptors:
    """Descriptors that are closed at the end, unless released."""

    def __init__(self) -> None:
        self._open: set[int] = set()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for fd in self._open:
            os.close(fd)

    def keep(self, fd: int) -> int:
        self._open.add(fd)
        return fd

    def pipe(self) -> tuple[int, int]:
        read, write = os.pipe()
        return self.keep(read), self.keep(write)

    def memory(self, name: str, content: bytes) -> int:
        """A file in memory with this content, to be read from its start."""
        fd = self.keep(os.memfd_create(name))
        os.write(fd, content)
        os.lseek(fd, 0, os.SEEK_SET)
        return fd

    def close(self, fd: int) -> None:
        self._open.discard(fd)
        os.close(fd)

    def release(self, *fds: int) -> None:
        self._open.difference_update(fds)


def _read_info(info: int) -> int:
    """The pid of process 1 of the new namespace.

    Raises:
        OSError: bwrap ended without telling, or took too long.

    """
    text = b""
    until = time.monotonic() + SETUP_SECONDS
    while True:
        readable, _, _ = select.select([info], [], [], max(0.0, until - time.monotonic()))
        if not readable:
            raise TimeoutError(f"bwrap was not ready after {SETUP_SECONDS:.0f} s")
        chunk = os.read(info, 4096)
        text += chunk
        with contextlib.suppress(ValueError):
            return int(json.loads(text)["child-pid"])
        if not chunk:
            raise OSError("bwrap ended at once")


def _last_words(stderr: int) -> str:
    """What bwrap said before it died."""
    os.set_blocking(stderr, False)
    try:
        return os.read(stderr, 4096).decode(errors="replace").strip()
    except BlockingIOError:
        return ""
