"""Wake-ups in the real broker: as many as there is to do, and no more."""

from __future__ import annotations

import pytest
import redis
from django.conf import settings
from django.db.models import QuerySet

from arena.bots import tasks as builds
from arena.bots.builds import builds_waiting, version_claim
from arena.bots.models import BotVersion
from arena.matches import tasks as matches
from arena.matches.models import Match
from arena.matches.queue import attempt_void, matches_waiting
from arena.wakeups import AT_MOST, on_their_way
from tests.arena.factories import match_claim_it, match_make, version_make

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def broker() -> redis.Redis:
    client = redis.Redis.from_url(settings.REDIS_URL)
    client.delete("builds", "matches")
    return client


def test_however_often_the_sweep_runs_there_is_one_wake_up_for_each_build(broker: redis.Redis) -> None:
    for _ in range(3):
        version_make(ready=False)
    for _ in range(5):
        builds.sweep()
    assert broker.llen("builds") == 3


def test_however_often_the_sweep_runs_there_is_one_wake_up_for_each_match(broker: redis.Redis) -> None:
    versions = [version_make(), version_make()]
    for _ in range(3):
        match_make(versions)
    for _ in range(5):
        matches.sweep()
    assert broker.llen("matches") == 3


def test_what_waits_for_its_retry_or_is_being_done_wakes_nobody(broker: redis.Redis) -> None:
    match = match_make()
    attempt_void(attempt=match_claim_it(match), reason="the daemon is gone")
    version_make(ready=False)
    assert version_claim() is not None
    builds.sweep()
    matches.sweep()
    assert (broker.llen("builds"), broker.llen("matches")) == (0, 0)


def test_there_are_never_more_wake_ups_than_are_ever_needed(broker: redis.Redis) -> None:
    versions = [version_make(), version_make()]
    for _ in range(AT_MOST + 5):
        match_make(versions)
    matches.sweep()
    assert broker.llen("matches") == on_their_way(matches.match_play) == AT_MOST


@pytest.mark.parametrize(("waiting", "model"), [(builds_waiting, BotVersion), (matches_waiting, Match)])
def test_what_waits_is_what_can_be_claimed(waiting: object, model: type) -> None:
    version_make(ready=False)
    match_make()
    found = waiting()  # type: ignore[operator]
    assert isinstance(found, QuerySet)
    assert (found.model, found.count()) == (model, 1)
