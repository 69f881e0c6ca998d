"""Live events over a real Valkey."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from typing import Any

import pytest
import redis
from asgiref.sync import sync_to_async
from django.db import connections

from arena.matches import live
from arena.matches.models import Match
from arena.matches.queue import attempt_finish, attempt_renew, attempt_void
from arena.matches.services import match_cancel
from arena.matches.tasks import match_wake, match_wake_waiting
from tests.arena.factories import match_claim_it, match_finished, match_make, play_at_random, user_make

pytestmark = pytest.mark.django_db(transaction=True)


async def collected(match_id: int, meanwhile: Any, *, at_most: int = 100) -> list[dict[str, Any]]:
    """What a subscriber hears while ``meanwhile()`` runs in another thread."""
    heard: list[dict[str, Any]] = []
    task = None
    async with asyncio.timeout(20):
        async for event in live.subscribe(match_id):
            heard.append(event)
            if task is None:
                task = asyncio.get_running_loop().run_in_executor(None, meanwhile)
            if len(heard) >= at_most:
                break
        if task is not None:
            await task
    await sync_to_async(connections.close_all)()
    return heard


def run(match: Match, meanwhile: Any, **options: Any) -> list[dict[str, Any]]:
    def closing() -> None:
        try:
            meanwhile()
        finally:
            connections.close_all()

    return asyncio.run(collected(match.pk, closing, **options))


def test_a_subscriber_hears_first_how_the_match_stands_and_then_its_end() -> None:
    match = match_make(sets=2)
    attempt = match_claim_it(match)
    attempt_renew(attempt=attempt, deals_done=1)
    heard = run(match, lambda: attempt_finish(attempt=attempt, played=play_at_random(match)))
    assert heard[0] == {"match": match.pk, "type": "progress", "deals_done": 1, "deals_total": 4}
    assert heard[-1] == {"match": match.pk, "type": "finished", "deals_done": 4, "deals_total": 4}


def test_who_subscribes_after_the_end_hears_it_at_once() -> None:
    match = match_finished()
    assert [event["type"] for event in run(match, lambda: None)] == ["finished"]


def test_void_attempts_and_cancellations_are_heard() -> None:
    match = match_make()
    attempt = match_claim_it(match)

    def meanwhile() -> None:
        attempt_void(attempt=attempt, reason="the daemon is gone")
        match_cancel(match=match, by=user_make(is_staff=True), reason="test")

    heard = run(match, meanwhile)
    assert [event["type"] for event in heard] == ["progress", "requeued", "cancelled"]
    assert "daemon" not in str(heard[1])


def test_events_of_other_matches_are_not_heard() -> None:
    match, other = match_make(), match_make()

    def meanwhile() -> None:
        live.publish(other.pk, {"type": "progress", "deals_done": 1, "deals_total": 2})
        live.publish(match.pk, {"type": "progress", "deals_done": 2, "deals_total": 2})

    assert [event["deals_done"] for event in run(match, meanwhile, at_most=2)] == [0, 2]


WITHOUT_BROKER = """
import django
django.setup()
from arena.bots.tasks import build_wake
from arena.matches import live
from arena.matches.tasks import match_play, match_wake
from arena.wakeups import AT_MOST, on_their_way
assert not match_wake(1)
assert not build_wake(1)
assert on_their_way(match_play) == AT_MOST
live.publish(1, {"type": "progress"})
print("nothing raised")
"""


def test_without_a_broker_nothing_raises_and_the_sweep_is_relied_on() -> None:
    environment = os.environ | {"ARENA_REDIS_URL": "redis://127.0.0.1:1/0"}
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_BROKER], env=environment, capture_output=True, text=True, timeout=60, check=False
    )
    assert "nothing raised\n" in done.stdout, done.stderr
    assert "the sweep will" in done.stdout + done.stderr


def test_wake_ups_are_topped_up_to_the_number_of_waiting_matches_and_not_beyond() -> None:
    broker = redis.Redis.from_url(live.settings.REDIS_URL)
    broker.delete("matches")
    for _ in range(3):
        match_make(2)
    assert broker.llen("matches") == 3
    assert match_wake_waiting() == 0
    broker.delete("matches")
    assert match_wake_waiting() == 3
    assert match_wake_waiting() == 0
    assert match_wake()
    assert broker.llen("matches") == 4
    broker.delete("matches")
