"""When a worker's host breaks: it stops taking work, nobody is charged, and the work is for others."""

from __future__ import annotations

import time
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import OperationalError
from django.db.models.functions import Now

from arena import celery
from arena.bots import builds
from arena.bots.builds import build_next, builds_sweep, version_claim
from arena.bots.hosts import host_name, sandbox_here
from arena.bots.models import BotVersion, Host
from arena.matches import play
from arena.matches.models import Match
from arena.matches.play import play_next
from bots_sdk.referee import HostFault
from sandbox.base import NoSandbox
from tests.arena.matches.conftest import eventually, play_until_it_counts
from tests.arena.matches.test_play import ready_match, uploaded

pytestmark = pytest.mark.django_db


def break_the_sandbox() -> None:
    """As if bubblewrap had been removed while the worker ran."""
    sandbox = sandbox_here()
    sandbox.binary = type(sandbox.binary)(Path("/nowhere/bwrap"), sandbox.binary.version)  # type: ignore[attr-defined]


def at_once() -> None:
    """Nothing waits any longer for its retry."""
    Match.objects.filter(state="queued").update(retry_at=None)
    BotVersion.objects.update(retry_at=None)


def test_a_host_that_can_start_no_sandbox_spoils_one_attempt_and_takes_no_more(host: Any) -> None:
    match = ready_match()
    break_the_sandbox()
    ending = play_next()
    assert (ending.applied, ending.outcome) == (True, "void")
    here = Host.objects.get(name=host_name())
    assert not here.ok
    assert "/nowhere/bwrap" in here.detail
    at_once()
    assert play_next() is None
    assert build_next() is None
    match.refresh_from_db()
    assert (match.state, match.attempts.count()) == ("queued", 1)


def test_what_everybody_reads_of_a_broken_host_names_neither_it_nor_its_files(host: Any) -> None:
    match = ready_match()
    break_the_sandbox()
    play_next()
    assert match.attempts.get().reason == "its host could not start a sandbox"


