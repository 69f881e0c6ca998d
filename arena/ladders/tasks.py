"""Wake-ups for the matchmaker. A lost one is healed by the next beat, a doubled one finds the queue full."""

from __future__ import annotations

import logging

import redis
from celery import shared_task
from kombu.exceptions import OperationalError

from arena.ladders.models import Ladder
from arena.ladders.services import ladder_matchmake

log = logging.getLogger(__name__)


@shared_task(name="arena.ladders.matchmake")
def ladders_matchmake() -> int:
    """Top up the queue of every open ladder; returns how many matches were made."""
    return sum(len(ladder_matchmake(ladder)) for ladder in Ladder.objects.filter(is_open=True))


@shared_task(name="arena.ladders.matchmake_one")
def ladder_matchmake_one(ladder_id: int) -> int:
    """Top up one ladder's queue."""
    ladder = Ladder.objects.filter(pk=ladder_id).first()
    return 0 if ladder is None else len(ladder_matchmake(ladder))


def matchmake_wake(ladder_id: int) -> None:
    """Ask a worker to top up this ladder's queue soon; a broker that is down does not matter."""
    try:
        ladder_matchmake_one.apply_async(args=[ladder_id], retry=False)
    except (OperationalError, redis.RedisError) as error:
        log.warning("Ladder %s was not woken: %s", ladder_id, error)
