"""Telling a slow bot from a slow host, by the kernel's accounts of its threads."""

from __future__ import annotations

import os

import pytest

from sandbox.cgroups import Usage
from sandbox.starvation import Reading, Thread

SECOND = 1000.0


def share(given: float, *threads: tuple[Thread, Thread], cpus: float = 1.0) -> object:
    before = Reading(0.0, 0.0, {str(n): was for n, (was, _) in enumerate(threads)})
    after = Reading(1.0, given, {str(n): now for n, (_, now) in enumerate(threads)})
    return before.until(after, cpus)


def thread(ran: float, waited: float, *, wants: bool = True, slept: int = 0) -> tuple[Thread, Thread]:
    return Thread(5.0, 7.0, wants, 3), Thread(5.0 + ran, 7.0 + waited, wants, 3 + slept)


@pytest.mark.parametrize(
    ("given", "threads", "starved"),
    [
        pytest.param(100, [thread(100, 880)], True, id="it wanted a processor and got a tenth"),
        pytest.param(0, [thread(0, 0)], True, id="it still waits for its first turn"),
        pytest.param(0, [thread(0, 0, wants=False)], False, id="it sleeps"),
        pytest.param(980, [thread(980, 10)], False, id="it works all the time"),
        pytest.param(490, [thread(490, 500)], False, id="it works all the time beside one other on its processor"),
        pytest.param(990, [thread(62, 930)] * 16, False, id="sixteen threads of its own crowd each other out"),
        pytest.param(700, [thread(700, 290)], False, id="a little jitter"),
        pytest.param(10, [thread(10, 20, wants=False)], False, id="it sleeps nearly all the time"),
        pytest.param(10, [thread(10, 20, slept=1)], False, id="it wakes up only when it is looked at"),
        pytest.param(100, [thread(100, 880, slept=9)], True, id="it slept too, and the kernel counted its waits"),
        pytest.param(
            500, [thread(500, 0, slept=5), thread(1, 490, slept=5)], False, id="a thread gives way to its own sibling"
        ),
        pytest.param(200, [thread(50, 900)] * 4, True, id="four threads shared what little the host gave"),
    ],
)
def test_only_a_bot_that_the_host_kept_waiting_is_starved(
    given: float, threads: list[tuple[Thread, Thread]], starved: bool
) -> None:
    assert share(given, *threads).is_starved is starved  # type: ignore[attr-defined]


def test_a_quota_below_one_processor_is_all_that_it_is_entitled_to() -> None:
    assert not share(480, thread(480, 510), cpus=0.5).is_starved  # type: ignore[attr-defined]
    assert share(50, thread(50, 940), cpus=0.5).is_starved  # type: ignore[attr-defined]


def test_what_its_own_quota_holds_up_is_not_the_hosts_doing() -> None:
    was, now = thread(100, 880)
    before = Reading(0.0, 0.0, {"1": was}, throttled=40.0)
    assert before.until(Reading(1.0, 100.0, {"1": now}, throttled=40.0), 1.0).is_starved
    assert not before.until(Reading(1.0, 100.0, {"1": now}, throttled=840.0), 1.0).is_starved


def test_processes_that_end_while_they_are_looked_at_are_passed_by() -> None:
    class Group:
        def pids(self) -> set[int]:
            return {2**22 + 1, os.getpid()}

        def usage(self) -> Usage:
            return Usage(cpu_ms=1.0)

    reading = Reading.of(Group())  # type: ignore[arg-type]
    assert str(os.getpid()) in reading.threads


def test_the_words_say_what_was_owed_and_what_was_given() -> None:
    assert str(share(100, thread(100, 880))) == (
        "the host is overloaded: in 1000 ms the bot waited 900 ms for a processor and was given 100 of 1000 ms"
    )
