"""Celery tasks: wake-ups. Each looks into the database for what there is to do; a lost or doubled one is harmless."""

from __future__ import annotations

from importlib import import_module

from celery import shared_task
from django.conf import settings

from arena.bots.hosts import hosts_forget, sandbox_sweep
from arena.matches.logs import logs_drop
from arena.matches.queue import matches_sweep, matches_waiting
from arena.wakeups import top_up, wake


def match_wake(match_id: int | None = None) -> bool:
    """Send a worker to look at the queue; False, without an error, if the broker is away: the sweep will do it."""
    return wake(match_play, match_id)


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
    lost = matches_sweep()
    woken = match_wake_waiting()
    cleared = sandbox_sweep()
    return f"{lost} lost, {woken} woken, {cleared} cleared away"


@shared_task(name="arena.matches.tidy")
def tidy() -> str:
    """Drop what nobody needs any more: old logs, hosts that are gone, expired sessions."""
    dropped, forgotten = logs_drop(), hosts_forget()
    import_module(settings.SESSION_ENGINE).SessionStore.clear_expired()
    return f"logs of {dropped} matches dropped, {forgotten} hosts forgotten"


def match_wake_waiting() -> int:
    """Top up the wake-ups on their way to the number of matches that wait; returns how many were sent."""
    return top_up(match_play, matches_waiting())
