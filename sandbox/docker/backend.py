"""Starting hardened containers."""

from __future__ import annotations

import itertools
import os
import secrets
import time
from pathlib import Path
from typing import Any, Final

from bots_sdk.referee.player import HostFault
from sandbox.base import CannotStart, NoSandbox
from sandbox.capabilities import Capabilities
from sandbox.cgroups import GROUP, Group, Hierarchy, NoCgroups, find_hierarchy
from sandbox.docker.attach import Attachment
from sandbox.docker.client import FAILURES, APIError, Daemon, ImageNotFound, Watch
from sandbox.docker.container import LABEL, Kind, create_arguments, opening
from sandbox.docker.oci import group_limits, has_own_kernel
from sandbox.docker.pool import WarmPool
from sandbox.docker.reaper import Reaper
from sandbox.docker.session import Container, DockerSession
from sandbox.limits import MIB
from sandbox.seccomp.numbers import NUMBERS
from sandbox.slots import Slot, Slots, run_folder
from sandbox.spec import Labels, SandboxSpec
from sandbox.staging import StagingError, stage

START_SECONDS: Final = 5.0
"""How long writing the command to a fresh container's gate may take."""


class DockerSandbox:
    """Sandboxes by the Docker Engine; `oci_runtime` is runc, crun or runsc.

    `pool_bytes` bounds the memory of containers that wait ahead; 0 starts every one cold.

    Raises:
        NoSandbox: no daemon answers, or it lacks the runtime.

    """

    name = "docker"

    def __init__(
        self,
        address: str | None = None,
        *,
        oci_runtime: str | None = None,
        run: Path | None = None,
        pool_bytes: int = 256 * MIB,
        pool_expire_seconds: float = 600.0,
        sweep: bool = True,
    ) -> None:
        self.daemon = Daemon(address)
        try:
            self.info: dict[str, Any] = self.daemon.client.info()
        except FAILURES as error:
            raise NoSandbox(
                f"no Docker daemon answers at {self.daemon.address}; start it, or set DOCKER_HOST"
            ) from error
        self.oci_runtime = oci_runtime or os.environ.get("DURAK_SANDBOX_RUNTIME") or self.info["DefaultRuntime"]
        if self.oci_runtime not in self.info["Runtimes"]:
            raise NoSandbox(
                f"the Docker daemon does not know the runtime {self.oci_runtime!r}; it has "
                f'{", ".join(self.runtimes)}: register it under "runtimes" in /etc/docker/daemon.json and restart '
                "the daemon, or set DURAK_SANDBOX_RUNTIME to one that it has"
            )
        if self.info["Architecture"] not in NUMBERS:
            raise NoSandbox(
                f"there is no table of system calls for the daemon's {self.info['Architecture']} processors"
            )
        self.own_kernel = has_own_kernel(self.oci_runtime, self.info["Runtimes"][self.oci_runtime])
        try:
            self.slots = Slots(run or run_folder(), self.name)
        except OSError as error:
            raise NoSandbox(f"cannot use {run or run_folder()}: {error}") from error
        self.watch = Watch(self.daemon)
        self.hierarchy: Hierarchy | None = None
        self.no_cgroups = ""
        if not self.daemon.is_local or self.info["CgroupDriver"] != "cgroupfs":
            self.no_cgroups = "the daemon is remote, or leaves control groups to systemd"
        else:
            try:
                self.hierarchy = find_hierarchy()
            except NoCgroups as reason:
                self.no_cgroups = str(reason)
        self._names = itertools.count()
        self.reaper = Reaper(self._remove, lambda container: container.slot.leave())  # the sweep will have it
        self.pool = WarmPool(
            lambda kind: self._create(kind, Labels(match="warm", deadline=time.time() + 86_400)),
            self.reaper.take,
            memory_bytes=pool_bytes,
            expire_seconds=pool_expire_seconds,
        )
        if sweep:
            self.sweep()

    @property
    def runtimes(self) -> list[str]:
        """The OCI runtimes that the daemon knows, by name."""
        # The shim's own name is an alias of runc that Docker adds.
        return sorted(name for name in self.info["Runtimes"] if not name.startswith("io.containerd."))

    def probe(self) -> Capabilities:
        """Test on the live host what is enforced; takes a few seconds."""
        from sandbox.probe import probe_docker  # the probe starts sandboxes

        return probe_docker(self)

    def start(self, spec: SandboxSpec) -> DockerSession:
        """Start a program, in a container that waits already if there is one.

        Raises:
            CannotStart: the host could not do it; nobody is to be charged.
            HostFault: the program's folder holds a link or a device.

        """
        kind = Kind.of(spec.runtime, spec.limits_in_force, spec.environment)
        container = self.pool.take(kind)
        try:
            if container is not None and not self._claim(container, spec):
                container = None
            if container is None:
                container = self._create(kind, spec.labels, spec.folder)
            session = DockerSession(
                container,
                daemon=self.daemon,
                watch=self.watch,
                limits=kind.limits,
                labels=spec.labels,
                discard=lambda gone: self._discard(kind, gone),
            )
            session.send(opening(spec.argv), time.monotonic() + START_SECONDS)
        except BaseException as error:
            if container is not None:
                self.reaper.take(container)
            self.pool.give_back(kind)
            if not isinstance(error, Exception):
                raise
            if isinstance(error, StagingError):
                raise HostFault(f"the program cannot be laid out: {error}") from error
            raise CannotStart(
                f"the container could not be started with the runtime {self.oci_runtime}: {_words(error)}"
            ) from error
        return session

    def warm(self, spec: SandboxSpec, count: int) -> int:
        """Have `count` containers for programs such as this ready; returns how many are."""
        return self.pool.warm(Kind.of(spec.runtime, spec.limits_in_force, spec.environment), count)

    def sweep(self) -> list[str]:
        """Remove what dead workers left, and what has passed its deadline."""
        lines = []
        try:
            found = self.daemon.client.containers(all=True, filters={"label": f"{LABEL}={self.slots.folder}"})
            numbers = {item["Id"]: int(item["Labels"][f"{LABEL}.slot"]) for item in found}
            overdue = dict(self.slots.overdue())
            for container, number in numbers.items():
                if number in overdue or not self.slots.is_held(number):
                    self.daemon.remove(container)
                    why = "past its deadline" if number in overdue else "its worker is gone"
                    lines.append(f"removed container {container[:12]} of slot {number}: {why}")
        except FAILURES as error:
            return [*lines, f"the Docker daemon does not answer: {_words(error)}"]
        for slot, labels in self.slots.abandoned():
            self._remove_group(slot, self.hierarchy.find(slot.name) if self.hierarchy else None)
            slot.release()
            lines.append(f"freed {slot.name} of worker {labels['worker']}, match {labels['match']}")
        return lines

    def close(self) -> None:
        """Throw the waiting containers away, and wait until all are removed."""
        self.pool.close()
        self.reaper.wait()
        self.watch.close()

    def _claim(self, container: Container, spec: SandboxSpec) -> bool:
        """Make a waiting container this program's; False if that failed (it is then discarded)."""
        try:
            container.slot.write(spec.labels)
            stage(spec.folder, container.slot.folder / "bot")
        except StagingError:
            raise
        except OSError:
            self.reaper.take(container)
            return False
        return True

    def _create(self, kind: Kind, labels: Labels, folder: Path | None = None) -> Container:
        slot = self.slots.take(labels)
        name = f"durak-{os.getpid()}-{next(self._names)}-{secrets.token_hex(4)}"
        group = None
        try:
            generation = self.watch.ensure()
            bot = slot.folder / "bot"
            bot.mkdir(mode=0o755)
            if folder is not None:
                stage(folder, bot)
            if self.hierarchy is not None:
                group = self.hierarchy.create(slot.name, group_limits(kind.limits, own_kernel=self.own_kernel))
            body = create_arguments(
                kind,
                slot,
                name=name,
                machine=self.info["Architecture"],
                oci_runtime=self.oci_runtime,
                own_kernel=self.own_kernel,
                cgroup_parent=f"/{GROUP}/{slot.name}" if group else None,
            )
            client = self.daemon.client
            identity = client.create_container_from_config(body, name)["Id"]
            # Attached before it starts: later, the first output would be lost.
            attachment = Attachment(client, identity)
            client.start(identity)
        except BaseException:
            # A creation that timed out may have happened all the same; the name finds it.
            try:
                self.daemon.remove(name)
                self._remove_group(slot, group)
            except FAILURES:
                slot.leave()  # the sweep will have it
            slot.release()
            raise
        return Container(identity, name, slot, group, attachment, generation, time.monotonic())

    def _remove_group(self, slot: Slot, group: Group | None) -> None:
        if group is not None:
            group.remove()
        if self.hierarchy is not None:
            self.hierarchy.remove_shadows(slot.name)

    def _discard(self, kind: Kind, container: Container) -> None:
        self.pool.give_back(kind)
        self.reaper.take(container)

    def _remove(self, container: Container) -> None:
        container.attachment.close()
        self.daemon.remove(container.id)
        self._remove_group(container.slot, container.group)
        container.slot.release()


def _words(error: Exception) -> str:
    if isinstance(error, ImageNotFound):
        return f"{error.explanation}: build it with `python -m sandbox images build`"
    if isinstance(error, APIError):
        return str(error.explanation or error)
    return str(error)
