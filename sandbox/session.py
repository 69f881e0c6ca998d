"""What the sessions of both backends share: whose fault it is when a program ends or is late."""

from __future__ import annotations

import math
import time
from typing import Any, Final

from bots_sdk.referee.pipes import PipePlayer
from bots_sdk.referee.player import MAX_LINE, Eof, HostFault, StdinBlocked, Timeout
from sandbox.cgroups import Group
from sandbox.limits import Limits
from sandbox.starvation import Reading, Share

PATIENCE: Final = 0.02
"""Seconds after which an answer is slow, and the program is watched; a quick answer costs nothing."""

TAKEN_SHARE: Final = 0.5
"""Of a turn's allowance; if the host took more than this in the sitting, a timeout is not charged."""

OVERSLEPT: Final = 0.005
"""Seconds after a deadline at which the referee's own loop is late, whatever the bot did."""

SECOND_LOOK: Final = 0.1
"""Seconds for which a program is watched after its time is up, when there was no time before."""


class SandboxSession(PipePlayer):
    """A sandboxed program as a player; the host's own failures are told from the program's.

    `group` is None where none can be read. What the host took from the program in earlier slow
    turns is added up: a bot whose bank was used up by the host is not charged either.
    """

    def __init__(self, *, group: Group | None, limits: Limits, **pipes: Any) -> None:
        super().__init__(caps=limits.output_caps, **pipes)
        self._group, self._limits = group, limits
        self._taken_ms = 0.0
        self._slow_turn: Reading | None = None

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
        try:
            return self._receive(deadline, max_line)
        except Eof:
            self._blame_the_host_if_it_was()
            raise

    def stray(self) -> bytes | None:
        """As `Player.stray`; asked between two turns, when no clock runs."""
        if self._slow_turn is not None:
            self._note(self._slow_turn)
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
            self._blame_the_host_if_it_starves_us(before, deadline - began)
            raise
        _blame_the_referee_if_it_overslept(deadline)
        if time.monotonic() > deadline - OVERSLEPT:
            # The referee will find it late, or nearly so.
            self._blame_the_host_if_it_starves_us(before, deadline - began)
        # Judged before the next prompt: the clock of this one still runs.
        self._slow_turn = before
        return line

    def _blame_the_host_if_it_starves_us(self, before: Reading, allowance: float) -> None:
        share = self._note(before)
        if share.is_starved:
            raise HostFault(str(share))
        if self._taken_ms > TAKEN_SHARE * allowance * 1000:
            raise HostFault(f"the host was overloaded: it took {self._taken_ms:.0f} ms from the bot in this sitting")

    def _note(self, before: Reading) -> Share:
        share = before.until(Reading.of(self._group), self._limits.cpus) if self._group else Share(0, 0, 0, 0)
        if share.is_noted:
            self._taken_ms += share.lacked
        return share

    def _look_again(self) -> None:
        if self._group is not None:
            before = Reading.of(self._group)
            time.sleep(SECOND_LOOK)
            share = before.until(Reading.of(self._group), self._limits.cpus)
            if share.is_starved:
                raise HostFault(str(share))


def _blame_the_referee_if_it_overslept(deadline: float) -> None:
    late = time.monotonic() - deadline
    if late > OVERSLEPT:
        raise HostFault(f"the referee was woken {late * 1000:.0f} ms after a deadline, and an answer was there")
