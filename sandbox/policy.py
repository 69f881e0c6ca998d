"""The policy that both backends translate: what the program sees, and who it is inside.

Limits are in `sandbox.limits`, system calls in `sandbox.seccomp`, languages in
`sandbox.runtimes`; this file is the rest of the policy, as data.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from sandbox.limits import Limits

BOT_FOLDER: Final = "/bot"
"""Where the program's folder is mounted, read-only."""

LIBRARY_FOLDER: Final = "/opt/durak/python"
"""Where Python bots find the SDK and NumPy, read-only."""

INSIDE_UID: Final = 1000
HOSTNAME: Final = "bot"

SLOTS: Final = 512
FIRST_UID: Final = 70_000
BACKENDS: Final = ("bubblewrap", "docker")
"""As root every running sandbox has a uid and gid of its own: `SLOTS` for each backend from
`FIRST_UID` on (`DURAK_SANDBOX_UID`, where two installations share a host). Neither Debian nor
systemd, whose dynamic users end at 65519, give uids between 65536 and 524287."""

INIT_PROCESSES: Final = 1
"""Process 1 inside is not the program's, and comes on top of what the program may run."""

HIDDEN_PROC: Final = (
    "acpi", "asound", "bus", "fs", "irq", "kallsyms", "kcore", "keys", "key-users", "kmsg",
    "latency_stats", "modules", "pagetypeinfo", "sched_debug", "scsi", "slabinfo",
    "sysrq-trigger", "timer_list", "timer_stats", "vmallocinfo",
)  # fmt: skip
"""Entries of /proc that are covered: they tell of the host, not of the program."""

HIDDEN_USR: Final = ("local", "src", "lib/python3/dist-packages")
"""What of the host's /usr a bubblewrap sandbox does not see: things that the operator installed."""


@dataclass(frozen=True, slots=True)
class Rlimit:
    """A limit of each single process: its name for Docker, and its letter and unit in `ulimit`.

    At `value` the kernel signals, at `hard` (the same unless given) it kills.
    """

    name: str
    letter: str
    unit: int
    value: int
    hard: int = -1

    @property
    def ceiling(self) -> int:
        """The hard limit."""
        return max(self.value, self.hard)


def rlimits(limits: Limits, *, cgroup: bool = True, counts_processes: bool = False) -> tuple[Rlimit, ...]:
    """Limits of each single process; the cgroup holds the sums.

    `nproc` counts the processes of the sandbox's own uid and user namespace. Where no control
    group holds the memory of the whole sandbox (`cgroup` false), each process's data is
    limited instead; not its address space, of which Java and Node reserve far more than they use.
    With `counts_processes` no control group counts the program's own processes, though one is there.
    """
    # Where the control group counts processes, it shall be the one to refuse: it tells us.
    processes = limits.pids + INIT_PROCESSES
    rows = (
        Rlimit("nofile", "n", 1, limits.open_files),
        Rlimit("core", "c", 512, 0),
        Rlimit("fsize", "f", 512, limits.file_bytes),
        Rlimit("memlock", "l", 1024, 64 * 1024),
        Rlimit("nproc", "p", 1, 2 * processes if cgroup and not counts_processes else processes),
        Rlimit("rtprio", "r", 1, 0),
        Rlimit("cpu", "t", 1, limits.cpu_seconds, limits.cpu_seconds + 1),
    )
    return rows if cgroup else (*rows, Rlimit("data", "d", 1024, limits.memory_bytes))
