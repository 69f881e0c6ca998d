"""The policy in Docker's words."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from sandbox.cgroups import PERIOD_US
from sandbox.docker.oci import group_limits
from sandbox.limits import OOM_SCORE, Limits
from sandbox.policy import BOT_FOLDER, HIDDEN_PROC, HOSTNAME, INIT_PROCESSES, rlimits
from sandbox.runtimes import Runtime
from sandbox.seccomp import profile_text
from sandbox.slots import Slot

LABEL: Final = "durak.sandbox"
GO: Final = "--go--"

GATE: Final = f'go=; while IFS= read -r line; do [ "$line" = {GO} ] && eval "exec $go"; go="$go$line\n"; done; exit 0'
"""Waits on stdin for a command, which it then becomes. It reads no byte beyond the command, and
leaves when its stdin ends: a container whose worker died does not wait for ever."""


@dataclass(frozen=True, slots=True)
class Kind:
    """What a container must be created with; those of one kind are interchangeable."""

    runtime: Runtime
    limits: Limits
    env: tuple[tuple[str, str], ...]

    @classmethod
    def of(cls, runtime: Runtime, limits: Limits, env: Mapping[str, str]) -> Kind:
        """The kind for a program of this language, with these limits and environment."""
        return cls(runtime, limits, tuple(sorted(env.items())))

    def __hash__(self) -> int:
        return hash((self.runtime.name, self.limits, self.env))


def opening(argv: tuple[str, ...]) -> bytes:
    """What opens the gate: the command, then the last word."""
    return f"{shlex.join(argv)}\n{GO}".encode()


def create_arguments(
    kind: Kind, slot: Slot, *, name: str, machine: str, oci_runtime: str, own_kernel: bool, cgroup_parent: str | None
) -> dict[str, Any]:
    """The body of Docker's `POST /containers/create` for a gated container on a daemon's `machine`."""
    limits = kind.limits
    group = group_limits(limits, own_kernel=own_kernel)
    seccomp = profile_text(machine, own_kernel=own_kernel, locks=limits.file_locks)
    tmp = f"rw,exec,nosuid,nodev,mode=1777,size={limits.tmp_bytes},nr_inodes={limits.tmp_inodes}"
    return {
        "Hostname": HOSTNAME,
        "User": f"{slot.uid}:{slot.uid}",
        # Not for the protocol alone: crun before 1.24 gives the host's /dev/null to the user of a container without it.
        "AttachStdin": True,
        "AttachStdout": True,
        "AttachStderr": True,
        "OpenStdin": True,
        "StdinOnce": True,
        "Tty": False,
        "Env": [f"{key}={value}" for key, value in kind.env],
        "Entrypoint": ["/bin/sh", "-c", GATE],
        "Cmd": [],
        "Image": kind.runtime.image,
        "WorkingDir": BOT_FOLDER,
        "NetworkDisabled": True,
        "StopSignal": "SIGKILL",
        "Healthcheck": {"Test": ["NONE"]},
        "Labels": {LABEL: str(slot.folder.parent), f"{LABEL}.slot": str(slot.number), f"{LABEL}.name": name},
        "HostConfig": {
            "NetworkMode": "none",
            "IpcMode": "private",
            "CapDrop": ["ALL"],
            "Privileged": False,
            "SecurityOpt": ["no-new-privileges:true", f"seccomp={seccomp}"],
            "ReadonlyRootfs": True,
            "Init": True,
            "Runtime": oci_runtime,
            "LogConfig": {"Type": "none"},
            "RestartPolicy": {"Name": "no"},
            "Memory": group.memory_bytes,
            "MemorySwap": group.memory_bytes,
            "MemorySwappiness": 0,
            "OomScoreAdj": OOM_SCORE,
            "PidsLimit": group.pids + INIT_PROCESSES,
            "CpuPeriod": PERIOD_US,
            "CpuQuota": int(limits.cpus * PERIOD_US),
            "CgroupParent": cgroup_parent or "",
            "ShmSize": limits.shm_bytes,
            "Tmpfs": {"/tmp": tmp},  # noqa: S108 - the container's own
            "Ulimits": [
                {"Name": row.name, "Soft": row.value, "Hard": row.ceiling}
                for row in rlimits(limits, counts_processes=own_kernel)
            ],
            "MaskedPaths": [f"/proc/{name}" for name in HIDDEN_PROC] + ["/sys"],
            "ReadonlyPaths": ["/proc/sys"],
            "Mounts": [
                {
                    "Type": "bind",
                    "Source": str(slot.folder / "bot"),
                    "Target": BOT_FOLDER,
                    "ReadOnly": True,
                    "BindOptions": {"Propagation": "rprivate"},
                }
            ],
        },
    }
