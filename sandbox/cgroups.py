"""Control groups for one sandbox: limits on all of its processes together, and their accounts.

Version 1 (one hierarchy a controller) and version 2 (one hierarchy) offer the same here. Which
files say what is in the two tables at the top; the rest is shared.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from sandbox.limits import Limits
from sandbox.policy import INIT_PROCESSES

PERIOD_US: Final = 100_000
GROUP: Final = "durak"
CPUS: Final = os.cpu_count() or 1
GROUP_WEIGHT: Final = {"v1": ("cpu", "cpu.shares", 1024 * CPUS), "v2": ("", "cpu.weight", 100 * CPUS)}
"""All sandboxes together weigh as much as one ordinary process on each processor."""

V1_CONTROLLERS: Final = ("memory", "pids", "cpu", "cpuacct", "freezer")
V2_CONTROLLERS: Final = ("memory", "pids", "cpu")


def v1_settings(limits: Limits) -> list[tuple[str, str, str]]:
    """(controller, file, value), in the order in which the kernel takes them."""
    return [
        ("memory", "memory.limit_in_bytes", str(limits.memory_bytes)),
        ("memory", "memory.memsw.limit_in_bytes", str(limits.memory_bytes)),
        ("memory", "memory.swappiness", "0"),
        ("pids", "pids.max", str(limits.pids + INIT_PROCESSES)),
        ("cpu", "cpu.cfs_period_us", str(PERIOD_US)),
        ("cpu", "cpu.cfs_quota_us", str(int(limits.cpus * PERIOD_US))),
    ]


def v2_settings(limits: Limits) -> list[tuple[str, str, str]]:
    """The same for the unified hierarchy."""
    return [
        ("", "memory.max", str(limits.memory_bytes)),
        ("", "memory.swap.max", "0"),
        ("", "memory.oom.group", "1"),
        ("", "pids.max", str(limits.pids + INIT_PROCESSES)),
        ("", "cpu.max", f"{int(limits.cpus * PERIOD_US)} {PERIOD_US}"),
    ]


OPTIONAL: Final = frozenset({"memory.memsw.limit_in_bytes", "memory.swap.max", "memory.swappiness", "memory.oom.group"})
"""Absent where the kernel does not account swap (then there must be none), or is old."""


class NoCgroups(Exception):
    """No control group can be made here; the message says why."""


@dataclass(frozen=True, slots=True)
class Usage:
    """What a group used, as far as the kernel tells. `oom_kills` counts processes."""

    oom_kills: int = 0
    pids_refused: int = 0
    cpu_ms: float | None = None
    peak_memory: int | None = None
    throttled_ms: float = 0.0


class Hierarchy:
    """Where groups are made: controller to folder (version 2 has the one controller "").

    Raises:
        NoCgroups: nothing there can be written.

    """

    def __init__(self, version: str, parents: Mapping[str, Path]) -> None:
        self.version, self.parents = version, dict(parents)
        controller, file, weight = GROUP_WEIGHT[version]
        for parent in self.parents.values():
            try:
                parent.mkdir(exist_ok=True)
            except OSError as error:
                raise NoCgroups(f"cannot make {parent}: {error.strerror}") from error
            if not os.access(parent, os.W_OK | os.X_OK):  # made by root, and we are somebody else
                raise NoCgroups(f"{parent} belongs to another user")
        with contextlib.suppress(OSError):
            _write(self.parents[controller] / file, str(weight))

    def create(self, name: str, limits: Limits) -> Group:
        """Make an empty group with the limits set.

        Raises:
            OSError: the kernel refuses.

        """
        group = Group(self.version, {key: path / name for key, path in self.parents.items()})
        settings = v1_settings(limits) if self.version == "v1" else v2_settings(limits)
        try:
            for path in group.paths.values():
                path.mkdir()
            for controller, file, value in settings:
                try:
                    _write(group.paths[controller] / file, value)
                except FileNotFoundError:
                    if file not in OPTIONAL:
                        raise
        except OSError:
            group.remove()
            raise
        return group

    def find(self, name: str) -> Group | None:
        """A group that exists, whole or in part (left over from a crash)."""
        paths = {key: path / name for key, path in self.parents.items() if (path / name).is_dir()}
        return Group(self.version, paths) if paths else None

    def remove_shadows(self, name: str) -> None:
        """Remove what Docker made of a group in the hierarchies that we do not use."""
        for parent in self.parents.values():
            for path in parent.parent.parent.glob(f"*/{GROUP}/{name}"):
                _rmdir(path)


@dataclass(frozen=True, slots=True)
class Group:
    """One sandbox's control group."""

    version: str
    paths: Mapping[str, Path]

    def add(self, pid: int) -> None:
        """Move a process into the group; its children will be born there.

        Raises:
            OSError: the kernel refuses, or the process is gone.

        """
        for path in self.paths.values():
            _write(path / "cgroup.procs", str(pid))

    def child(self, name: str) -> Group | None:
        """A group inside this one, such as the one that Docker makes for a container."""
        paths = {key: path / name for key, path in self.paths.items()}
        return Group(self.version, paths) if all(path.is_dir() for path in paths.values()) else None

    def pids(self) -> set[int]:
        """The processes inside, those of inner groups too."""
        found: set[int] = set()
        for path in self.paths.values():
            for procs in [path / "cgroup.procs", *path.glob("*/cgroup.procs")]:
                with contextlib.suppress(OSError):
                    found |= {int(word) for word in procs.read_text().split()}
        return found

    def usage(self) -> Usage:
        """Read the accounts; to be done before `remove`."""
        return self._usage_v1() if self.version == "v1" else self._usage_v2()

    def kill(self) -> None:
        """End every process inside, without giving them a chance to outrun it by forking."""
        if self.version == "v2":
            with contextlib.suppress(OSError):
                _write(self.paths[""] / "cgroup.kill", "1")
                return
        freezer = self.paths.get("freezer" if self.version == "v1" else "")
        file, frozen, thawed = (
            ("freezer.state", "FROZEN", "THAWED") if self.version == "v1" else ("cgroup.freeze", "1", "0")
        )
        if freezer is not None:
            with contextlib.suppress(OSError):
                _write(freezer / file, frozen)
        for pid in self.pids():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, 9)
        if freezer is not None:
            with contextlib.suppress(OSError):
                _write(freezer / file, thawed)

    def remove(self, seconds: float = 5.0) -> bool:
        """Kill what is inside and remove the group; False if something would not go in time."""
        until = time.monotonic() + seconds
        left = [path for path in self.paths.values() if path.exists()]
        while left:
            if self.pids():
                self.kill()
            left = [path for path in left if not _rmdir(path)]
            if left and time.monotonic() > until:
                return False
            if left:
                time.sleep(0.001)
        return True

    def _usage_v1(self) -> Usage:
        memory, pids, cpu = self.paths["memory"], self.paths["pids"], self.paths["cpu"]
        nanoseconds = _number(self.paths["cpuacct"] / "cpuacct.usage")
        return Usage(
            oom_kills=_keyed(memory / "memory.oom_control").get("oom_kill", 0),
            pids_refused=_keyed(pids / "pids.events").get("max", 0),
            cpu_ms=None if nanoseconds is None else nanoseconds / 1e6,
            peak_memory=_number(memory / "memory.max_usage_in_bytes"),
            throttled_ms=_keyed(cpu / "cpu.stat").get("throttled_time", 0) / 1e6,
        )

    def _usage_v2(self) -> Usage:
        path = self.paths[""]
        stat = _keyed(path / "cpu.stat")
        microseconds = stat.get("usage_usec")
        return Usage(
            oom_kills=_keyed(path / "memory.events").get("oom_kill", 0),
            pids_refused=_keyed(path / "pids.events").get("max", 0),
            cpu_ms=None if microseconds is None else microseconds / 1e3,
            peak_memory=_number(path / "memory.peak"),
            throttled_ms=stat.get("throttled_usec", 0) / 1e3,
        )


