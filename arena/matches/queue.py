"""The queue's state machine: claim, renew, finish, give back, sweep.

    queued --claim--> running --finish--> finished
      ^                  |
      |                  +--cancel--> cancelled           (also from queued)
      +---void, lost, late, stopped---+--> abandoned      (after MATCH_MAX_ATTEMPTS failed attempts)

Every step locks the match's row first, and all times are the database's, so that clocks of workers do not matter.
"""

from __future__ import annotations

import random
import uuid
from collections.abc import Collection
from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Coalesce, Now

from arena.bots.leases import back_off
from arena.matches import live
from arena.matches.models import Attempt, BotLog, Deal, Fault, Match, Participant
from arena.matches.outcomes import announce_abandoned, announce_finished
from arena.matches.results import Ending, PlayedMatch

State = Match.State
Outcome = Attempt.Outcome

FAILED = (Outcome.VOID, Outcome.LOST, Outcome.LATE)
PRIORITY = {Match.Kind.VALIDATION: 20, Match.Kind.CHALLENGE: 10, Match.Kind.LADDER: 0}
LADDER_SHARE = 0.5
"""So many of the claims pass the challenges over, so that neither they nor the ladders can starve the others."""


def lease() -> timedelta:
    """How long an attempt is held without a renewal."""
    return timedelta(seconds=settings.MATCH_LEASE_SECONDS)


def matches_waiting() -> QuerySet[Match]:
    """The matches that can be played now."""
    return Match.objects.filter(Q(retry_at__isnull=True) | Q(retry_at__lte=Now()), state=State.QUEUED)


def match_claim(*, worker: str, languages: Collection[str] | None = None) -> Attempt | None:
    """Take the first queued match that this worker can play; None if there is none.

    The higher priority is first, and of one priority the older; but every other claim, by chance, takes a challenge
    only if nothing else waits. Chance, unlike a count, cannot always give the same kind to the same host.

    ``languages`` are those the worker's host can run, None for all. Two workers never get the same match: the row is
    locked past those that others hold, and taken by an UPDATE that only a queued match satisfies.
    """
    queued = matches_waiting()
    if languages is not None:
        queued = queued.filter(playable_in(languages))
    with transaction.atomic():
        first = queued.select_for_update(skip_locked=True, of=("self",)).order_by("-priority", "id")
        ids = first.values_list("pk", flat=True)
        match_id = None
        if random.random() < LADDER_SHARE:  # noqa: S311 - it only takes turns
            match_id = ids.exclude(priority=PRIORITY[Match.Kind.CHALLENGE]).first()
        if match_id is None:
            match_id = ids.first()
        if match_id is None:
            return None
        taken = Match.objects.filter(pk=match_id, state=State.QUEUED).update(
            state=State.RUNNING,
            started_at=Coalesce("started_at", Now()),
            retry_at=None,
        )
        if not taken:
            return None
        attempt = Attempt.objects.create(
            match_id=match_id,
            number=Attempt.objects.filter(match_id=match_id).count() + 1,
            worker=worker,
            token=uuid.uuid4(),
            started_at=Now(),
            lease_expires_at=Now() + lease(),
        )
    live.publish(match_id, {"type": "started", "attempt": attempt.number})
    return Attempt.objects.select_related("match").get(pk=attempt.pk)


def playable_in(languages: Collection[str]) -> Q:
    """Of matches: that a host which can run these languages can play them."""
    return Q(~Exists(Participant.objects.filter(match=OuterRef("pk")).exclude(version__language__in=languages)))


def attempt_renew(*, attempt: Attempt, deals_done: int = 0) -> bool:
    """Hold on to the match for another lease; False when the lease has passed on or run out."""
    held = Attempt.objects.filter(
        pk=attempt.pk,
        token=attempt.token,
        outcome=Outcome.RUNNING,
        lease_expires_at__gt=Now(),
    )
    return bool(held.update(lease_expires_at=Now() + lease(), deals_done=deals_done))


