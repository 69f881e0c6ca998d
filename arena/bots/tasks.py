"""Celery tasks: wake-ups for the builds. Each one looks into the database for what there is to do."""

from __future__ import annotations

import logging

import redis
from celery import shared_task
from kombu.exceptions import OperationalError

from arena.bots.builds import build_next, builds_sweep

log = logging.getLogger(__name__)

WAKE_UPS_AT_MOST = 8


def build_wake(version_id: int | None = None) -> bool:
    """Send a worker to look for builds; False, without an error, if the broker is away: the sweep will do it."""
    try:
        version_build.apply_async(args=[version_id], ignore_result=True, retry=False)
    except (OperationalError, redis.RedisError) as error:
        log.warning("No wake-up was sent for version %s; the sweep will: %s", version_id, error)
        return False
    return True


@shared_task(name="arena.bots.build")
def version_build(version_id: int | None = None) -> str:
    """Build the first version that waits, which need not be ``version_id``."""
    return build_next() or f"nothing waits (woken for version {version_id})"


@shared_task(name="arena.bots.sweep")
def sweep() -> str:
    """Heal what was lost: builds of dead workers, and wake-ups that never came."""
    waiting = builds_sweep()
    woken = sum(build_wake() for _ in range(min(waiting, WAKE_UPS_AT_MOST)))
    return f"{waiting} waiting, {woken} woken"