def test_a_host_whose_sandbox_cannot_even_be_opened_takes_no_more(host: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    match = ready_match()

    def gone() -> None:
        raise NoSandbox("no Docker daemon answers")

    monkeypatch.setattr(play, "sandbox_here", gone)
    assert play_next().outcome == "void"
    assert Host.objects.get(name=host_name()).detail == "no Docker daemon answers"
    at_once()
    assert play_next() is None
    assert match.attempts.count() == 1


def test_a_host_whose_disk_is_full_takes_no_more(host: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    ready_match()

    def full(_version: BotVersion) -> Path:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(play, "program_folder", full)
    play_next()
    assert "No space left" in Host.objects.get(name=host_name()).detail


@pytest.mark.parametrize(
    "error", [HostFault("the program cannot be laid out"), HostFault("the host was overloaded", 0), ValueError("x")]
)
def test_what_one_match_or_its_bots_may_have_brought_about_takes_no_host_out(
    host: Any, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    ready_match()

    def fail(*_: Any, **__: Any) -> None:
        raise error

    monkeypatch.setattr(play, "play_sitting", fail)
    assert play_next().outcome == "void"
    assert Host.objects.get(name=host_name()).ok


def test_a_program_that_cannot_be_laid_out_takes_no_host_out(host: Any) -> None:
    match = ready_match()
    for version in BotVersion.objects.all():
        (play.program_folder(version) / "link").symlink_to("/etc/passwd")
    assert play_next().outcome == "void"
    assert "neither a regular file nor a folder" in match.attempts.get().reason
    assert Host.objects.get(name=host_name()).ok


@pytest.mark.django_db(transaction=True)
def test_a_host_that_was_mended_is_found_to_hold_by_the_heartbeat_and_plays_again(
    host: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = ready_match()
    break_the_sandbox()
    play_next()
    Host.objects.update(probe_at=Now())
    monkeypatch.setattr(celery, "_last_beat", time.monotonic() - 60)
    celery.keep_host_alive()
    eventually(lambda: Host.objects.get(name=host_name()).ok, seconds=60)
    at_once()
    play_until_it_counts()
    match.refresh_from_db()
    assert match.state == "finished"


def test_a_build_on_a_host_that_can_start_no_sandbox_is_left_to_others_and_waits(host: Any) -> None:
    version = uploaded()
    break_the_sandbox()
    assert "could not start a sandbox" in build_next()
    assert not Host.objects.get(name=host_name()).ok
    version.refresh_from_db()
    assert (version.state, version.build_attempts) == ("uploaded", 1)
    assert version_claim() is None
    at_once()
    assert build_next() is None
    assert version_claim() == version


def test_the_waits_of_a_build_double(host: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    version = uploaded()

    def fail(*_: Any, **__: Any) -> None:
        raise HostFault("the host is overloaded")

    monkeypatch.setattr(builds, "build", fail)
    waits = []
    for _ in range(2):
        at_once()
        build_next()
        version.refresh_from_db()
        waits.append(BotVersion.objects.filter(retry_at__gt=Now() + timedelta(seconds=15)).exists())
    assert waits == [False, True]


@pytest.mark.parametrize("where", ["build", "announce_built"])
def test_whatever_a_worker_stumbles_over_in_a_build_ends_the_attempt_at_once(
    host: Any, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    version = uploaded()
    monkeypatch.setattr(builds, where, lambda *_, **__: 1 / 0)
    assert "the worker failed: ZeroDivisionError" in build_next()
    version.refresh_from_db()
    assert (version.state, version.lease_token) == ("uploaded", None)
    assert Host.objects.get(name=host_name()).ok


def test_a_build_that_was_tried_as_often_as_it_may_be_is_not_claimed_again_and_fails_for_the_true_reason(
    host: Any,
) -> None:
    version = uploaded()
    for _ in range(builds.ATTEMPTS_AT_MOST):
        assert version_claim() == version
        BotVersion.objects.update(lease_expires_at=Now() - timedelta(seconds=1))
    assert version_claim() is None
    assert builds_sweep() == 1
    version.refresh_from_db()
    assert (version.state, version.failure) == ("failed", "host")
    assert version.reason == "The arena's hosts failed 3 times to build it; the last: its worker let its lease run out"


def test_a_worker_s_own_error_is_told_by_its_kind_and_its_words_are_for_the_log(
    host: Any, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    match = ready_match()

    def fail(*_: Any, **__: Any) -> None:
        raise ValueError("postgresql://arena:secret@db.internal/arena")

    monkeypatch.setattr(play, "play_sitting", fail)
    play_next()
    assert match.attempts.get().reason == "the worker failed: ValueError"
    assert "db.internal" in caplog.text


@pytest.mark.django_db(transaction=True)
def test_a_result_is_saved_at_the_second_try_if_the_database_was_away_for_a_moment(
    host: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = ready_match()
    real, calls = play.attempt_finish, []

    def away_at_first(**kwargs: Any) -> Any:
        calls.append(kwargs)
        if len(calls) == 1:
            raise OperationalError("server closed the connection unexpectedly")
        return real(**kwargs)

    monkeypatch.setattr(play, "attempt_finish", away_at_first)
    play_until_it_counts()
    match.refresh_from_db()
    assert match.state == "finished"
    assert len(calls) == 2


def test_a_sandbox_s_deadline_is_after_the_slowest_sitting_that_the_clock_allows(
    host: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    ready_match(sets=3, time_control={"move_ms": 60_000, "bank_ms": 60_000})
    real, specs = type(sandbox_here()).start, []

    def noted(self: Any, spec: Any) -> Any:
        specs.append(spec)
        return real(self, spec)

    monkeypatch.setattr(type(sandbox_here()), "start", noted)
    play_until_it_counts()
    decisions = 3 * 300 * 3  # deals of a sitting, bouts of a deal, and three decisions in each
    assert min(spec.labels.deadline for spec in specs) > time.time() + decisions * 60
