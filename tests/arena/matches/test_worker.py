"""Real Celery workers on a real PostgreSQL and Valkey, with real sandboxes, and what is done to them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import psutil
import pytest
import redis
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db.models.functions import Now

from arena.bots.hosts import hosts_alive, sandbox_close
from arena.bots.models import BotVersion, Host
from arena.bots.services import version_upload
from arena.matches.models import Attempt, Match
from arena.matches.queue import matches_sweep
from arena.matches.selectors import match_progress
from arena.matches.tasks import match_wake, match_wake_waiting, sweep
from arena.matches.verify import match_verify
from sandbox import open_sandbox
from sandbox.packages import prepare
from tests.arena.factories import RANDOM_BOT, bot_make, bot_zip, host_make, match_make
from tests.arena.matches.conftest import Worker, eventually

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

SLOW_BOT = RANDOM_BOT.replace("move = ", "__import__('time').sleep(0.01); move = ")


@pytest.fixture(autouse=True, scope="module")
def _prepared() -> None:
    prepare()


def ready_versions(source: str = RANDOM_BOT, number: int = 2) -> list[BotVersion]:
    host_make(name="elsewhere")
    versions = []
    for _ in range(number):
        bot = bot_make()
        versions.append(version_upload(bot=bot, by=bot.owner, data=bot_zip(source))[0])
    BotVersion.objects.update(state="ready", ready_at=Now())
    return versions


def finished(*matches: Match) -> Callable[[], bool]:
    wanted = [match.pk for match in matches]
    return lambda: Match.objects.filter(pk__in=wanted, state="finished").count() == len(wanted)


def running_and_halfway(match: Match) -> Callable[[], bool]:
    def halfway() -> bool:
        match.refresh_from_db()
        return match.state == "running" and match_progress(match)[0] > 0

    return halfway


def test_an_upload_goes_through_build_and_validation_and_is_ready_and_a_match_is_played(
    workers: Callable[..., Worker],
) -> None:
    worker = workers()
    eventually(lambda: hosts_alive().filter(ok=True).exists(), worker=worker)
    bots = [bot_make(), bot_make()]
    for bot in bots:
        version_upload(bot=bot, by=bot.owner, data=bot_zip())
    eventually(lambda: BotVersion.objects.filter(state="ready").count() == 2, worker=worker)
    match = match_make(list(BotVersion.objects.all()), sets=3)
    eventually(finished(match), worker=worker)
    match.refresh_from_db()
    assert match_verify(match).problems == ()
    assert Host.objects.get().languages


def test_a_worker_that_was_given_the_web_server_s_pool_does_without_it(workers: Callable[..., Worker]) -> None:
    versions = ready_versions()
    worker = workers(ARENA_DATABASE_POOL="2")
    matches = [match_make(versions, sets=1) for _ in range(3)]
    eventually(finished(*matches), worker=worker)
    assert set(Attempt.objects.values_list("outcome", flat=True)) == {"finished"}


def test_a_match_whose_worker_was_killed_is_played_again_and_counted_once_and_nothing_is_left(
    workers: Callable[..., Worker],
) -> None:
    match = match_make(ready_versions(SLOW_BOT), sets=4)
    first = workers("first")
    eventually(running_and_halfway(match), worker=first)
    programs = psutil.Process(first.process.pid).children(recursive=True)
    assert any("bwrap" in program.name() for program in programs)
    first.kill()
    assert not match.deals.exists()
    eventually(lambda: matches_sweep() == 1, seconds=20)
    Match.objects.update(retry_at=None)
    second = workers("second")
    match_wake_waiting()
    eventually(finished(match), worker=second)
    match.refresh_from_db()
    assert [attempt.outcome for attempt in match.attempts.all()] == ["lost", "finished"]
    assert match.deals.count() == 8
    assert sum(participant.duraks + participant.draws for participant in match.participants.all()) >= 8
    assert match.attempts.last().worker != match.attempts.first().worker
    assert match_verify(match).problems == ()
    second.stop()
    sandbox = open_sandbox("bubblewrap")  # which sweeps
    assert not [line for line in sandbox.sweep() if f":{first.process.pid}/" in line]
    eventually(lambda: not [program for program in programs if program.is_running()], seconds=20)


def test_a_worker_that_is_shut_down_gives_its_match_back_at_once(workers: Callable[..., Worker]) -> None:
    match = match_make(ready_versions(SLOW_BOT), sets=20)
    worker = workers(ARENA_MATCH_LEASE_SECONDS="6")
    eventually(running_and_halfway(match), worker=worker)
    worker.process.terminate()
    eventually(lambda: Match.objects.get(pk=match.pk).state == "queued", seconds=5, worker=worker)
    assert match.attempts.get().outcome == "stopped"
    worker.kill()


def test_when_valkey_is_emptied_in_mid_run_nothing_is_lost(workers: Callable[..., Worker]) -> None:
    versions = ready_versions(SLOW_BOT)
    worker = workers()
    matches = [match_make(versions, sets=2) for _ in range(4)]
    eventually(running_and_halfway(matches[0]), worker=worker)
    broker = redis.Redis.from_url(settings.REDIS_URL)
    assert broker.llen("matches")
    broker.flushall()
    assert not broker.llen("matches")
    later = match_make(versions, sets=1)
    eventually(lambda: sweep() and finished(*matches, later)(), worker=worker)
    assert set(Attempt.objects.values_list("outcome", flat=True)) == {"finished"}
    assert Attempt.objects.count() == 5


def test_two_workers_race_for_one_match_and_one_of_them_plays_it(workers: Callable[..., Worker]) -> None:
    versions = ready_versions()
    pair = [workers("left"), workers("right")]
    eventually(lambda: Host.objects.exclude(name="elsewhere").exists(), worker=pair[0])
    for worker in pair:
        eventually(lambda worker=worker: "ready." in worker.log.read_text(errors="replace"), worker=worker)
    matches = [match_make(versions, sets=1) for _ in range(6)]
    for _ in range(30):  # five wake-ups for each match
        match_wake_waiting()
        match_wake(matches[0].pk)
    eventually(finished(*matches), worker=pair[0])
    assert Attempt.objects.count() == 6
    assert set(Attempt.objects.values_list("outcome", flat=True)) == {"finished"}
    assert len(set(Attempt.objects.values_list("worker", flat=True))) == 2


def test_report_host_prints_the_controls_and_tells_the_arena() -> None:
    call_command("report_host")
    host = Host.objects.get()
    assert host.ok
    assert "python" in host.languages
    assert any(control["name"].startswith("network") for control in host.controls)


def test_a_host_without_a_sandbox_says_so_by_the_command_s_status(
    settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    sandbox_close()
    settings.SANDBOX_BACKEND = "docker"
    monkeypatch.setenv("DOCKER_HOST", "unix:///nowhere/docker.sock")
    with pytest.raises(CommandError, match="cannot run strangers' code"):
        call_command("report_host")
    assert not Host.objects.get().ok
