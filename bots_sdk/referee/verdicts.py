"""What counts against a bot, in words that its author understands."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from bots_sdk.protocol import shorten
from bots_sdk.referee.player import ExitReport

KEPT_LINE = 1_000
"""Characters of an offending line that are kept."""


class Verdict(StrEnum):
    """Why a bot was ruled durak of a deal; each is told apart in the owner's log."""

    NOT_READY = "not_ready"
    TIMEOUT = "timeout"
    CRASH = "crash"
    CLOSED = "closed"
    MEMORY = "memory"
    MALFORMED = "malformed"
    LINE_TOO_LONG = "line_too_long"
    OUTPUT_LIMIT = "output_limit"
    STDIN_BLOCKED = "stdin_blocked"
    UNASKED = "unasked"
    WRONG_TURN = "wrong_turn"
    UNKNOWN_MOVE = "unknown_move"
    ILLEGAL_MOVE = "illegal_move"
    FORFEIT = "forfeit"


VERDICT_WORDS: Final[dict[Verdict, str]] = {
    Verdict.NOT_READY: "did not get ready in time",
    Verdict.TIMEOUT: "ran out of time",
    Verdict.CRASH: "exited",
    Verdict.CLOSED: "closed its stdin or stdout while still running",
    Verdict.MEMORY: "used more memory than allowed",
    Verdict.MALFORMED: "sent a line that is not a protocol message",
    Verdict.LINE_TOO_LONG: "sent a line longer than allowed",
    Verdict.OUTPUT_LIMIT: "printed more than allowed",
    Verdict.STDIN_BLOCKED: "does not read its stdin",
    Verdict.UNASKED: "sent a line that nobody had asked for",
    Verdict.WRONG_TURN: "answered another turn than the one asked",
    Verdict.UNKNOWN_MOVE: "sent a move that does not exist",
    Verdict.ILLEGAL_MOVE: "sent an illegal move",
    Verdict.FORFEIT: "was out of the match",
}


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault of one bot.

    `deal` is the deal's number in the match and `turn` the decision's number in the sitting,
    both None before the first deal. `reason` may be shown to everybody; it quotes nothing of the
    bot's log. `line` is what the bot had sent, made printable and cut to `KEPT_LINE` characters;
    `log` is the last line of the log of a bot that is gone, for its owner only. `position` is the
    whole position (hidden cards too: for `durak why`, and only for reading after the match); `exit`
    tells how a process that is gone had ended.
    """

    seat: int
    deal: int | None
    turn: int | None
    verdict: Verdict
    reason: str
    line: str = ""
    log: str = ""
    position: dict[str, Any] | None = None
    exit: ExitReport | None = None


class FaultFound(Exception):
    """Raised inside the referee where a seat's bot has broken a rule; becomes a `Fault`."""

    def __init__(self, verdict: Verdict, reason: str, line: bytes = b"", exit_report: ExitReport | None = None) -> None:
        super().__init__(reason)
        self.verdict = verdict
        self.reason = reason
        self.line = line
        self.exit_report = exit_report

    def to_fault(
        self,
        seat: int,
        deal: int | None = None,
        turn: int | None = None,
        position: dict[str, Any] | None = None,
    ) -> Fault:
        """The fault to record, and where it happened."""
        return Fault(
            seat,
            deal,
            turn,
            self.verdict,
            self.reason,
            printable(self.line),
            "" if self.exit_report is None else last_words(self.exit_report),
            position,
            self.exit_report,
        )


def printable(line: bytes, limit: int = KEPT_LINE) -> str:
    """A foreign line as text that is safe to store and show."""
    text = line[: limit + 1].decode("utf-8", errors="backslashreplace")
    text = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
    return text if len(text) <= limit else text[:limit] + "..."


def last_words(report: ExitReport) -> str:
    """The last line that a bot wrote to its log, where it mostly says why it crashed."""
    lines = [line for line in report.stderr.splitlines() if line.strip()]
    return shorten(lines[-1].decode("utf-8", errors="replace").strip(), 200) if lines else ""