def attempt_finish(*, attempt: Attempt, played: PlayedMatch) -> Ending:
    """Save a whole match: result, deals, faults, logs, and what the handlers of its kind make of it, or nothing.

    Under a lock on the match, and only while the attempt holds the lease. A late or repeated result changes nothing
    but the attempt's own note, and says so.
    """
    with transaction.atomic():
        match, current = _locked(attempt)
        late = _why_not_held(match, current)
        if late:
            return _note_late(match, current, late)
        _save(match, played)
        now = Now()
        current.outcome, current.ended_at, current.host = Outcome.FINISHED, now, played.host
        current.deals_done = match.deals_total
        current.save(update_fields=["outcome", "ended_at", "host", "deals_done"])
        match.state, match.finished_at = State.FINISHED, now
        match.save(update_fields=["state", "finished_at"])
        match.refresh_from_db(fields=["finished_at"])
        announce_finished(match)
        transaction.on_commit(
            lambda: live.publish(
                match.pk,
                {"type": "finished", "deals_done": match.deals_total, "deals_total": match.deals_total},
            ),
        )
    return Ending(
        applied=True, outcome=Outcome.FINISHED, message=f"match {match.pk} is finished by attempt {current.number}"
    )


def attempt_void(
    *,
    attempt: Attempt,
    reason: str,
    outcome: str = Outcome.VOID,
    in_turn_of: int | None = None,
) -> Ending:
    """End an attempt that the host spoilt: nobody is charged, and the match is played again or, at last, abandoned.

    ``in_turn_of`` is the index of the participant in whose turn the host failed, if it was in a turn.
    """
    with transaction.atomic():
        match, current = _locked(attempt)
        if current.outcome != Outcome.RUNNING:
            return Ending(
                applied=False,
                outcome=current.outcome,
                message=f"attempt {current.number} has ended already ({current.outcome})",
            )
        current.in_turn_of = in_turn_of
        _give_back(match, current, outcome, reason)
    return Ending(
        applied=True, outcome=outcome, message=f"attempt {current.number} of match {match.pk} is {outcome}: {reason}"
    )


def attempts_end(match: Match, *, state: str, reason: str) -> None:
    """Close a locked match that will not be played: CANCELLED or ABANDONED."""
    match.attempts.filter(outcome=Outcome.RUNNING).update(
        outcome=Outcome.CANCELLED,
        ended_at=Now(),
        reason=reason,
    )
    match.state, match.reason, match.retry_at = state, reason, None
    match.save(update_fields=["state", "reason", "retry_at"])
    announce_abandoned(match)
    transaction.on_commit(lambda: live.publish(match.pk, {"type": state, "reason": reason}))


def matches_sweep() -> int:
    """Take back what lost workers held; harmless to run at any time and several at once. Returns how many."""
    lost = 0
    expired = Attempt.objects.filter(outcome=Outcome.RUNNING, lease_expires_at__lte=Now())
    for attempt in expired.order_by("lease_expires_at")[:200]:
        with transaction.atomic():
            match = Match.objects.select_for_update(skip_locked=True).filter(pk=attempt.match_id).first()
            current = expired.filter(pk=attempt.pk).first()
            if match is None or current is None:
                continue
            _give_back(match, current, Outcome.LOST, "its worker let its lease run out")
            lost += 1
    return lost


def attempts_stop(*, worker: str) -> int:
    """Give back at once all that a worker holds, because it is being shut down; returns how many."""
    held = Attempt.objects.filter(outcome=Outcome.RUNNING, worker__startswith=f"{worker}/")
    endings = [attempt_void(attempt=each, reason="its worker was shut down", outcome=Outcome.STOPPED) for each in held]
    return sum(ending.applied for ending in endings)


def _locked(attempt: Attempt) -> tuple[Match, Attempt]:
    match = Match.objects.select_for_update().get(pk=attempt.match_id)
    return match, Attempt.objects.get(pk=attempt.pk, token=attempt.token)


