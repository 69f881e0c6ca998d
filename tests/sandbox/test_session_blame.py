"""When a slow turn is the host's: what it took, of how much, and in whose time."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from bots_sdk.referee.player import ExitReport, HostFault, Timeout
from sandbox import session
from sandbox.cgroups import PERIOD_US
from sandbox.limits import Limits
from sandbox.session import SandboxSession
from sandbox.starvation import Share

pytestmark = pytest.mark.alone

Host = Callable[[float], None]


class OnPipes(SandboxSession):
    """A session whose bot is the test."""

    def _blame_the_host_if_it_was(self) -> None:
        pass

    def _end(self, log: object) -> ExitReport:
        return ExitReport()


class Table:
    """One bot, asked as the referee asks; it answers after so many seconds, if at all."""

    def __init__(self) -> None:
        stdin_read, stdin = os.pipe()
        stdout, self._stdout = os.pipe()
        self._ends = (stdin_read, self._stdout)
        self.player = OnPipes(group=object(), limits=Limits(), stdin=stdin, stdout=stdout)  # type: ignore[arg-type]

    def ask(self, allowance: float, *, answers_after: float | None = None) -> bytes:
        self.player.stray()
        if answers_after is not None:
            threading.Timer(answers_after, os.write, (self._stdout, b"x\n")).start()
        return self.player.receive(time.monotonic() + allowance)

    def close(self) -> None:
        self.player.stop()
        for fd in self._ends:
            os.close(fd)


@pytest.fixture
def host_takes(monkeypatch: pytest.MonkeyPatch) -> Host:
    """Says how much of the time that a bot is watched the host takes from it."""
    share = [0.0]

    class FakeReading:
        def __init__(self) -> None:
            self.at = time.monotonic()

        @classmethod
        def of(cls, _: Any) -> FakeReading:
            return cls()

        def until(self, later: FakeReading, _: float) -> Share:
            watched = (later.at - self.at) * 1000
            return Share(watched, watched, watched * (1 - share[0]), watched * share[0])

    monkeypatch.setattr(session, "Reading", FakeReading)
    return lambda value: share.__setitem__(0, value)


@pytest.fixture
def table(host_takes: Host) -> Iterator[Table]:
    """Made after the readings are faked: on a busy machine even its first answer is slow."""
    made = Table()
    made.ask(5, answers_after=0)
    yield made
    made.close()


def test_a_bot_whose_time_the_host_took_is_not_charged(table: Table, host_takes: Host) -> None:
    host_takes(0.75)
    for _ in range(3):
        table.ask(0.8, answers_after=0.35)
    host_takes(0.0)
    with pytest.raises(HostFault, match="in this sitting"):
        table.ask(0.2)


def test_a_bot_that_has_used_up_its_bank_is_not_excused_by_a_small_delay(table: Table, host_takes: Host) -> None:
    host_takes(0.75)
    table.ask(3.2, answers_after=0.35)
    table.player.stray()
    host_takes(0.0)
    with pytest.raises(Timeout):
        table.ask(0.2)


def test_what_a_bot_lacks_while_others_think_does_not_count(table: Table, host_takes: Host) -> None:
    table.ask(0.8, answers_after=0.1)
    host_takes(1.0)
    time.sleep(0.6)
    table.player.stray()
    host_takes(0.0)
    with pytest.raises(Timeout):
        table.ask(0.2)


def test_a_bot_is_looked_at_for_more_than_a_period_of_its_quota_however_short_its_turns(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    watched: list[float] = []
    until = session.Reading.until

    def note(self: Any, later: Any, cpus: float) -> Share:
        watched.append(later.at - self.at)
        return until(self, later, cpus)

    monkeypatch.setattr(session.Reading, "until", note)
    with pytest.raises(Timeout):
        table.ask(0.05)
    with pytest.raises(Timeout):
        table.ask(0.4)
    short, long = watched
    assert PERIOD_US / 1e6 < short < 0.3
    assert 0.37 < long < 0.6


def test_a_slow_start_does_not_excuse_later_turns(host_takes: Host) -> None:
    made = Table()
    host_takes(0.75)
    made.ask(5, answers_after=0.6)
    host_takes(0.0)
    with pytest.raises(Timeout):
        made.ask(0.2)
    made.close()
