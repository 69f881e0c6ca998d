"""What is to be started, for whom, and until when."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path

from sandbox.limits import Limits
from sandbox.runtimes import Runtime


@dataclass(frozen=True, slots=True, kw_only=True)
class Labels:
    """Whose sandbox it is; written where a sweep finds it after a crash.

    `deadline` is in Unix seconds: past it the sandbox is swept even while its worker lives.
    """

    worker: str = "local"
    match: str = "none"
    seat: int = 0
    deadline: float = field(default_factory=lambda: time.time() + 3600)

    def as_text(self) -> dict[str, str]:
        """Every label as text, as containers and leases carry them."""
        return {name: str(value) for name, value in asdict(self).items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class SandboxSpec:
    """One program to run.

    `folder` is mounted read-only at `/bot` and is the working directory; `argv` is run inside.
    `limits` and `env` (complete: nothing of the host's environment is added) are the runtime's
    unless given.
    """

    runtime: Runtime
    folder: Path
    argv: tuple[str, ...]
    limits: Limits | None = None
    env: Mapping[str, str] | None = None
    labels: Labels = field(default_factory=Labels)

    @property
    def limits_in_force(self) -> Limits:
        """The limits asked for, or those of the language."""
        return self.limits or Limits.of(self.runtime)

    @property
    def environment(self) -> Mapping[str, str]:
        """The whole environment of the program."""
        return self.runtime.env if self.env is None else self.env
