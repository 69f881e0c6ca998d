"""Celery tasks: wake-ups. Each looks into the database for what there is to do; a lost or doubled one is harmless."""

from __future__ import annotations

import logging

import redis
from celery import shared_task
from kombu.exceptions import OperationalError

from arena.bots.hosts import sandbox_sweep
from arena.matches.models import Match
from arena.matches.queue import matches_sweep

log = logging.getLogger(__name__)

QUEUE = "matches"
WAKE_UPS_AT_MOST = 32


def match_wake(match_id: int | None = None) -> bool:
    """Send a worker to look at the queue; False, without an error, if the broker is away: the sweep will do it."""
    try:
        match_play.apply_async(args=[match_id], ignore_result=True, retry=False)
    except (OperationalError, redis.RedisError) as error:
        log.warning("No wake-up was sent for match %s; the sweep will: %s", match_id, error)
        return False
    return True


@shared_task(name="arena.matches.play")
def match_play(match_id: int | None = None) -> str:
    """Play the first match of the queue, which need not be ``match_id``: that is only why the wake-up was sent."""
    from arena.matches.play import play_next

    played = play_next()
    if played is None:
        return f"nothing waits (woken for match {match_id})"
    match_wake_waiting()
    return played.message


@shared_task(name="arena.matches.sweep")
def sweep() -> str:
    """Heal what was lost: attempts of dead workers, what they left on this host, and wake-ups that never came."""
    found = matches_sweep()
    woken = match_wake_waiting()
    cleared = sandbox_sweep()
    return f"{found.lost} lost, {found.waiting} waiting, {woken} woken, {cleared} cleared away"


def match_wake_waiting() -> int:
    """Top up the wake-ups on their way to the number of matches that wait; returns how many were sent."""
    waiting = Match.objects.filter(state=Match.State.QUEUED)[:WAKE_UPS_AT_MOST].count()
    missing = waiting - wake_ups_on_their_way() if waiting else 0
    return sum(match_wake() for _ in range(missing))


def wake_ups_on_their_way() -> int:
    """How many messages lie in the broker's queue; as many as ever needed if it cannot be asked."""
    from arena.celery import app

    try:
        with app.connection_for_write() as connection:
            return int(connection.default_channel.client.llen(QUEUE))
    except (OperationalError, redis.RedisError, OSError) as error:
        log.warning("The broker cannot be asked: %s", error)
        return WAKE_UPS_AT_MOST
