"""A worker's way through builds and matches, with real programs in a real sandbox."""

from __future__ import annotations

import os
import time
from datetime import timedelta
from typing import Any

import psutil
import pytest
from django.db.models.functions import Now

from arena.bots import builds, leases
from arena.bots.builds import Built, build_next, builds_sweep, version_built, version_claim
from arena.bots.hosts import sandbox_here
from arena.bots.models import BotVersion
from arena.bots.programs import cache_folder, program_folder, programs_sweep
from arena.bots.services import version_retry, version_upload
from arena.errors import Conflict
from arena.matches import live, play
from arena.matches.lag import LagMeter
from arena.matches.models import Match
from arena.matches.play import play_next
from arena.matches.replays import Eyes, Film
from arena.matches.selectors import validation_match
from arena.matches.verify import match_verify
from bots_sdk.durak import DealRecord, Event
from bots_sdk.referee import HostFault
from sandbox.runtimes import RUNTIMES
from tests.arena.factories import RANDOM_BOT, bot_make, bot_zip, match_make
from tests.arena.matches.conftest import play_until_it_counts
from tests.arena.matches.test_replays import unrolled

pytestmark = pytest.mark.django_db


def uploaded(source: str = RANDOM_BOT, **manifest: Any) -> BotVersion:
    bot = bot_make()
    return version_upload(bot=bot, by=bot.owner, data=bot_zip(source, **manifest))[0]


def through(version: BotVersion) -> BotVersion:
    """The version after its build and its validation match."""
    assert build_next()
    play_until_it_counts()
    version.refresh_from_db()
    return version


def ready_match(source: str = RANDOM_BOT, **fields: Any) -> Match:
    """A queued match of two bots of that source that skipped their builds."""
    versions = [uploaded(source), uploaded(source)]
    BotVersion.objects.update(state="ready", ready_at=Now())
    return match_make(versions, **fields)


def test_a_good_bot_is_built_plays_itself_and_is_ready(host: Any) -> None:
    version = through(uploaded(seats=(3, 2)))
    assert (version.state, version.reason) == ("ready", "")
    match = validation_match(version.pk)
    assert match is not None
    assert (match.state, match.seats, match.preset) == ("finished", 2, "podkidnoy")
    assert match.attempts.get().host["backend"] == "bubblewrap"
    assert match.logs.count() == 4
    assert match_verify(match).problems == ()


def test_a_compiled_bot_is_built_once_and_what_was_made_is_played(host: Any) -> None:
    source = (RUNTIMES["cpp"].folder / "template" / "bot.cpp").read_text()
    version = through(uploaded(source, language="cpp", entry="bot.cpp", seats=(2,)))
    assert (version.state, version.reason) == ("ready", "")
    assert version.files.artifact
    folder = program_folder(version)
    assert (folder / ".build" / "bot").stat().st_mode & 0o111


def test_a_bot_that_does_not_compile_fails_with_the_compiler_s_words_in_its_log(host: Any) -> None:
    version = uploaded("def move(:\n")
    assert build_next()
    version.refresh_from_db()
    assert (version.state, version.failure) == ("failed", "build")
    assert version.reason
    assert "SyntaxError" in version.build_log
    assert not Match.objects.exists()


@pytest.mark.parametrize(
    ("source", "verdict", "said"),
    [
        ("raise SystemExit('my own words')", "crash", "my own words"),
        (RANDOM_BOT.replace("**move", "**move, 'cards': ['AS', 'AS', 'AH']"), "illegal_move", ""),
        (RANDOM_BOT.replace('message["turn"], **move', "99999, **move"), "wrong_turn", ""),
    ],
    ids=["crash", "illegal", "wrong turn"],
)
def test_a_bot_that_fails_its_validation_match_is_told_why_and_keeps_its_log(
    host: Any, source: str, verdict: str, said: str
) -> None:
    version = through(uploaded(source, seats=(2,)))
    assert (version.state, version.failure) == ("failed", "validation")
    match = validation_match(version.pk)
    assert match is not None
    fault = match.fault_set.first()
    assert fault is not None
    assert fault.verdict == verdict
    assert fault.reason in version.reason
    assert said in version.reason
    assert not said or said not in fault.reason
    logs = "".join(match.logs.values_list("stderr", flat=True))
    assert said in logs
    assert match_verify(match).problems == ()


def test_a_faulty_bot_loses_alone_and_the_others_are_charged_nothing(host: Any) -> None:
    good, bad, other = uploaded(), uploaded("import sys; sys.exit(3)"), uploaded()
    BotVersion.objects.update(state="ready", ready_at=Now())
    match = match_make([good, bad, other], sets=2)
    play_until_it_counts()
    match.refresh_from_db()
    assert match.state == "finished"
    totals = {each.index: each for each in match.participants.all()}
    assert [totals[index].duraks for index in range(3)] == [0, 6, 0]
    assert [totals[index].faults for index in range(3)] == [0, 3, 0]
    assert [totals[index].excluded for index in range(3)] == [False, True, False]
    assert {fault.participant.index for fault in match.fault_set.all()} == {1}
    assert match_verify(match).problems == ()


