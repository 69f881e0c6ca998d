"""The queue's state machine: claims, leases, results, attempts (cases 13 to 16)."""

from __future__ import annotations

import hashlib
import threading
from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError, connection, connections, transaction
from django.db.models.functions import Now
from django.test.utils import CaptureQueriesContext

from arena.errors import Conflict, Invalid, NotAllowed
from arena.matches import outcomes, queue
from arena.matches.models import Attempt, Match
from arena.matches.queue import (
    attempt_finish,
    attempt_renew,
    attempt_void,
    attempts_stop,
    match_claim,
    matches_sweep,
)
from arena.matches.results import PlayedFault, PlayedLog, PlayedMatch
from arena.matches.services import match_cancel
from tests.arena.factories import (
    match_claim_it,
    match_finish,
    match_finished,
    match_make,
    play_at_random,
    user_make,
    version_make,
)

pytestmark = pytest.mark.django_db


def expire(attempt: Attempt) -> None:
    Attempt.objects.filter(pk=attempt.pk).update(lease_expires_at=Now() - timedelta(seconds=1))


def ready_again(match: Match) -> None:
    Match.objects.filter(pk=match.pk).update(retry_at=None)


def test_a_new_match_waits_in_the_queue_with_its_commitment_published() -> None:
    match = match_make()
    assert match.state == "queued"
    assert match.commitment == hashlib.sha256(bytes(match.seed)).hexdigest()
    assert match.revealed_seed is None


def test_a_finished_match_reveals_the_seed_it_was_committed_to() -> None:
    match = match_finished()
    assert match.revealed_seed is not None
    assert hashlib.sha256(bytes.fromhex(match.revealed_seed)).hexdigest() == match.commitment


def test_every_deck_is_played_once_per_rotation_and_all_totals_add_up() -> None:
    match = match_finished(3, sets=2)
    assert match.deals.count() == 6
    for deck in range(2):
        seatings = [tuple(deal.seating) for deal in match.deals.filter(set_index=deck)]
        assert len(set(seatings)) == 3
        assert all(sorted(seating) == [0, 1, 2] for seating in seatings)
    for participant in match.participants.all():
        assert participant.deals == 6
        assert participant.duraks == sum(participant.index in deal.duraks for deal in match.deals.all())


def test_the_higher_priority_is_claimed_first_and_then_the_older() -> None:
    versions = [version_make(), version_make()]
    low, older, newer = (match_make(versions, priority=priority) for priority in (1, 5, 5))
    assert [match_claim(worker="w/1").match_id for _ in range(3)] == [older.pk, newer.pk, low.pk]
    assert match_claim(worker="w/1") is None


def test_a_host_is_not_given_matches_in_languages_it_cannot_run() -> None:
    match_make()
    assert match_claim(worker="w/1", languages=["rust"]) is None
    assert match_claim(worker="w/1", languages=["rust", "python"]) is not None


def test_only_one_running_attempt_per_match_can_exist_in_the_database() -> None:
    attempt = match_claim_it(match_make())
    with pytest.raises(IntegrityError), transaction.atomic():
        Attempt.objects.create(
            match=attempt.match,
            number=2,
            worker="w/2",
            token="0" * 32,
            started_at=Now(),
            lease_expires_at=Now(),
        )


def test_a_result_is_saved_once_and_the_second_time_changes_nothing_and_says_so() -> None:
    match = match_make()
    attempt = match_claim_it(match)
    first = attempt_finish(attempt=attempt, played=play_at_random(match, chance=1))
    before = list(match.deals.values_list("record", flat=True))
    second = attempt_finish(attempt=attempt, played=play_at_random(match, chance=2))
    assert first.applied
    assert not second.applied
    assert "already" in second.message
    assert list(match.deals.values_list("record", flat=True)) == before
    assert match.attempts.get().outcome == "finished"


def test_the_handlers_of_a_kind_run_once_within_the_result_transaction(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[str, int, bool]] = []
    monkeypatch.setitem(
        outcomes._finished,
        "challenge",
        [lambda match: seen.append((match.state, match.deals.count(), connection.in_atomic_block))],
    )
    match = match_make()
    attempt = match_claim_it(match)
    for _ in range(2):
        attempt_finish(attempt=attempt, played=play_at_random(match))
    assert seen == [("finished", 2, True)]


