"""What differs between OCI runtimes: runc and crun run a program on the host's kernel, runsc on one of its own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from sandbox.limits import MIB, Limits

KERNEL_BYTES: Final = 32 * MIB
"""What gVisor's kernel may use (measured: 13 MiB idle); it lies in the same control group as the program."""
KERNEL_TASKS: Final = 1024
TASKS_EACH: Final = 8
"""Host threads of that kernel, and those for each thread of the program. Measured: 45 and 5 in use, but 630 under a
fork bomb of 16 processes, since those that are done with go late. At this bound gVisor itself ends, with code 2."""


def has_own_kernel(name: str, registered: Mapping[str, Any]) -> bool:
    """Whether it is gVisor, under whatever name the daemon's `Runtimes` have it."""
    words = (name, registered.get("path"), registered.get("runtimeType"))
    return any("runsc" in str(word) for word in words)


def group_limits(limits: Limits, *, own_kernel: bool) -> Limits:
    """What the control group is limited to, so that the program is left with its `limits`.

    gVisor enforces `RLIMIT_NPROC` on the program exactly, so the group bounds only gVisor itself.
    """
    if not own_kernel:
        return limits
    return replace(
        limits,
        memory_bytes=limits.memory_bytes + KERNEL_BYTES,
        pids=KERNEL_TASKS + TASKS_EACH * limits.pids,
    )
