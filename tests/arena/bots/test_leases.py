"""The thread that keeps a lease alive."""

from __future__ import annotations

import time

from django.db import OperationalError

from arena.bots.leases import LeaseKeeper


def until(condition: object, seconds: float = 5) -> bool:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if condition():  # type: ignore[operator]
            return True
        time.sleep(0.01)
    return False


def test_a_lease_is_renewed_again_and_again_until_the_work_is_done() -> None:
    calls = []
    with LeaseKeeper(lambda: calls.append(1) is None, lease_seconds=0.03) as keeper:
        assert until(lambda: len(calls) >= 3)
        assert not keeper.lost.is_set()
    done = len(calls)
    time.sleep(0.05)
    assert len(calls) == done


def test_a_lost_lease_is_said_once_and_not_asked_for_again() -> None:
    calls = []
    with LeaseKeeper(lambda: bool(calls.append(1)), lease_seconds=0.03) as keeper:
        assert keeper.lost.wait(5)
        time.sleep(0.05)
        assert len(calls) == 1


def test_a_database_that_is_away_for_a_moment_loses_no_lease() -> None:
    calls = []

    def renew() -> bool:
        calls.append(1)
        if len(calls) < 3:
            raise OperationalError("the connection is closed")
        return True

    with LeaseKeeper(renew, lease_seconds=0.03) as keeper:
        assert until(lambda: len(calls) >= 4)
        assert not keeper.lost.is_set()
