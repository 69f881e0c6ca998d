"""The attacks, a row each: what is run, and how it must end.

A row names the program in `programs/`, played as seat 0 against an honest bystander. The verdicts
allowed are listed; a row with none expects the attack to be contained and the attacker to play on
to the end, without a fault. `words` must occur in what the author is told.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from bots_sdk.referee import Verdict
from sandbox.limits import MIB, Limits

LIMITS = Limits(
    memory_bytes=64 * MIB,
    pids=16,
    cpus=1.0,
    cpu_seconds=2,
    file_bytes=8 * MIB,
    open_files=128,
    tmp_bytes=4 * MIB,
    tmp_inodes=500,
    shm_bytes=2 * MIB,
    stdout_bytes=1 * MIB,
)


@dataclass(frozen=True)
class Attack:
    """`log` must occur in the attacker's stderr, which proves that the attack was made.

    What is named `harmless` may succeed.
    """

    name: str
    program: str
    verdicts: tuple[Verdict, ...] = ()
    words: str = ""
    log: str = "attacking"
    exit_words: str = ""
    arguments: tuple[str, ...] = ()
    by_backend: bool = False
    harmless: str = ""


def _bad_line(kind: str, verdict: Verdict, words: str) -> Attack:
    return Attack(f"a reply of {kind.replace('_', ' ')}", "bad_line", (verdict,), words, log="", arguments=(kind,))


V = Verdict
CONTAINED: tuple[Verdict, ...] = ()

ATTACKS = (
    # Exhausting something.
    Attack("a fork bomb", "fork_bomb", (V.TIMEOUT,), exit_words="more than its 16 processes"),
    Attack("double-forked zombies", "zombies", CONTAINED, log="attacked"),
    Attack("threads", "threads", CONTAINED, log="stopped at"),
    Attack("memory in one process", "memory_alone", (V.MEMORY,), "memory"),
    # Version 1 of control groups ends one process, version 2 the whole sandbox.
    Attack("memory in a child only", "memory_in_a_child", (V.MEMORY,), exit_words="64 MiB", by_backend=True),
    Attack("memory in /dev/shm", "memory_in_dev_shm", CONTAINED, log="refused: 16 MiB"),
    Attack("memory in a tmpfs", "memory_in_tmp", CONTAINED, log="refused: 16 MiB"),
    # bubblewrap's tmpfs has no bound on inodes; they are memory, which has one.
    Attack("inodes", "inodes", (V.MEMORY, V.TIMEOUT), by_backend=True),
    Attack("disk", "disk", CONTAINED, log="refused: 32 MiB in /opt"),
    Attack("a file larger than allowed", "file_too_large", (V.CRASH,), "8 MiB"),
    Attack("spinners in the background", "spinners", (V.TIMEOUT, V.CRASH), by_backend=True),
    Attack("more CPU time than allowed", "cpu_time", (V.TIMEOUT,), log=""),
    # Not ending.
    Attack("sleeping for ever", "sleeper", (V.TIMEOUT,), "no answer within"),
    Attack("ignoring every signal", "deaf_to_signals", CONTAINED, log="attacked", exit_words="stopped by the referee"),
    Attack("stopping its own group", "stop_everything", (V.TIMEOUT,), "no answer within"),
    Attack("outliving the match in a session of its own", "outliving", (V.CRASH,), "exited with code 0", log=""),
    Attack("a grandchild that holds stdout", "grandchild_holds_stdout", (V.CRASH,), "exited with code 3", log=""),
    # Abusing the pipes.
    Attack("stdout closed but alive", "stdout_closed", (V.CLOSED, V.TIMEOUT)),
    Attack("stdin never read", "stdin_never_read", (V.TIMEOUT, V.STDIN_BLOCKED), log=""),
    Attack("100 MB without a newline", "endless_line", (V.LINE_TOO_LONG, V.OUTPUT_LIMIT)),
    Attack("100 MB of lines", "endless_lines", (V.MALFORMED, V.OUTPUT_LIMIT)),
    Attack("a flood on stderr", "log_flood", CONTAINED, log="attacked"),
    Attack("one byte now and then", "trickle", (V.TIMEOUT,), "no answer within"),
    Attack("never flushing", "no_flush", (V.TIMEOUT,), "no answer within", log=""),
    # Abusing the protocol.
    _bad_line("nul", V.MALFORMED, "JSON"),
    _bad_line("utf8", V.MALFORMED, "JSON"),
    _bad_line("deep", V.MALFORMED, "JSON"),
    _bad_line("deep_reply", V.MALFORMED, "JSON"),
    _bad_line("huge_number", V.MALFORMED, "JSON"),
    _bad_line("not_json", V.MALFORMED, "JSON"),
    _bad_line("list", V.MALFORMED, "JSON"),
    _bad_line("no_such_move", V.UNKNOWN_MOVE, "resign"),
    _bad_line("not_a_card", V.UNKNOWN_MOVE, "ZZ"),
    _bad_line("illegal", V.ILLEGAL_MOVE, ""),
    Attack("a reply before the prompt", "before_the_prompt", (V.UNASKED,), "before the turn was asked", log=""),
    Attack("the same reply twice", "twice", (V.UNASKED, V.WRONG_TURN), log=""),
    Attack("a reply after the deadline", "too_late", (V.TIMEOUT,), "no answer within", log=""),
    Attack("an old turn number", "old_turn", (V.WRONG_TURN,), "was asked", log=""),
    # Ending.
    Attack("leaving right after a good reply", "leaves_after_a_reply", (V.CRASH,), "exited with code 7", log=""),
    Attack("an exception", "crash", (V.CRASH,), "exited with code 1", log="ZeroDivisionError"),
    Attack("a segmentation fault", "segfault", (V.CRASH,), "SIGSEGV"),
    # Reaching out.
    Attack("the network", "network", CONTAINED, log="refused: an abstract socket"),
    Attack("reading the host", "reading", CONTAINED, log="refused: a file that the host just wrote"),
    Attack("telling another sandbox by a file", "telling_others", CONTAINED, log="all tried"),
    Attack("writing the root, its code, core_pattern", "writing", CONTAINED, log="refused: remove its code"),
    Attack("privileged system calls", "privileges", CONTAINED, log="refused: userfaultfd"),
    Attack("killing process 1", "killing_init", CONTAINED, log="attacked"),
    Attack("rewriting the memory of process 1", "rewriting_init", CONTAINED, log="attacked"),
)

UNDER_GVISOR: dict[str, dict[str, Any]] = {
    # What its kernel needs for so many processes counts as the attacker's, and refusals are not in the host's accounts.
    "a fork bomb": {"verdicts": (V.TIMEOUT, V.MEMORY), "exit_words": ""},
    # The score is that of a kernel which the host never asks.
    "writing the root, its code, core_pattern": {"harmless": "be spared when memory is short"},
    # Process 1 is no more than another process of the attacker's there.
    "killing process 1": {"verdicts": (V.CRASH,), "words": "SIGKILL", "log": "attacking"},
}
