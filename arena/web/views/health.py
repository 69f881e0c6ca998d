"""Whether the parts that the arena stands on answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

import redis
from django.conf import settings
from django.db import DatabaseError, connection
from django.http import JsonResponse
from django.views.decorators.cache import never_cache

from arena.bots.hosts import hosts_alive

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest

TIMEOUT_S = 2


@never_cache
def health(request: HttpRequest) -> JsonResponse:  # noqa: ARG001
    """``{"status": "ok" | "degraded" | "failing", "checks": {...}}``.

    Status 503 when the database or Redis does not answer. Without a live worker host pages work and nothing is
    played, so that is "degraded" with status 200.
    """
    checks = {"database": _answer(_database), "redis": _answer(_redis)}
    checks["workers"] = _answer(_workers) if checks["database"] == "ok" else "unknown"
    failing = checks["database"] != "ok" or checks["redis"] != "ok"
    status = "failing" if failing else "ok" if checks["workers"] == "ok" else "degraded"
    return JsonResponse({"status": status, "checks": checks}, status=503 if failing else 200)


def _answer(check: Callable[[], str]) -> str:
    try:
        return check()
    except (DatabaseError, redis.RedisError, OSError) as error:
        # The kind only: messages of drivers carry addresses and user names.
        return f"failed: {type(error).__name__}"


def _database() -> str:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return "ok"


def _redis() -> str:
    client = redis.Redis.from_url(settings.REDIS_URL, socket_timeout=TIMEOUT_S, socket_connect_timeout=TIMEOUT_S)
    with client:
        client.ping()
    return "ok"


def _workers() -> str:
    hosts = list(hosts_alive())
    if not hosts:
        return "none: no worker host has reported lately, so nothing is built or played"
    return "ok" if any(host.ok for host in hosts) else "no host has a working sandbox: " + hosts[0].reason