def test_when_a_sandbox_cannot_be_started_the_attempt_is_void_and_the_match_is_played_again(
    host: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = ready_match()
    real = type(sandbox_here()).start
    calls = []

    def broken(self: Any, spec: Any) -> Any:
        calls.append(spec)
        if len(calls) == 2:
            raise HostFault("out of file descriptors")
        return real(self, spec)

    monkeypatch.setattr(type(sandbox_here()), "start", broken)
    assert "out of file descriptors" in play_next().message
    match.refresh_from_db()
    assert (match.state, match.attempts.get().outcome) == ("queued", "void")
    assert not match.fault_set.exists()
    Match.objects.update(retry_at=None)
    play_until_it_counts()
    assert {each.outcome for each in match.attempts.all()} == {"void", "finished"}


def test_an_attempt_that_the_host_spoilt_says_in_whose_turn_it_was(host: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    match = ready_match()
    real, sittings = play.play_sitting, []

    def starved(spec: Any, players: Any, **options: Any) -> Any:
        outcome = real(spec, players, **options)
        sittings.append(spec)
        if len(sittings) == 2:
            raise HostFault("the host is overloaded", seat=0)
        return outcome

    monkeypatch.setattr(play, "play_sitting", starved)
    play_next()
    attempt = match.attempts.get()
    # In the second sitting the seats have gone round by one.
    assert (attempt.outcome, attempt.in_turn_of) == ("void", 1)
    assert not match.fault_set.exists()


def test_a_worker_s_own_error_is_never_a_bot_s_loss(host: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    match = ready_match()
    monkeypatch.setattr(play, "play_sitting", lambda *_, **__: 1 / 0)
    assert not Match.objects.get(pk=match.pk).deals.exists()
    play_next()
    match.refresh_from_db()
    attempt = match.attempts.get()
    assert (match.state, attempt.outcome) == ("queued", "void")
    assert "ZeroDivisionError" in attempt.reason
    assert all(each.duraks is None for each in match.participants.all())


SLEEPER = RANDOM_BOT.replace("move = ", "__import__('time').sleep(30); move = ")


def test_a_bot_that_runs_out_of_time_is_charged_while_the_host_is_quick(
    host: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(LagMeter, "_note", lambda *_: None)
    match = ready_match(SLEEPER, time_control={"move_ms": 1500, "bank_ms": 0})
    play_until_it_counts()
    assert {fault.verdict for fault in match.fault_set.all()} == {"timeout"}


def test_a_time_fault_while_the_host_itself_lost_as_much_voids_the_attempt(
    host: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(LagMeter, "lost_within", lambda _, ms: ms / 2)
    match = ready_match(SLEEPER, time_control={"move_ms": 100, "bank_ms": 0})
    assert "the host was the slow one" in play_next().message
    match.refresh_from_db()
    assert match.attempts.get().outcome == "void"
    assert not match.fault_set.exists()


def test_the_lag_meter_sees_a_host_that_stands_still_and_not_one_that_works() -> None:
    meter = LagMeter()
    meter._note(3.0)
    assert meter.lost_within(5000) == 0
    meter._note(300.0)
    meter._note(40.0)
    assert (meter.lost_within(5000), meter.worst_ms) == (340, 300)


def test_what_the_host_lost_long_before_a_fault_does_not_excuse_it(monkeypatch: pytest.MonkeyPatch) -> None:
    meter = LagMeter()
    clock = play.TimeControl(startup_ms=5000, move_ms=200, bank_ms=3000)
    stopwatch = play._Stopwatch(meter, clock)
    fault = Event("fault", 0, data={"verdict": "timeout"})
    now = time.monotonic()
    for second in range(100):
        monkeypatch.setattr(time, "monotonic", lambda second=second: now + second)
        meter._note(100.0)
    stopwatch.see(fault)
    meter._note(1600.0)
    with pytest.raises(HostFault, match="the host was the slow one") as raised:
        stopwatch.see(fault)
    assert raised.value.seat == 0
    monkeypatch.setattr(time, "monotonic", lambda: now + 110)
    stopwatch.see(fault)


def test_a_bot_that_closes_its_stdout_and_sleeps_loses_and_nobody_waits_for_it_for_ever(host: Any) -> None:
    source = 'import os, time\nprint(\'{"type": "ready"}\', flush=True)\nos.close(1)\ntime.sleep(600)\n'
    versions = [uploaded(source), uploaded()]
    BotVersion.objects.update(state="ready", ready_at=Now())
    match = match_make(versions)
    began = time.monotonic()
    play_until_it_counts()
    assert time.monotonic() - began < 200
    # Inside bubblewrap its process 1 holds the pipe too, so that the clock decides.
    assert {fault.verdict for fault in match.fault_set.all()} <= {"closed", "timeout"}
    assert [each.duraks for each in match.participants.all()] == [2, 0]


def test_the_children_of_a_bot_that_crashed_do_not_outlive_its_sandbox(host: Any) -> None:
    mark = f"left-over-{os.getpid()}"
    source = f"""\
import os
if os.fork() == 0:
    os.setsid()
    os.execvp("sh", ["sh", "-c", "sleep 600; : {mark}"])
os.abort()
"""
    versions = [uploaded(source), uploaded()]
    BotVersion.objects.update(state="ready", ready_at=Now())
    match_make(versions)
    play_until_it_counts()
    assert not [p for p in psutil.process_iter(["cmdline"]) if mark in " ".join(p.info["cmdline"] or [])]


def test_play_stops_once_the_lease_has_passed_on(host: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leases, "OFTEN_SECONDS", 0.1)
    slow = RANDOM_BOT.replace("move = ", "__import__('time').sleep(0.1); move = ")
    match = ready_match(slow, sets=10)
    monkeypatch.setattr(play, "attempt_renew", lambda **_: False)
    ending = play_next()
    assert not ending.applied
    assert "passed on" in ending.message
    match.refresh_from_db()
    assert not match.deals.exists()


def test_the_live_view_shows_whole_bouts_of_the_first_rotation_and_no_hidden_card(
    host: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = ready_match(sets=2)
    sent: list[dict[str, Any]] = []
    monkeypatch.setattr(live, "publish", lambda match_id, *events: sent.extend(events))
    play_until_it_counts()
    assert [event["type"] for event in sent if event["type"] != "table"].count("deal") == 4
    assert [event["deals_done"] for event in sent if event["type"] == "progress"] == [1, 2, 3, 4]
    tables = [event for event in sent if event["type"] == "table"]
    first = {deal.index: deal for deal in match.deals.filter(sitting=0)}
    assert {event["deal"] for event in tables} == set(first)
    for index, deal in first.items():
        record = DealRecord.parse(deal.record)
        film = Film(record.deal(), [match.participants.get(index=place).version.bot.slug for place in deal.seating])
        shown = [unrolled(table["frames"]) for table in tables if table["deal"] == index]
        eyes = Eyes(None)
        whole = unrolled([eyes.see(frame) for frame in film.of_record(record)])
        assert [position(state) for bout in shown for state in bout] == [position(state) for state in whole]
        assert all(isinstance(hand, dict) for bout in shown for state in bout for hand in state["hands"].values())
        assert [bout[-1]["kind"] for bout in shown][-1] == "over"
        assert {bout[-1]["kind"] for bout in shown[:-1]} == {"bout"}
    assert not any(bytes(match.seed).hex() in str(event) for event in sent)


def position(state: dict[str, Any]) -> dict[str, Any]:
    """A state without what belongs to its own frame alone."""
    return {key: value for key, value in state.items() if key not in {"seat", "move"}}


def test_a_program_is_laid_out_once_by_its_content_and_old_ones_are_dropped(host: Any) -> None:
    version = uploaded()
    folder = program_folder(version)
    assert folder.name.startswith(version.sha256)
    assert program_folder(version) == folder
    assert (folder / "bot.py").read_text() == RANDOM_BOT
    assert not [path for path in cache_folder().iterdir() if path.name.startswith(".making")]
    os.utime(folder, (0, 0))
    programs_sweep()
    assert not folder.exists()
    assert program_folder(version) == folder


def test_a_build_whose_worker_died_is_built_again_and_the_dead_one_s_result_changes_nothing(host: Any) -> None:
    version = uploaded()
    dead = version_claim()
    assert dead == version
    assert version_claim() is None
    BotVersion.objects.update(lease_expires_at=Now() - timedelta(seconds=1))
    assert builds_sweep() == 0
    assert build_next()
    version.refresh_from_db()
    assert (version.state, version.build_attempts) == ("validating", 2)
    assert not version_built(version_id=version.pk, token=dead.lease_token, built=Built(ok=False, log="late"))
    version.refresh_from_db()
    assert version.state == "validating"


def test_a_build_that_the_hosts_fail_again_and_again_is_ended_and_can_be_retried(
    host: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    version = uploaded()

    def fail(*_: Any, **__: Any) -> None:
        raise HostFault("disk full")

    monkeypatch.setattr(builds, "build", fail)
    for _ in range(3):
        BotVersion.objects.update(retry_at=None)
        assert "disk full" in build_next()
    version.refresh_from_db()
    assert (version.state, version.failure) == ("failed", "host")
    assert "disk full" in version.reason
    monkeypatch.undo()
    version_retry(version=version, by=version.bot.owner)
    assert through(version).state == "ready"
    with pytest.raises(Conflict):
        version_retry(version=version, by=version.bot.owner)


def test_a_validation_that_the_hosts_never_get_to_play_fails_by_the_hosts(
    host: Any, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.MATCH_MAX_ATTEMPTS = 1
    version = uploaded()
    build_next()
    monkeypatch.setattr(play, "play_sitting", lambda *_, **__: 1 / 0)
    play_next()
    version.refresh_from_db()
    assert (version.state, version.failure) == ("failed", "host")
    assert "was not played" in version.reason
