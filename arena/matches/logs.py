"""Dropping what bots wrote once nobody will read it any more: nothing that is rated or replayed depends on it."""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.db.models.functions import Now

from arena.matches.models import BotLog, Fault, Match

BATCH = 200


def logs_drop() -> int:
    """Drop the logs of matches that finished more than ``ARENA_LOGS_KEPT_DAYS`` ago; returns of how many matches.

    That is the bots' stderr and exits, and of their faults the line that was sent and what the bot saw. A fault's
    verdict and its reason stay. In batches with a transaction each, so that it never locks much and can be stopped.
    """
    dropped = 0
    while batch := _drop_some():
        dropped += batch
    return dropped


def _drop_some() -> int:
    old = Match.objects.filter(
        state=Match.State.FINISHED,
        logs_dropped_at__isnull=True,
        finished_at__lt=Now() - timedelta(days=settings.LOGS_KEPT_DAYS),
    )
    with transaction.atomic():
        oldest = old.select_for_update(skip_locked=True).order_by("finished_at")
        batch = list(oldest.values_list("pk", flat=True)[:BATCH])
        BotLog.objects.filter(match__in=batch).delete()
        Fault.objects.filter(match__in=batch).update(line="", view=None)
        Match.objects.filter(pk__in=batch).update(logs_dropped_at=Now())
    return len(batch)
