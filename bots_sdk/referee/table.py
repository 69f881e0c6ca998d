"""The table of one sitting: the seats around it, who is out, and the common poll loop."""

from __future__ import annotations

import random
import time
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

from bots_sdk import protocol
from bots_sdk.durak import Event
from bots_sdk.referee.outcome import SittingSpec
from bots_sdk.referee.pipes import Poller, Pooled
from bots_sdk.referee.player import ExitReport, Player
from bots_sdk.referee.seat import Seat
from bots_sdk.referee.verdicts import Fault, FaultFound, Verdict

OnEvent = Callable[[int, Event], None]
"""Called with the deal's number in the match and each event as it happens."""

LEAVING_MOMENT = 0.25
"""Seconds in which all bots together may leave by themselves after `match_over`."""

REMEMBERED_TIMES = 32


class Table:
    """Knows the seats, counts faults, and decides who is out.

    Raises:
        ValueError: the number of players is not that of the seats.

    """

    def __init__(
        self,
        spec: SittingSpec,
        players: Sequence[Player],
        on_event: OnEvent | None,
        clock: Callable[[], float],
    ) -> None:
        self.spec = spec
        self.faults: list[Fault] = []
        self.turn = 0
        self.duraks = [0] * spec.seats
        self._counted = list(spec.faults_before)
        self._out = spec.excluded_seats()
        if len(players) != spec.seats and not (self._out and not players):
            raise ValueError(f"{len(players)} players for {spec.seats} seats")
        self.seats = [Seat(number, player, spec.time_control, clock) for number, player in enumerate(players)]
        self._on_event = on_event
        self._clock = clock
        self._times = [deque[float](maxlen=REMEMBERED_TIMES) for _ in range(spec.seats)]
        self._chance = random.Random()  # noqa: S311 - it only blurs a time
        poller = Poller()
        for player in players:
            if isinstance(player, Pooled):
                player.join(poller)

    @property
    def excluded(self) -> tuple[bool, ...]:
        """Which seats are out of the match."""
        return tuple(seat in self._out for seat in range(self.spec.seats))

    def loser_by_default(self, number: int) -> int | None:
        """The seat that loses this deal unplayed, if anyone is out; several take turns."""
        return self._out[number % len(self._out)] if self._out else None

    def open(self) -> None:
        """Greet everyone at once, then wait for all, so that start-ups overlap."""
        if self._out:
            return
        terms = self.spec.time_control
        clock = protocol.ClockTerms(terms.startup_ms, terms.move_ms, terms.bank_ms, self.spec.fault_limit)
        for seat in self.seats:
            hello = protocol.Hello(
                rules=self.spec.rules.to_dict(),
                seat=seat.number,
                seats=self.spec.seats,
                deals=len(self.spec.deals),
                clock=clock,
                commitment=self.spec.commitment,
            )
            seat.tell(protocol.encode(hello))
        ready_by = self._clock() + terms.startup_ms / 1000
        for seat in self.seats:
            try:
                seat.await_ready(ready_by)
            except FaultFound as found:
                self.charge(seat, found)

    def charge(
        self,
        seat: Seat,
        found: FaultFound,
        deal: int | None = None,
        turn: int | None = None,
        position: dict[str, Any] | None = None,
    ) -> None:
        """Record a fault; a bot with too many, or that is gone, is out."""
        number = seat.number
        self.faults.append(found.to_fault(number, deal, turn, position))
        self._counted[number] += 1
        if found.verdict is Verdict.NOT_READY:
            seat.end()
        if (not seat.alive or self._counted[number] >= self.spec.fault_limit) and number not in self._out:
            self._out.append(number)

    def publish(self, deal: int, events: Sequence[Event]) -> None:
        """Pass events on to whoever watches live."""
        if self._on_event is not None:
            for event in events:
                self._on_event(deal, event)

    def note_time(self, seat: Seat) -> None:
        """Remember what a real decision took, for `pretend_to_think`."""
        self._times[seat.number].append(seat.last_ms)

    def pretend_to_think(self, seat: Seat) -> None:
        """Let a forced move take as long as one of the seat's own, so that its time does not betray it.

        A seat that has decided nothing yet borrows the others' times; before anybody's first decision there are none.
        """
        times = self._times[seat.number] or [ms for other in self._times for ms in other]
        if self.spec.mask_forced and times:
            time.sleep(min(self._chance.choice(times), self.spec.time_control.move_ms) / 1000)

    def say_goodbye(self) -> None:
        """Tell everyone still there that the sitting is over."""
        over = protocol.encode(protocol.MatchOver(len(self.spec.deals), self.duraks))
        for seat in self.seats:
            seat.tell(over)

    def close(self) -> tuple[ExitReport | None, ...]:
        """Stop every player, whatever happens to one of them."""
        reports: list[ExitReport | None] = [None] * self.spec.seats
        until = self._clock() + LEAVING_MOMENT
        failures: list[Exception] = []
        for seat in self.seats:
            try:
                reports[seat.number] = seat.end(until if seat.alive else None)
            except Exception as failure:  # noqa: BLE001 - the others must be stopped first
                failures.append(failure)
        if failures:
            raise failures[0]
        return tuple(reports)
