"""What the sessions of both backends share: whose fault it is when a program ends or is late."""

from __future__ import annotations

import math
import time
from typing import Any, Final

from bots_sdk.referee.pipes import PipePlayer
from bots_sdk.referee.player import MAX_LINE, Eof, HostFault, StdinBlocked, Timeout
from sandbox.cgroups import PERIOD_US, Group
from sandbox.limits import Limits
from sandbox.starvation import Reading, Share

PATIENCE: Final = 0.02
"""Seconds after which an answer is slow, and the program is watched; a quick answer costs nothing."""

TAKEN_SHARE: Final = 0.5
"""Of the most that a turn was allowed; if the host took more than this in the sitting, a timeout is
not charged. The allowance that is left would not do: the less a bot has kept of its bank, the
smaller a delay would then excuse it for the rest of the sitting."""

OVERSLEPT: Final = 0.005
"""Seconds after a deadline at which the referee's own loop is late, whatever the bot did."""

LEAST_LOOK: Final = 1.5 * PERIOD_US / 1e6
"""Seconds for which a program whose time is up is watched in all, if need be after its time: within
one period of its quota it may have used that up before it was looked at, and be held back."""


class SandboxSession(PipePlayer):
    """A sandboxed program as a player; the host's own failures are told from the program's.

    `group` is None where none can be read. What the host took from the program in earlier slow
    turns is added up: a bot whose bank was used up by the host is not charged either.
    """

    def __init__(self, *, group: Group | None, limits: Limits, **pipes: Any) -> None:
        super().__init__(caps=limits.output_caps, **pipes)
        self._group, self._limits = group, limits
        self._taken_ms = 0.0
        self._allowed_ms = 0.0
        self._has_answered = False
        self._slow_turn: tuple[Reading, float] | None = None

    def send(self, line: bytes, deadline: float) -> None:
        """As `Player.send`; an end that the host brought about is a `HostFault`."""
        try:
            super().send(line, deadline)
        except Eof:
            self._blame_the_host_if_it_was()
            raise
        except StdinBlocked:
            self._look_again()
            raise

    def receive(self, deadline: float, max_line: int = MAX_LINE) -> bytes:
        """As `Player.receive`; an end or a delay that the host brought about is a `HostFault`."""
        if self._has_answered:  # the first answer has the start-up's time, which is no turn's
            self._allowed_ms = max(self._allowed_ms, (deadline - time.monotonic()) * 1000)
        try:
            line = self._receive(deadline, max_line)
        except Eof:
            self._blame_the_host_if_it_was()
            raise
        self._has_answered = True
        return line

    def stray(self) -> bytes | None:
        """As `Player.stray`; asked between two turns, when no clock runs."""
        if self._slow_turn is not None:
            before, answered = self._slow_turn
            self._note(before, answered)
            self._slow_turn = None
        return super().stray()

    def _blame_the_host_if_it_was(self) -> None:
        """Raise `HostFault` if the program did not end by its own doing."""
        raise NotImplementedError

    def _receive(self, deadline: float, max_line: int) -> bytes:
        began = time.monotonic()
        if self._group is None:
            return super().receive(deadline, max_line)
        if deadline <= began + PATIENCE:
            try:
                return super().receive(deadline, max_line)
            except Timeout:
                self._look_again()
                raise
        # Waking late from the first wait decides nothing yet.
        late, self._late = self._late, math.inf
        try:
            line = super().receive(began + PATIENCE, max_line)
        except Timeout:
            pass
        else:
            _blame_the_referee_if_it_overslept(deadline)
            return line
        finally:
            self._late = late
        before = Reading.of(self._group)
        try:
            line = super().receive(deadline, max_line)
        except Timeout:
            time.sleep(max(0.0, before.at + LEAST_LOOK - time.monotonic()))
            self._blame_the_host_if_it_starves_us(before)
            raise
        _blame_the_referee_if_it_overslept(deadline)
        if time.monotonic() > deadline - OVERSLEPT:
            # The referee will find it late, or nearly so.
            self._blame_the_host_if_it_starves_us(before)
        if self._has_answered:
            # Judged before the next prompt: the clock of this one still runs.
            self._slow_turn = before, time.monotonic()
        return line

    def _blame_the_host_if_it_starves_us(self, before: Reading) -> None:
        share = self._note(before, time.monotonic())
        if share.is_starved:
            raise HostFault(str(share))
        if self._has_answered and self._taken_ms > TAKEN_SHARE * self._allowed_ms:
            raise HostFault(f"the host was overloaded: it took {self._taken_ms:.0f} ms from the bot in this sitting")

    def _note(self, before: Reading, answered: float) -> Share:
        """Add up what the host took between two moments; what a bot lacks in others' time is not counted."""
        share = before.until(Reading.of(self._group), self._limits.cpus) if self._group else Share(0, 0, 0, 0)
        if share.is_noted:
            self._taken_ms += min(share.lacked, (answered - before.at) * 1000)
        return share

    def _look_again(self) -> None:
        if self._group is not None:
            before = Reading.of(self._group)
            time.sleep(LEAST_LOOK)
            share = before.until(Reading.of(self._group), self._limits.cpus)
            if share.is_starved:
                raise HostFault(str(share))


def _blame_the_referee_if_it_overslept(deadline: float) -> None:
    late = time.monotonic() - deadline
    if late > OVERSLEPT:
        raise HostFault(f"the referee was woken {late * 1000:.0f} ms after a deadline, and an answer was there")
