"""One bot at the table: its clock, and what it is told and asked."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator

from bots_sdk import protocol
from bots_sdk.protocol import MalformedLine, Reply, TurnClock, UnfinishedLine
from bots_sdk.referee.plan import TimeControl
from bots_sdk.referee.player import (
    STOPPED,
    Eof,
    ExitReport,
    HostFault,
    LineTooLong,
    OutputLimit,
    Player,
    PlayerFault,
    StdinBlocked,
    Timeout,
)
from bots_sdk.referee.verdicts import FaultFound, Verdict

EXIT_MOMENT = 0.1
"""Seconds in which a bot that closed its output may still show that it was leaving."""


class Seat:
    """Asks one player, charges its clock, and turns everything it does wrong into `FaultFound`.

    A `HostFault` in whatever is done with the player names this seat.
    """

    def __init__(
        self,
        number: int,
        player: Player,
        time_control: TimeControl,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.number = number
        self.player = player
        self.alive = True
        self._time = time_control
        self._clock = clock
        self._bank_ms = float(time_control.bank_ms)
        self._last_ms = 0.0
        self._missed_turns: set[int] = set()

    @property
    def last_ms(self) -> float:
        """What the last decision took, in milliseconds."""
        return self._last_ms

    def turn_clock(self) -> TurnClock:
        """The clock's part of a prompt."""
        return TurnClock(self._time.move_ms, round(self._bank_ms, 3), round(self._last_ms, 3))

    def tell(self, line: bytes) -> None:
        """Send what needs no answer; time that the bot spends not reading it is its own.

        A bot that is gone or does not read is found out when it is next asked.
        """
        if not self.alive:
            return
        began = self._clock()
        with self._host_faults_named(), contextlib.suppress(PlayerFault):
            self.player.send(line, began + self._allowance_ms / 1000)
        self._charge((self._clock() - began) * 1000)

    def await_ready(self, deadline: float) -> None:
        """Read until `{"type":"ready"}`, passing over whatever else is printed at start-up."""
        try:
            with self._host_faults_named():
                self._read_ready(deadline)
        except Timeout as fault:
            words = f'no {{"type":"ready"}} came within {self._time.startup_ms} ms of the start'
            raise FaultFound(Verdict.NOT_READY, words, fault.line) from fault
        except PlayerFault as fault:
            raise self._found(fault) from fault

    def _read_ready(self, deadline: float) -> None:
        while True:
            try:
                line = self.player.receive(deadline)
            except LineTooLong:
                continue
            if _is_ready(line):
                return
            if self._clock() > deadline:
                raise Timeout("no ready came in time", line)

    def ask(self, turn: int, line: bytes) -> tuple[Reply, bytes]:
        """Send a prompt and return the answer to it, read and as it came, with the right turn number.

        Raises:
            FaultFound: the bot did anything else.
            HostFault: the host failed, in this seat's turn.

        """
        with self._host_faults_named():
            self._refuse_unasked()
        began = self._clock()
        deadline = began + self._allowance_ms / 1000
        allowance = self._allowance_ms
        answer = b""
        try:
            with self._host_faults_named():
                self.player.send(line, deadline)
                answer = self._answer(deadline)
        except PlayerFault as fault:
            if isinstance(fault, Timeout | StdinBlocked):
                self._missed_turns.add(turn)
            raise self._found(fault) from fault
        finally:
            self._last_ms = (self._clock() - began) * 1000
            self._charge(self._last_ms)
        if self._last_ms > allowance:
            raise FaultFound(Verdict.TIMEOUT, self._timeout_words(allowance), answer)
        return self._read(turn, answer), answer

    def _answer(self, deadline: float) -> bytes:
        while True:
            line = self.player.receive(deadline)
            if not self._is_late_answer(line):
                return line
            if self._clock() >= deadline:
                raise Timeout("no answer came in time", line)

    def _read(self, turn: int, line: bytes) -> Reply:
        try:
            reply = protocol.decode_reply(line)
        except MalformedLine as error:
            raise FaultFound(Verdict.MALFORMED, str(error), line) from error
        if reply.type != "move":
            raise FaultFound(
                Verdict.MALFORMED,
                f'the answer to a turn has "type":"move", not "{protocol.shorten(reply.type)}"',
                line,
            )
        if reply.turn != turn:
            got = "has no turn" if reply.turn is None else f"is for turn {reply.turn}"
            raise FaultFound(Verdict.WRONG_TURN, f"the answer {got}; turn {turn} was asked", line)
        return reply

    def _refuse_unasked(self) -> None:
        while (line := self.player.stray()) is not None:
            if not self._is_late_answer(line, in_part=True):
                raise FaultFound(Verdict.UNASKED, "a line had come before the turn was asked", line)

    def _is_late_answer(self, line: bytes, *, in_part: bool = False) -> bool:
        """The answer to a turn already lost on time: charged then, dropped now.

        With `in_part` the beginning of a line will do: it names no turn yet, and stands for the oldest. Its rest
        is discarded by the player.
        """
        if not self._missed_turns:
            return False
        try:
            turn = protocol.decode_reply(line).turn
        except UnfinishedLine:
            turn = min(self._missed_turns) if in_part else None
        except MalformedLine:
            return False
        if turn in self._missed_turns:
            self._missed_turns.discard(turn)
            return True
        return False

    @property
    def _allowance_ms(self) -> float:
        return self._time.move_ms + self._bank_ms

    def _charge(self, spent_ms: float) -> None:
        self._bank_ms = max(0.0, self._bank_ms - max(0.0, spent_ms - self._time.move_ms))

    def _timeout_words(self, allowance: float) -> str:
        bank = max(0.0, allowance - self._time.move_ms)
        return (
            f"no answer within the {self._time.move_ms} ms of a move and the {bank:.0f} ms that were left in the bank"
        )

    def _found(self, fault: PlayerFault) -> FaultFound:
        match fault:
            case Timeout():
                words = self._timeout_words(self._allowance_ms)
                return FaultFound(Verdict.TIMEOUT, words, fault.line)
            case LineTooLong():
                return FaultFound(Verdict.LINE_TOO_LONG, str(fault), fault.line)
            case StdinBlocked():
                return FaultFound(Verdict.STDIN_BLOCKED, str(fault))
            case OutputLimit():
                return FaultFound(Verdict.OUTPUT_LIMIT, str(fault), fault.line, self.end())
            case Eof():
                return self._left(fault)
        raise AssertionError(fault)

    def _left(self, fault: Eof) -> FaultFound:
        report = self.end(self._clock() + EXIT_MOMENT)
        if report.oom:
            verdict, reason = Verdict.MEMORY, "the bot used more memory than allowed"
        elif report.reason.startswith(STOPPED):
            verdict, reason = Verdict.CLOSED, f"{fault} while it was running"
        else:
            verdict, reason = Verdict.CRASH, f"the bot {report.reason}"
        return FaultFound(verdict, reason, fault.line, report)

    def end(self, deadline: float | None = None) -> ExitReport:
        """Stop the player, which may leave by itself until the deadline."""
        self.alive = False
        with self._host_faults_named():
            return self.player.stop(deadline)

    @contextlib.contextmanager
    def _host_faults_named(self) -> Iterator[None]:
        try:
            yield
        except HostFault as fault:
            fault.seat = self.number
            raise


def _is_ready(line: bytes) -> bool:
    try:
        return protocol.decode_reply(line).type == "ready"
    except MalformedLine:
        return False
