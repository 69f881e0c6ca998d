"""What one sandboxed program may use: one frozen value, enforced by every backend."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from bots_sdk.referee.pipes import OutputCaps
from sandbox.runtimes import Runtime

MIB: Final = 1024 * 1024
OOM_SCORE: Final = 1000
"""When the host itself runs out of memory, bots go first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Limits of a whole sandbox, all its processes together, unless said otherwise.

    Sizes are bytes. `memory_bytes` counts swap too, and everything that lies in /tmp and
    /dev/shm. `cpus` is a rate (1.0 = one core), `cpu_seconds` a sum
    (no bot that keeps its clock comes near it). `file_bytes` is the largest
    single file, `open_files` counts per process. `file_locks` is for compilers: two bots could tell
    each other things by locks on a file that both can read.

    Raises:
        ValueError: a limit that is not positive.

    """

    memory_bytes: int = 256 * MIB
    pids: int = 32
    cpus: float = 1.0
    cpu_seconds: int = 3600
    file_bytes: int = 32 * MIB
    open_files: int = 256
    tmp_bytes: int = 32 * MIB
    tmp_inodes: int = 4096
    shm_bytes: int = 8 * MIB
    stdout_bytes: int = 8 * MIB
    stderr_head: int = 16 * 1024
    stderr_tail: int = 48 * 1024
    file_locks: bool = False

    def __post_init__(self) -> None:
        for name in self.__slots__:
            if name != "file_locks" and getattr(self, name) <= 0:
                raise ValueError(f"limit {name} must be positive, not {getattr(self, name)}")

    @classmethod
    def of(cls, runtime: Runtime) -> Limits:
        """The limits of a bot at play in this language."""
        return cls(memory_bytes=runtime.memory_bytes, pids=runtime.pids)

    def with_at_most(self, *, memory_bytes: int, pids: int) -> Limits:
        """The same limits, lowered where a host can hold no more."""
        return replace(
            self,
            memory_bytes=min(self.memory_bytes, memory_bytes),
            pids=min(self.pids, pids),
        )

    @property
    def output_caps(self) -> OutputCaps:
        """What of the program's output is read and kept."""
        return OutputCaps(self.stdout_bytes, self.stderr_head, self.stderr_tail)
