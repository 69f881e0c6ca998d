"""Plays one deal at a table: asks, judges, records."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bots_sdk import protocol
from bots_sdk.durak import Chronicle, DealRecord, IllegalMove, Move, NotationError, Result, deal
from bots_sdk.durak import Fault as RecordedFault
from bots_sdk.referee.outcome import DealOutcome, Decision
from bots_sdk.referee.plan import DealSpec
from bots_sdk.referee.seat import Seat
from bots_sdk.referee.table import Table
from bots_sdk.referee.verdicts import FaultFound, Verdict


def play_deal(table: Table, number: int, spec: DealSpec) -> DealOutcome:
    """Play the sitting's deal `number` to its end, by the rules or by a fault.

    Raises:
        HostFault: the host failed.

    """
    return _Deal(table, number, spec).play()


class _Deal:
    def __init__(self, table: Table, number: int, spec: DealSpec) -> None:
        self._table = table
        self._number = number
        self._spec = spec
        self._state = deal(table.spec.rules, table.spec.seats, spec.seed, spec.dealer)
        self._chronicle = Chronicle(self._state)
        self._decisions: list[Decision] = []
        self._fault: RecordedFault | None = None
        self._published = 0
        self._told = [0] * table.spec.seats

    def play(self) -> DealOutcome:
        loser = self._table.loser_by_default(self._number)
        if loser is not None:
            self._end_by_fault(loser, Verdict.FORFEIT)
        else:
            self._announce()
            while not self._state.is_over:
                self._decide()
            self._reveal()
        result = self._result()
        for durak in result.duraks:
            self._table.duraks[durak] += 1
        record = self._record(result).to_text()
        return DealOutcome(self._spec, record, result, self._chronicle.events, tuple(self._decisions))

    def _announce(self) -> None:
        first = self._state.deal_info.first
        for seat in self._table.seats:
            view = self._view(seat.number)
            seat.tell(protocol.deal_message(self._number, first, view, self._news(seat.number)))
        self._publish()

    def _decide(self) -> None:
        """One decision: forced ones are made here, the others are asked (R4.8)."""
        state, table = self._state, self._table
        seat = table.seats[state.turn]
        table.turn += 1
        legal = state.legal_moves()
        if len(legal) == 1:
            table.pretend_to_think(seat)
            self._chronicle.play(legal[0])
        else:
            try:
                move = self._ask(seat, legal)
            except FaultFound as found:
                table.charge(seat, found, self._spec.index, table.turn, state.to_position())
                self._end_by_fault(seat.number, found.verdict)
                return
            self._decisions.append(Decision(table.turn, seat.number, seat.last_ms))
            table.note_time(seat)
            self._chronicle.play(move)
        self._publish()

    def _ask(self, seat: Seat, legal: Sequence[Move]) -> Move:
        line = protocol.turn_message(
            self._table.turn, self._number, self._view(seat.number), legal, self._news(seat.number), seat.turn_clock()
        )
        reply, answer = seat.ask(self._table.turn, line)
        try:
            move = protocol.reply_move(reply)
        except NotationError as error:
            raise FaultFound(Verdict.UNKNOWN_MOVE, str(error), answer) from error
        if move not in legal:
            try:
                self._state.verify(move)
            except IllegalMove as error:
                raise FaultFound(Verdict.ILLEGAL_MOVE, str(error), answer) from error
        return move

    def _view(self, seat: int) -> dict[str, Any]:
        view = self._state.view(seat)
        for told_otherwise in ("legal", "to_move", "over"):
            view.pop(told_otherwise, None)
        return view

    def _news(self, seat: int) -> list[dict[str, Any]]:
        """What this seat may see of the events since it was last told."""
        events = self._chronicle.events[self._told[seat] :]
        self._told[seat] += len(events)
        return [event.seen_by(seat) for event in events]

    def _publish(self) -> None:
        events = self._chronicle.events
        self._table.publish(self._spec.index, events[self._published :])
        self._published = len(events)

    def _end_by_fault(self, seat: int, verdict: Verdict) -> None:
        self._fault = RecordedFault(seat, verdict.value)
        self._chronicle.fault(seat, verdict.value)
        self._publish()

    def _reveal(self) -> None:
        """Tell everyone how the deal ended, with all hands and the seed."""
        result = self._result()
        duraks = sorted(result.duraks)
        hands = self._state.to_position()["hands"]
        fault = None if self._fault is None else {"seat": self._fault.seat, "verdict": self._fault.verdict}
        for seat in self._table.seats:
            over = protocol.DealOver(
                deal=self._number,
                durak=duraks if len(duraks) > 1 else duraks[0] if duraks else None,
                reason=result.reason,
                fault=fault,
                hands=hands,
                seed=self._spec.seed.hex(),
                events=self._news(seat.number),
            )
            seat.tell(protocol.encode(over))

    def _result(self) -> Result:
        result = self._state.result
        if result is None:
            raise AssertionError("the deal is not over")
        return result

    def _record(self, result: Result) -> DealRecord:
        return DealRecord(
            rules=self._table.spec.rules,
            seed=self._spec.seed,
            seats=self._table.spec.seats,
            dealer=self._spec.dealer,
            moves=tuple(self._chronicle.moves),
            result=result,
            fault=self._fault,
        )
