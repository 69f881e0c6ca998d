"""A deal's record: what it takes to play it again, to the same end (R13)."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from bots_sdk.durak.dealing import deal
from bots_sdk.durak.errors import DurakError, IllegalMove, RecordError, quoted
from bots_sdk.durak.moves import Move
from bots_sdk.durak.result import REASONS, Result
from bots_sdk.durak.rules import RuleSet
from bots_sdk.durak.state import GameState

HEADING: Final = "durak deal 1"
MOVES_A_LINE: Final = 16
_WHOLE: Final = re.compile("0|[1-9][0-9]{0,8}")
_HEXADECIMAL: Final = re.compile("(?:[0-9a-f]{2})*")


@dataclass(frozen=True)
class Fault:
    """Why a seat could not be asked any more: a verdict in one word, ``timeout``."""

    seat: int
    verdict: str


@dataclass(frozen=True)
class DealRecord:
    """One deal, complete: every decision is among the moves, forced ones too.

    ``later`` and ``extra`` are as in ``deal``. ``fault`` is there when the deal ended by one, and
    ``result`` is ``None`` only while the deal is still in play.
    """

    rules: RuleSet
    seed: bytes
    seats: int
    dealer: int = 0
    moves: tuple[Move, ...] = ()
    result: Result | None = None
    fault: Fault | None = None
    later: bool = False
    extra: tuple[int, ...] = ()

    def deal(self) -> GameState:
        """The state before the first move."""
        return deal(self.rules, self.seats, self.seed, self.dealer, later=self.later, extra=self.extra)

    def states(self) -> Iterator[GameState]:
        """The state before each move and at the end, one object that is played on between them.

        Raises ``RecordError`` naming the move that cannot be played or the result that does not come out.
        """
        try:
            state = self.deal()
        except DurakError as error:
            raise RecordError(f"record: it cannot be dealt: {error}") from error
        yield state
        for number, move in enumerate(self.moves, 1):
            try:
                state.play(move)
            except IllegalMove as error:
                raise RecordError(f"record: move {number}, {move}: {error}") from error
            yield state
        if self.fault is not None:
            try:
                state.fault(self.fault.seat)
            except DurakError as error:
                raise RecordError(f"record: {error}") from error
            yield state
        if state.result != self.result:
            raise RecordError(f"record: it says {_result_text(self.result)}, it plays to {_result_text(state.result)}")

    def replay(self) -> GameState:
        """Play the deal again and return its end. Raises ``RecordError`` as ``states`` does."""
        return deque(self.states(), maxlen=1).pop()

    def to_text(self) -> str:
        """The record as text; ``DealRecord.parse`` reads it back to an equal record."""
        lines = [
            HEADING,
            f"rules {self.rules.to_json()}",
            f"seed {self.seed.hex()}",
            f"seats {self.seats}",
            f"dealer {self.dealer}",
        ]
        if self.later:
            lines.append("later")
        if self.extra:
            lines.append("extra " + " ".join(map(str, self.extra)))
        texts = [move.text for move in self.moves]
        lines += ["moves " + " ".join(texts[i : i + MOVES_A_LINE]) for i in range(0, len(texts), MOVES_A_LINE)]
        if self.fault is not None:
            lines.append(f"fault seat {self.fault.seat} {self.fault.verdict}")
        if self.result is not None:
            lines.append(f"result {_result_text(self.result)}")
        return "\n".join(lines) + "\n"

    @classmethod
    def parse(cls, text: str) -> DealRecord:
        """Read a record. Raises ``RecordError`` naming the line and what it should be."""
        lines = text.removesuffix("\n").split("\n")
        if lines[0] != HEADING:
            raise RecordError(f"record: line 1 is not {HEADING!r}")
        found: dict[str, Any] = {"moves": []}
        for number, line in enumerate(lines[1:], 2):
            word, _, rest = line.partition(" ")
            reader = _READERS.get(word)
            if reader is None:
                raise RecordError(f"record: line {number} begins with {quoted(word)}, not one of {', '.join(_READERS)}")
            if word in found and word != "moves":
                raise RecordError(f"record: line {number}: {word} is there twice")
            try:
                value = reader(rest)
            except (ValueError, IndexError) as error:
                raise RecordError(f"record: line {number}: {word}: {error}") from error
            if word == "moves":
                found["moves"] += value
            else:
                found[word] = value
        for needed in ("rules", "seed", "seats", "dealer"):
            if needed not in found:
                raise RecordError(f"record: there is no line {needed}")
        found["moves"] = tuple(found["moves"])
        return cls(**found)


def _result_text(result: Result | None) -> str:
    if result is None:
        return "no result yet"
    duraks = " ".join(map(str, sorted(result.duraks)))
    head = f"durak {duraks}" if duraks else "draw"
    tail = " double" if result.double else ""
    return f"{head} by {result.reason} left {' '.join(map(str, result.cards_left))}{tail}"


def _whole(text: str) -> int:
    if not _WHOLE.fullmatch(text):
        raise RecordError(f"{quoted(text)} is not a whole number")
    return int(text)


def _read_seed(text: str) -> bytes:
    if not _HEXADECIMAL.fullmatch(text):
        raise RecordError(f"{quoted(text)} is not a seed: two digits of 0123456789abcdef for each byte")
    return bytes.fromhex(text)


def _read_result(text: str) -> Result:
    head, _, tail = text.partition(" by ")
    words = tail.split(" ")
    double = words[-1] == "double"
    if len(words) < 3 or words[0] not in REASONS or words[1] != "left":
        raise RecordError(f"{quoted(text)} is not a result: durak 1 by last_holder left 0 3")
    duraks = head.split(" ")
    if head != "draw" and (duraks[0] != "durak" or len(duraks) == 1):
        raise RecordError(f"{quoted(text)} begins neither with draw nor with durak and its seats")
    return Result(
        duraks=frozenset(_whole(seat) for seat in duraks[1:]),
        reason=words[0],
        cards_left=tuple(_whole(count) for count in words[2 : len(words) - double]),
        double=double,
    )


def _read_fault(text: str) -> Fault:
    words = text.split(" ")
    if len(words) != 3 or words[0] != "seat":
        raise RecordError(f"{quoted(text)} is not a fault: seat 2 timeout")
    return Fault(_whole(words[1]), words[2])


def _read_later(text: str) -> bool:
    if text:
        raise RecordError("nothing may follow it")
    return True


_READERS: Final[dict[str, Callable[[str], Any]]] = {
    "rules": RuleSet.from_json,
    "seed": _read_seed,
    "seats": _whole,
    "dealer": _whole,
    "later": _read_later,
    "extra": lambda text: tuple(_whole(count) for count in text.split(" ")),
    "moves": lambda text: [Move.parse(word) for word in text.split(" ")],
    "fault": _read_fault,
    "result": _read_result,
}