def find_hierarchy(root: Path = Path("/sys/fs/cgroup"), proc: Path = Path("/proc")) -> Hierarchy:
    """The place for our groups on this host: version 2 if it has the controllers, else version 1.

    `DURAK_SANDBOX_CGROUP` names a folder of the unified hierarchy that was delegated to us.

    Raises:
        NoCgroups: with what is missing.

    """
    if given := os.environ.get("DURAK_SANDBOX_CGROUP"):
        return _unified(Path(given))
    if _has(root, V2_CONTROLLERS):
        if os.geteuid() == 0:
            return _unified(root)
        own = _own_path(proc, "")
        if own is None:
            raise NoCgroups("this process is in no control group of version 2")
        return _unified(root / own.lstrip("/"))
    found = {name: root / name for name in V1_CONTROLLERS if (root / name / "cgroup.procs").exists()}
    lacking = [name for name in V1_CONTROLLERS if name not in found]
    if lacking:
        raise NoCgroups(f"no control group controller {', '.join(lacking)} is mounted under {root}")
    return Hierarchy("v1", {name: path / GROUP for name, path in found.items()})


def _unified(base: Path) -> Hierarchy:
    lacking = [name for name in V2_CONTROLLERS if not _has(base, [name])]
    if lacking:
        raise NoCgroups(f"{base} lacks the controllers {', '.join(lacking)}; have them delegated")
    _enable(base)
    hierarchy = Hierarchy("v2", {"": base / GROUP})
    _enable(base / GROUP)
    return hierarchy


