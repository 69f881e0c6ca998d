"""Celery tasks: wake-ups for the builds. Each one looks into the database for what there is to do."""

from __future__ import annotations

from celery import shared_task

from arena.bots.builds import build_next, builds_sweep, builds_waiting
from arena.wakeups import top_up, wake


def build_wake(version_id: int | None = None) -> bool:
    """Send a worker to look for builds; False, without an error, if the broker is away: the sweep will do it."""
    return wake(version_build, version_id)


@shared_task(name="arena.bots.build")
def version_build(version_id: int | None = None) -> str:
    """Build the first version that waits, which need not be ``version_id``."""
    return build_next() or f"nothing waits (woken for version {version_id})"


@shared_task(name="arena.bots.sweep")
def sweep() -> str:
    """Heal what was lost: builds of dead workers, and wake-ups that never came."""
    failed = builds_sweep()
    woken = top_up(version_build, builds_waiting())
    return f"{failed} failed, {woken} woken"