def _why_not_held(match: Match, attempt: Attempt) -> str:
    if attempt.outcome == Outcome.FINISHED:
        return f"attempt {attempt.number} has brought the result of match {match.pk} already"
    if attempt.outcome != Outcome.RUNNING:
        return f"attempt {attempt.number} had ended ({attempt.outcome}) before its result came"
    if not Attempt.objects.filter(pk=attempt.pk, lease_expires_at__gt=Now()).exists():
        return f"the lease of attempt {attempt.number} had run out before its result came"
    return ""


def _note_late(match: Match, attempt: Attempt, why: str) -> Ending:
    if attempt.outcome == Outcome.RUNNING:
        _give_back(match, attempt, Outcome.LATE, why)
    elif attempt.outcome == Outcome.LOST:
        attempt.outcome, attempt.reason = Outcome.LATE, f"{attempt.reason}; its result came late and changed nothing"
        attempt.save(update_fields=["outcome", "reason"])
    return Ending(applied=False, outcome=attempt.outcome, message=f"Nothing was changed: {why}.")


def _give_back(match: Match, attempt: Attempt, outcome: str, reason: str) -> None:
    """End a running attempt of a locked match, and queue the match again unless it has failed too often."""
    attempt.outcome, attempt.reason, attempt.ended_at = outcome, reason, Now()
    attempt.save(update_fields=["outcome", "reason", "ended_at", "in_turn_of"])
    turns = list(match.attempts.filter(outcome__in=FAILED).values_list("in_turn_of", flat=True))
    failed = len(turns)
    if failed >= settings.MATCH_MAX_ATTEMPTS:
        for participant in match.participants.all():
            if turns.count(participant.index) * 2 > failed:
                participant.spoilt_at = Now()
                participant.save(update_fields=["spoilt_at"])
        attempts_end(
            match, state=State.ABANDONED, reason=f"given up after {failed} failed attempts; the last: {reason}"
        )
        return
    match.state, match.retry_at = State.QUEUED, Now() + back_off(failed)
    match.save(update_fields=["state", "retry_at"])
    transaction.on_commit(lambda: live.publish(match.pk, {"type": "requeued", "reason": outcome}))


def _save(match: Match, played: PlayedMatch) -> None:
    if sorted(deal.index for deal in played.deals) != list(range(match.deals_total)):
        raise ValueError(f"match {match.pk} has {match.deals_total} deals; the result has {len(played.deals)}")
    participants = {each.index: each for each in match.participants.all()}
    Deal.objects.bulk_create(
        Deal(
            match=match,
            index=deal.index,
            set_index=deal.set_index,
            sitting=deal.sitting,
            seating=list(deal.seating),
            record=deal.record,
            duraks=sorted(deal.duraks),
            ended=deal.ended,
            moves=deal.moves,
            timings=list(deal.timings),
        )
        for deal in sorted(played.deals, key=lambda deal: deal.index)
    )
    Fault.objects.bulk_create(
        Fault(
            match=match,
            participant=participants[fault.participant],
            deal_index=fault.deal_index,
            turn=fault.turn,
            verdict=fault.verdict,
            reason=_clean(fault.reason),
            line=_clean(fault.line),
            view=fault.view,
        )
        for fault in played.faults
    )
    BotLog.objects.bulk_create(
        BotLog(
            match=match,
            participant=participants[entry.participant],
            sitting=entry.sitting,
            stderr=_clean(entry.stderr),
            exit=entry.exit,
        )
        for entry in played.logs
    )
    for index, participant in participants.items():
        participant.deals = len(played.deals)
        participant.duraks = sum(index in deal.duraks for deal in played.deals)
        participant.draws = sum(not deal.duraks for deal in played.deals)
        participant.faults = sum(fault.participant == index for fault in played.faults)
        participant.excluded = index in played.excluded
    Participant.objects.bulk_update(participants.values(), ["deals", "duraks", "draws", "faults", "excluded"])


def _clean(text: str) -> str:
    """PostgreSQL keeps no NUL characters; a bot may well write them."""
    return text.replace("\0", "\N{SYMBOL FOR NULL}")