def _enable(folder: Path) -> None:
    """Hand the controllers down to the children of a group.

    A group with processes of its own cannot do so (except the root of all), so those are moved
    into a leaf beside ours first.
    """
    control = folder / "cgroup.subtree_control"
    words = " ".join(f"+{name}" for name in V2_CONTROLLERS)
    try:
        if set(V2_CONTROLLERS) <= set(control.read_text().split()):
            return
        try:
            _write(control, words)
        except OSError:
            leaf = folder / "worker"
            leaf.mkdir(exist_ok=True)
            for pid in (folder / "cgroup.procs").read_text().split():
                with contextlib.suppress(ProcessLookupError):
                    _write(leaf / "cgroup.procs", pid)
            _write(control, words)
    except OSError as error:
        raise NoCgroups(f"cannot use the control group {folder}: {error.strerror}") from error


def _has(folder: Path, controllers: Iterable[str]) -> bool:
    try:
        return set(controllers) <= set((folder / "cgroup.controllers").read_text().split())
    except OSError:
        return False


def _own_path(proc: Path, controller: str) -> str | None:
    for line in (proc / "self/cgroup").read_text().splitlines():
        _, controllers, path = line.split(":", 2)
        if controllers == controller:
            return path
    return None


def _write(path: Path, value: str) -> None:
    # Not Path.write_text: that would create a missing file where the tree is not a real cgroup.
    fd = os.open(path, os.O_WRONLY | os.O_CLOEXEC)
    try:
        os.write(fd, value.encode())
    finally:
        os.close(fd)


def _rmdir(path: Path) -> bool:
    """Remove a group, and first the groups in it, which an OCI runtime that fails leaves there."""
    try:
        for inner in path.iterdir():
            if inner.is_dir():
                _rmdir(inner)
        path.rmdir()
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return True


def _number(path: Path) -> int | None:
    try:
        return int(path.read_text())
    except (OSError, ValueError):
        return None


def _keyed(path: Path) -> dict[str, int]:
    """Read a file of `key number` lines; what cannot be read is left out."""
    found: dict[str, int] = {}
    with contextlib.suppress(OSError):
        for line in path.read_text().splitlines():
            key, _, value = line.partition(" ")
            if value.strip().isdigit():
                found[key] = int(value)
    return found
