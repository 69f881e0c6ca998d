"""Old logs are dropped, and nothing else is."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from django.db.models.functions import Now
from django.utils import timezone

from arena.bots.models import Host
from arena.matches import logs
from arena.matches.logs import logs_drop
from arena.matches.models import Match
from arena.matches.tasks import tidy
from arena.matches.verify import match_verify
from tests.arena.factories import bot_make, host_make
from tests.arena.web.factories import REASON, SECRET_LINE, bots, played_match

pytestmark = pytest.mark.django_db


def aged(days: int) -> Match:
    match = played_match(bots(bot_make().slug + "-a", bot_make().slug + "-b"), fault_in=0)
    Match.objects.filter(pk=match.pk).update(finished_at=Now() - timedelta(days=days))
    match.refresh_from_db()
    return match


def test_what_bots_wrote_is_dropped_after_so_many_days_and_the_younger_is_kept(settings: Any) -> None:
    settings.LOGS_KEPT_DAYS = 30
    old, young = aged(31), aged(29)
    assert logs_drop() == 1
    assert not old.logs.exists()
    assert (old.fault_set.get().line, old.fault_set.get().view) == ("", None)
    assert young.logs.count() == 4
    assert young.fault_set.get().line == SECRET_LINE
    assert young.fault_set.get().view


def test_what_counts_stays_and_can_still_be_proven(settings: Any) -> None:
    match = aged(settings.LOGS_KEPT_DAYS + 1)
    records = list(match.deals.values_list("record", flat=True))
    logs_drop()
    match.refresh_from_db()
    assert match.logs_dropped_at is not None
    assert list(match.deals.values_list("record", flat=True)) == records
    assert (match.fault_set.get().verdict, match.fault_set.get().reason) == ("illegal_move", REASON)
    assert match_verify(match).problems == ()


def test_all_old_matches_come_to_an_end_batch_by_batch_and_none_twice(
    settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(logs, "BATCH", 2)
    for _ in range(5):
        aged(settings.LOGS_KEPT_DAYS + 1)
    assert logs_drop() == 5
    assert logs_drop() == 0


def test_once_a_day_old_logs_hosts_and_sessions_go(settings: Any) -> None:
    match = aged(settings.LOGS_KEPT_DAYS + 1)
    host_make(name="gone")
    Host.objects.filter(name="gone").update(seen_at=Now() - timedelta(days=8))
    for key, days in (("old", -1), ("new", 1)):
        Session.objects.create(session_key=key, session_data="", expire_date=timezone.now() + timedelta(days=days))
    tidy()
    assert not match.logs.exists()
    assert not Host.objects.filter(name="gone").exists()
    assert [session.session_key for session in Session.objects.all()] == ["new"]
