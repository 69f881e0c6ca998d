"""Hosts that fail: they take no work until their self-test holds again."""

from __future__ import annotations

import threading
from datetime import timedelta
from typing import Any

import pytest
from django.db import connections
from django.db.models import F
from django.db.models.functions import Now
from django.test import Client

from arena.bots.hosts import PAUSES, host_failed, host_heartbeat, host_report, hosts_forget, language_sets
from arena.bots.models import Host
from arena.bots.services import version_upload
from arena.errors import Conflict
from tests.arena.factories import bot_make, bot_zip, host_make, user_make

pytestmark = pytest.mark.django_db


def host() -> Host:
    return Host.objects.annotate(pause=F("probe_at") - Now()).get()


def due() -> None:
    Host.objects.update(probe_at=Now())


def test_a_host_that_fails_is_given_no_work_and_keeps_the_reason() -> None:
    host_make(name="box")
    assert language_sets() == [frozenset({"python"})]
    assert host_failed(name="box", detail="the disk is full")
    assert (host().ok, host().reason, host().detail) == (False, PAUSES, "the disk is full")
    assert language_sets() == []


def test_its_self_test_is_due_after_a_pause_and_for_one_caller_only() -> None:
    host_make(name="box")
    host_failed(name="box", detail="the disk is full")
    assert not host_heartbeat(name="box")
    due()
    assert [host_heartbeat(name="box") for _ in range(3)] == [True, False, False]


def test_a_host_that_holds_is_never_tested_again() -> None:
    host_make(name="box")
    assert not host_heartbeat(name="box")


def test_the_pauses_double_up_to_ten_minutes_whether_the_self_test_or_the_work_fails() -> None:
    host_make(name="box")
    pauses = []
    for number in range(9):
        if number % 2:
            host_report(name="box", reason="no daemon answers")
        else:
            host_report(name="box", backend="docker", languages=["python"])
            host_failed(name="box", detail="no daemon answers")
        pauses.append(round(host().pause.total_seconds()))
    assert pauses == [15, 30, 60, 120, 240, 480, 600, 600, 600]


def test_after_a_steady_time_a_host_begins_anew_with_the_shortest_pause() -> None:
    host_make(name="box")
    for _ in range(4):
        host_report(name="box", reason="no daemon answers")
    host_report(name="box", backend="docker", languages=["python"])
    Host.objects.update(reported_at=Now() - timedelta(minutes=11))
    host_failed(name="box", detail="no daemon answers")
    assert round(host().pause.total_seconds()) == 15


@pytest.mark.django_db(transaction=True)
def test_several_processes_that_find_a_host_broken_at_once_count_as_one_failure() -> None:
    host_make(name="box")
    start = threading.Barrier(4)
    found = []

    def fail() -> None:
        start.wait()
        try:
            found.append(host_failed(name="box", detail="no daemon answers"))
        finally:
            connections.close_all()

    threads = [threading.Thread(target=fail) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(found) == [False, False, False, True]
    assert host().failures == 1


def test_a_host_that_holds_again_is_given_work_again() -> None:
    host_make(name="box")
    host_failed(name="box", detail="no daemon answers")
    host_report(name="box", backend="docker", languages=["python"])
    assert (host().ok, host().reason, host().detail, host().probe_at) == (True, "", "", None)
    assert language_sets() == [frozenset({"python"})]


def test_the_staff_read_in_the_admin_why_a_host_takes_no_work(client: Client, settings: Any) -> None:
    plain = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    settings.STORAGES = settings.STORAGES | {"staticfiles": plain}
    host_make(name="box")
    host_failed(name="box", detail="the disk is full")
    client.force_login(user_make(is_staff=True, is_superuser=True))
    assert "the disk is full" in client.get("/admin/bots/host/").content.decode()


def test_what_a_host_failed_with_is_for_the_staff_only(client: Client) -> None:
    host_make(name="box")
    host_failed(name="box", detail="no space left in /srv/private")
    bot = bot_make()
    with pytest.raises(Conflict, match=PAUSES) as refusal:
        version_upload(bot=bot, by=bot.owner, data=bot_zip())
    health = client.get("/health/").content.decode()
    assert PAUSES in health
    assert "/srv/private" not in health + str(refusal.value)


def test_hosts_that_were_not_heard_of_for_a_week_are_forgotten() -> None:
    for name, days in (("gone", 8), ("resting", 6)):
        host_make(name=name)
        Host.objects.filter(name=name).update(seen_at=Now() - timedelta(days=days))
    assert hosts_forget() == 1
    assert host().name == "resting"
