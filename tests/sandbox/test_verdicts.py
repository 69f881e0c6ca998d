"""The words in which an author is told how a program ended."""

from __future__ import annotations

import signal

import pytest

from bots_sdk.referee.player import STOPPED
from sandbox.limits import Limits
from sandbox.verdicts import Ending, report

LIMITS = Limits(memory_bytes=64 << 20, pids=16, cpu_seconds=5, file_bytes=8 << 20)


def reason(status: int | None, *, stopped: bool = False, **facts: float) -> str:
    return report(Ending(status, stopped, **facts), LIMITS, b"").reason  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("status", "facts", "words"),
    [
        (0, {}, "exited with code 0"),
        (3, {}, "exited with code 3"),
        (127, {}, "could not be started (code 127): see its log"),
        (137, {}, "was ended by SIGKILL"),
        (137, {"oom_kills": 1}, "was killed for using more than its 64 MiB of memory"),
        (
            1,
            {"oom_kills": 1},
            "exited with code 1; a process of it was killed for using more than its 64 MiB of memory",
        ),
        (152, {}, "was killed for using more than its 5 s of CPU time"),
        (137, {"cpu_ms": 5001.0}, "was killed for using more than its 5 s of CPU time"),
        (153, {}, "was killed for writing a file larger than its 8 MiB"),
        (139, {}, "was ended by SIGSEGV: it touched memory that is not its own"),
        (159, {}, "was ended by SIGSYS: a forbidden system call"),
        (0, {"pids_refused": 9}, "exited with code 0; it tried to run more than its 16 processes or threads"),
        (255, {}, "exited with code 255"),
    ],
)
def test_an_ending_is_put_in_words(status: int, facts: dict[str, float], words: str) -> None:
    assert reason(status, **facts) == words


def test_a_program_that_was_still_running_is_said_to_have_been_stopped() -> None:
    assert reason(137, stopped=True) == STOPPED
    assert reason(137, stopped=True, oom_kills=1).startswith(STOPPED + "; a process of it was killed")


def test_137_alone_is_no_proof_of_too_much_memory() -> None:
    assert not report(Ending(137, stopped_by_us=False), LIMITS, b"").oom
    assert report(Ending(0, stopped_by_us=False, oom_kills=1), LIMITS, b"").oom


def test_a_code_above_128_is_told_as_the_signal_that_it_stands_for() -> None:
    ended = report(Ending(128 + signal.SIGABRT, stopped_by_us=False), LIMITS, b"log")
    assert (ended.code, ended.signal, ended.stderr) == (None, signal.SIGABRT, b"log")


@pytest.mark.parametrize("name", ["memory_bytes", "pids", "cpus", "stdout_bytes"])
def test_a_limit_must_be_positive(name: str) -> None:
    with pytest.raises(ValueError, match=f"limit {name} must be positive"):
        Limits(**{name: 0})