def test_a_handler_that_fails_undoes_the_whole_result(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(match: Match) -> None:
        raise RuntimeError("no")

    monkeypatch.setitem(outcomes._finished, "challenge", [fail])
    match = match_make()
    attempt = match_claim_it(match)
    with pytest.raises(RuntimeError):
        attempt_finish(attempt=attempt, played=play_at_random(match))
    match.refresh_from_db()
    assert match.state == "running"
    assert not match.deals.exists()
    assert match.participants.first().deals is None


def test_an_expired_lease_is_swept_and_the_match_is_queued_again_with_the_attempt_kept() -> None:
    match = match_make()
    attempt = match_claim_it(match)
    assert matches_sweep() == 0
    expire(attempt)
    assert matches_sweep() == 1
    assert matches_sweep() == 0
    match.refresh_from_db()
    assert match.state == "queued"
    lost = match.attempts.get()
    assert lost.outcome == "lost"
    assert "lease" in lost.reason
    ready_again(match)
    assert match_finish(match).applied
    assert [each.outcome for each in match.attempts.all()] == ["lost", "finished"]


def test_a_result_that_comes_after_the_sweep_changes_nothing() -> None:
    match = match_make()
    slow = match_claim_it(match)
    expire(slow)
    matches_sweep()
    ready_again(match)
    quick = match_claim_it(match, worker="w/2")
    late = attempt_finish(attempt=slow, played=play_at_random(match, chance=1))
    assert not late.applied
    assert not match.deals.exists()
    assert attempt_finish(attempt=quick, played=play_at_random(match, chance=2)).applied
    assert [each.outcome for each in match.attempts.all()] == ["late", "finished"]


def test_a_result_after_the_lease_but_before_any_sweep_is_late_too_and_the_match_is_queued_again() -> None:
    match = match_make()
    attempt = match_claim_it(match)
    expire(attempt)
    ending = attempt_finish(attempt=attempt, played=play_at_random(match))
    assert not ending.applied
    match.refresh_from_db()
    assert match.state == "queued"
    assert not match.deals.exists()
    assert match.attempts.get().outcome == "late"


def test_a_renewal_holds_the_lease_and_notes_the_progress() -> None:
    attempt = match_claim_it(match_make(sets=3))
    assert attempt_renew(attempt=attempt, deals_done=4)
    attempt.refresh_from_db()
    assert attempt.deals_done == 4


def test_an_expired_lease_cannot_be_renewed() -> None:
    attempt = match_claim_it(match_make())
    expire(attempt)
    assert not attempt_renew(attempt=attempt)


def test_a_lease_is_measured_by_the_clock_of_the_database_whatever_the_worker_s_says(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import time

    real = time.time
    monkeypatch.setattr(time, "time", lambda: real() + 100_000)
    match = match_make()
    attempt = match_claim_it(match)
    assert matches_sweep() == 0
    assert attempt_renew(attempt=attempt)
    monkeypatch.setattr(time, "time", lambda: real() - 100_000)
    assert matches_sweep() == 0
    assert attempt_finish(attempt=attempt, played=play_at_random(match)).applied


def test_a_host_s_failure_voids_the_attempt_and_charges_nobody() -> None:
    match = match_make()
    attempt = match_claim_it(match)
    assert attempt_void(attempt=attempt, reason="the daemon is gone").applied
    match.refresh_from_db()
    assert match.state == "queued"
    assert match.retry_at is not None
    assert not match.fault_set.exists()
    assert not match.deals.exists()
    voided = match.attempts.get()
    assert (voided.outcome, voided.reason) == ("void", "the daemon is gone")
    assert all(participant.duraks is None for participant in match.participants.all())


def test_a_match_that_waits_for_its_retry_is_not_claimed_before_its_time() -> None:
    match = match_make()
    attempt_void(attempt=match_claim_it(match), reason="the daemon is gone")
    assert match_claim(worker="w/1") is None
    Match.objects.filter(pk=match.pk).update(retry_at=Now())
    assert match_claim(worker="w/1") is not None


def test_after_so_many_failed_attempts_a_match_is_abandoned_with_the_last_reason(settings: Any) -> None:
    settings.MATCH_MAX_ATTEMPTS = 3
    match = match_make()
    for number in range(3):
        ready_again(match)
        attempt_void(attempt=match_claim_it(match), reason=f"failure {number}")
    match.refresh_from_db()
    assert match.state == "abandoned"
    assert "failure 2" in match.reason
    assert match.attempts.count() == 3


@pytest.mark.parametrize(
    ("turns", "spoilt"),
    [([1, 1, 1], {1}), ([1, 0, 1], {1}), ([None, None, 1], set()), ([0, 1, None], set()), ([None] * 3, set())],
)
def test_an_abandoned_match_notes_in_whose_turns_the_host_failed_in_most_attempts(
    settings: Any, turns: list[int | None], spoilt: set[int]
) -> None:
    settings.MATCH_MAX_ATTEMPTS = 3
    match = match_make()
    for turn in turns:
        ready_again(match)
        attempt_void(attempt=match_claim_it(match), reason="the host is overloaded", in_turn_of=turn)
    match.refresh_from_db()
    assert match.state == "abandoned"
    assert {each.index for each in match.participants.filter(spoilt_at__isnull=False)} == spoilt


def test_the_shut_down_of_a_worker_gives_its_matches_back_at_once_and_is_not_counted_as_a_failure(
    settings: Any,
) -> None:
    settings.MATCH_MAX_ATTEMPTS = 1
    versions = [version_make(), version_make()]
    match, other = match_make(versions), match_make(versions)
    match_claim_it(match, worker="host:1/2")
    match_claim_it(other, worker="host:11/3")
    assert attempts_stop(worker="host:1") == 1
    match.refresh_from_db()
    other.refresh_from_db()
    assert (match.state, other.state) == ("queued", "running")
    assert match.attempts.get().outcome == "stopped"
    assert match_claim(worker="host:2/1").match_id == match.pk


def test_a_running_match_that_is_called_off_loses_its_lease_and_its_result() -> None:
    person = user_make()
    match = match_make(created_by=person)
    attempt = match_claim_it(match)
    match_cancel(match=match, by=person, reason="wrong bot")
    assert not attempt_renew(attempt=attempt)
    assert not attempt_finish(attempt=attempt, played=play_at_random(match)).applied
    match.refresh_from_db()
    assert (match.state, match.reason) == ("cancelled", f"{person.username}: wrong bot")
    assert match.revealed_seed is None


def test_only_its_maker_or_the_staff_may_call_a_challenge_off_and_nobody_an_ended_match() -> None:
    match = match_make(created_by=user_make())
    with pytest.raises(NotAllowed):
        match_cancel(match=match, by=user_make(), reason="mine")
    with pytest.raises(Invalid, match="Say why"):
        match_cancel(match=match, by=user_make(is_staff=True), reason=" ")
    match_cancel(match=match, by=user_make(is_staff=True), reason="broken")
    with pytest.raises(Conflict, match="cancelled already"):
        match_cancel(match=match, by=user_make(is_staff=True), reason="again")


@pytest.mark.parametrize("end", ["cancelled", "abandoned", "void", "queued"])
def test_a_match_that_was_not_finished_counts_for_nobody(end: str, settings: Any) -> None:
    match = match_make()
    if end == "cancelled":
        match_cancel(match=match, by=user_make(is_staff=True), reason="test")
    elif end != "queued":
        settings.MATCH_MAX_ATTEMPTS = 1 if end == "abandoned" else 5
        attempt_void(attempt=match_claim_it(match), reason="test")
    assert not match.participants.filter(deals__isnull=False).exists()
    assert not match.participants.filter(duraks__isnull=False).exists()


def test_a_result_that_lacks_deals_is_refused_whole() -> None:
    match = match_make()
    attempt = match_claim_it(match)
    played = play_at_random(match)
    with pytest.raises(ValueError, match="has 2 deals; the result has 1"):
        attempt_finish(attempt=attempt, played=PlayedMatch(deals=played.deals[:1]))
    assert not match.deals.exists()


def test_nul_characters_that_a_bot_wrote_are_kept_visibly() -> None:
    match = match_make()
    played = play_at_random(match)
    played = PlayedMatch(
        deals=played.deals,
        faults=[PlayedFault(0, 0, 1, "malformed", "not JSON", line="\0x")],
        logs=[PlayedLog(0, 0, "a\0b", {"code": 0})],
    )
    assert attempt_finish(attempt=match_claim_it(match), played=played).applied
    assert match.fault_set.get().line == "␀x"
    assert match.logs.get().stderr == "a␀b"
    assert match.participants.get(index=0).faults == 1


def test_the_database_refuses_to_change_a_played_deal_or_the_terms_of_a_match() -> None:
    match = match_finished()
    with pytest.raises(IntegrityError, match="never changes"), transaction.atomic():
        match.deals.update(record="another")
    with pytest.raises(IntegrityError, match="never change"), transaction.atomic():
        Match.objects.filter(pk=match.pk).update(seed=b"another")
    with pytest.raises(IntegrityError, match="has ended as finished"), transaction.atomic():
        Match.objects.filter(pk=match.pk).update(state="queued", finished_at=None)


@pytest.mark.django_db(transaction=True)
def test_workers_that_race_for_the_queue_never_get_the_same_match() -> None:
    versions = [version_make(), version_make()]
    wanted = {match_make(versions).pk for _ in range(12)}
    taken: list[int] = []
    start = threading.Barrier(8)

    def claim(number: int) -> None:
        start.wait()
        try:
            while (attempt := match_claim(worker=f"w/{number}")) is not None:
                taken.append(attempt.match_id)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=claim, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(taken) == 12
    assert set(taken) == wanted


@pytest.mark.django_db(transaction=True)
def test_of_two_results_saved_at_once_exactly_one_counts() -> None:
    match = match_make()
    attempt = match_claim_it(match)
    endings = []
    start = threading.Barrier(2)

    def finish(chance: int) -> None:
        played = play_at_random(match, chance=chance)
        start.wait()
        try:
            endings.append(attempt_finish(attempt=attempt, played=played))
        finally:
            connections.close_all()

    threads = [threading.Thread(target=finish, args=(chance,)) for chance in (1, 2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(ending.applied for ending in endings) == [False, True]
    assert match.deals.count() == 2


@pytest.mark.django_db(transaction=True)
def test_several_sweeps_at_once_requeue_a_lost_match_once() -> None:
    match = match_make()
    expire(match_claim_it(match))
    found = []

    def sweep() -> None:
        try:
            found.append(matches_sweep())
        finally:
            connections.close_all()

    threads = [threading.Thread(target=sweep) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(found) == 1
    assert match.attempts.count() == 1


KINDS = ("ladder", "challenge")


def claimed(number: int) -> list[str]:
    """The kinds of the next matches that are claimed."""
    return [match_claim(worker="w/1").match.kind for _ in range(number)]


@pytest.mark.parametrize("flood", KINDS)
def test_however_many_matches_of_one_kind_wait_those_of_the_other_are_claimed_soon(flood: str) -> None:
    versions = [version_make(), version_make()]
    other = next(kind for kind in KINDS if kind != flood)
    for _ in range(60):
        match_make(versions, kind=flood)
    match_make(versions, kind=other)
    assert other in claimed(40)  # but for one time in 10 ** 12


def test_each_kind_has_about_half_of_the_claims_while_both_wait() -> None:
    versions = [version_make(), version_make()]
    for kind in KINDS * 40:
        match_make(versions, kind=kind)
    assert 4 <= claimed(40).count("challenge") <= 36


def test_validation_matches_come_before_all_others() -> None:
    versions = [version_make(), version_make()]
    for kind in (*KINDS, "validation") * 5:
        match_make(versions, kind=kind)
    assert claimed(5) == ["validation"] * 5


def test_of_one_kind_the_older_is_claimed_first_and_newcomers_before_them() -> None:
    versions = [version_make(), version_make()]
    made = [match_make(versions, kind="ladder", priority=priority).pk for priority in (0, 0, 1)]
    assert [match_claim(worker="w/1").match_id for _ in made] == [made[2], made[0], made[1]]


@pytest.mark.parametrize("share", [0.0, 1.0])
def test_a_claim_is_one_read_of_the_queue_by_its_index(share: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queue, "LADDER_SHARE", share)
    match_make(kind="ladder")
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
    with CaptureQueriesContext(connection) as queries:
        match_claim(worker="w/1")
    reads = [query["sql"] for query in queries if "FOR UPDATE" in query["sql"]]
    assert len(reads) == 1
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN {reads[0]}")
        assert "match_queue" in str(cursor.fetchall())


def test_nobody_reads_of_a_lost_attempt_which_worker_it_was() -> None:
    match = match_make()
    expire(match_claim_it(match, worker="box.internal:1/2"))
    matches_sweep()
    assert "box" not in match.attempts.get().reason
