"""How a sandboxed program ended, in words that its author understands."""

from __future__ import annotations

import signal
from dataclasses import dataclass
from typing import Final

from bots_sdk.referee.player import STOPPED, ExitReport
from sandbox.limits import MIB, Limits

SIGNAL_WORDS: Final[dict[int, str]] = {
    signal.SIGSEGV: "it touched memory that is not its own",
    signal.SIGABRT: "it aborted itself",
    signal.SIGFPE: "an arithmetic error",
    signal.SIGILL: "an illegal instruction",
    signal.SIGBUS: "a bad memory access",
    signal.SIGSYS: "a forbidden system call",
    signal.SIGPIPE: "it wrote to a closed pipe",
    signal.SIGTERM: "asked to leave",
}
CANNOT_START: Final = (126, 127)
"""The codes with which a shell says that a command cannot be run."""


@dataclass(frozen=True, slots=True)
class Ending:
    """The facts, as the backend found them; `status` is an exit code, or 128 + a signal."""

    status: int | None
    stopped_by_us: bool
    oom_kills: int = 0
    pids_refused: int = 0
    cpu_ms: float | None = None
    peak_memory: int | None = None


def report(ending: Ending, limits: Limits, stderr: bytes) -> ExitReport:
    """The exit report, with the reason spelled out."""
    code, number = _split(ending.status)
    return ExitReport(
        code=code,
        signal=number,
        oom=ending.oom_kills > 0,
        cpu_ms=ending.cpu_ms,
        peak_memory=ending.peak_memory,
        stderr=stderr,
        reason=_reason(ending, code, number, limits),
    )


def _split(status: int | None) -> tuple[int | None, int | None]:
    if status is not None and 128 < status <= 128 + signal.NSIG:
        return None, status - 128
    return status, None


def _reason(ending: Ending, code: int | None, number: int | None, limits: Limits) -> str:
    memory = f"{limits.memory_bytes // MIB} MiB of memory"
    died = not ending.stopped_by_us
    cpu_spent = ending.cpu_ms is not None and ending.cpu_ms >= limits.cpu_seconds * 1000
    if died and ending.oom_kills and number == signal.SIGKILL:
        text = f"was killed for using more than its {memory}"
    elif died and (number == signal.SIGXCPU or (cpu_spent and number == signal.SIGKILL)):
        text = f"was killed for using more than its {limits.cpu_seconds} s of CPU time"
    elif died and number == signal.SIGXFSZ:
        text = f"was killed for writing a file larger than its {limits.file_bytes // MIB} MiB"
    elif ending.stopped_by_us:
        text = STOPPED
    elif number is not None:
        text = f"was ended by {_name(number)}"
        if words := SIGNAL_WORDS.get(number):
            text += f": {words}"
    elif code in CANNOT_START:
        text = f"could not be started (code {code}): see its log"
    else:
        text = f"exited with code {code}"
    if ending.oom_kills and not text.startswith("was killed for using more than its " + memory):
        text += f"; a process of it was killed for using more than its {memory}"
    if ending.pids_refused:
        text += f"; it tried to run more than its {limits.pids} processes or threads"
    return text


_KNOWN: Final = frozenset(int(member) for member in signal.Signals)


def _name(number: int) -> str:
    return signal.Signals(number).name if number in _KNOWN else f"signal {number}"
