"""Wake-ups: messages that send a worker to look into the database. A lost or doubled one is harmless."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

import redis
from django.conf import settings
from kombu.exceptions import OperationalError

if TYPE_CHECKING:
    from celery import Task
    from django.db.models import QuerySet

log = logging.getLogger(__name__)

AWAY = (OperationalError, redis.RedisError, OSError)
"""What a broker that cannot be reached raises."""
AT_MOST = 32


def wake(task: Task, *args: Any) -> bool:
    """Send one wake-up; False, without an error, if the broker is away: the sweep will do it."""
    try:
        task.apply_async(args=args, ignore_result=True, retry=False)
    except AWAY as error:
        log.warning("No wake-up %s%s was sent; the sweep will: %s", task.name, args, error)
        return False
    return True


def top_up(task: Task, waiting: QuerySet) -> int:
    """Top up the task's wake-ups on their way to the number of rows that wait, or 32; returns how many were sent.

    The task has a queue of its own.
    """
    wanted = waiting[:AT_MOST].count()
    missing = wanted - on_their_way(task) if wanted else 0
    return sum(wake(task) for _ in range(missing))


def on_their_way(task: Task) -> int:
    """How many messages lie in the task's queue; as many as ever needed if the broker cannot be asked."""
    queue = settings.CELERY_TASK_ROUTES[task.name]["queue"]
    try:
        with task.app.connection_for_write() as connection:
            return int(connection.default_channel.client.llen(queue))
    except AWAY as error:
        log.warning("The broker cannot be asked: %s", error)
        return AT_MOST
