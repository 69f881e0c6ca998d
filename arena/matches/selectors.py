"""Reads on matches. Before a match is finished nothing here gives out its seed, its deals or its records."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db.models import Count, F, Prefetch, QuerySet, Sum

from arena.bots.selectors import private_may_read
from arena.errors import NotFound
from arena.matches.models import Attempt, BotLog, Deal, Fault, Match, Participant

if TYPE_CHECKING:
    from datetime import datetime

    from django.contrib.auth.models import AnonymousUser

    from arena.accounts.models import User
    from arena.bots.models import Bot

PARTICIPANTS = Prefetch(
    "participants",
    Participant.objects.select_related("version__bot__owner").defer("version__build_log", "version__manifest"),
)


def match_list(
    *,
    bot: Bot | None = None,
    ladder: Any = None,
    kind: str | None = None,
    state: str | None = None,
    preset: str | None = None,
) -> QuerySet[Match]:
    """Matches with participants, versions, bots and owners, the newest first; two queries whatever their number."""
    matches = Match.objects.defer("seed", "rules").select_related("ladder_match__ladder").prefetch_related(PARTICIPANTS)
    if bot is not None:
        matches = matches.filter(pk__in=Participant.objects.filter(version__bot=bot).values("match"))
    if ladder is not None:
        matches = matches.filter(ladder_match__ladder=ladder)
    for field, value in (("kind", kind), ("state", state), ("preset", preset)):
        if value:
            matches = matches.filter(**{field: value})
    return matches


def match_get(match_id: int) -> Match:
    """The match with what ``match_list`` gives and its attempts, or ``NotFound``."""
    try:
        return (
            Match.objects.select_related("ladder_match__ladder", "created_by")
            .prefetch_related(PARTICIPANTS, "attempts")
            .get(pk=match_id)
        )
    except Match.DoesNotExist:
        raise NotFound(f"There is no match {match_id}.") from None


def match_progress(match: Match) -> tuple[int, int]:
    """How many deals have been played, of how many."""
    if match.state == Match.State.FINISHED:
        return match.deals_total, match.deals_total
    running = match.attempts.filter(outcome=Attempt.Outcome.RUNNING).values_list("deals_done", flat=True).first()
    return running or 0, match.deals_total


def deal_list(match: Match) -> QuerySet[Deal]:
    """The deals of a finished match without their records; none before."""
    return match.deals.filter(match__state=Match.State.FINISHED).defer("record", "timings")


def deal_get(match: Match, index: int) -> Deal:
    """One deal of a finished match with its record, or ``NotFound``."""
    if match.state != Match.State.FINISHED:
        raise NotFound(f"The deals of match {match.pk} are shown when it is finished; it is {match.state}.")
    try:
        return match.deals.get(index=index)
    except Deal.DoesNotExist:
        raise NotFound(
            f"Match {match.pk} has no deal {index}; they are numbered 0 to {match.deals_total - 1}."
        ) from None


def faults_for(match: Match, user: User | None) -> list[Fault]:
    """The faults in the order they happened. Line and view are blanked but for the bot's owner and the staff."""
    faults = list(
        match.fault_set.select_related("participant__version__bot__owner").defer("participant__version__build_log"),
    )
    for fault in faults:
        if not private_may_read(fault.participant.version.bot, user):
            fault.line, fault.view = "", None
    return faults


def logs_for(match: Match, user: User | None) -> QuerySet[BotLog]:
    """The stderr and exits of this person's own bots; all of them for the staff; none for others."""
    readable = [each.pk for each in match.participants.all() if private_may_read(each.version.bot, user)]
    return (
        match.logs.filter(participant__in=readable)
        .select_related("participant__version__bot")
        .defer("participant__version__build_log")
    )


def logs_dropped_for(match: Match, user: User | None) -> datetime | None:
    """When what ``logs_for`` gave this person of the match was dropped; None if it was not, or was never theirs."""
    mine = any(private_may_read(each.version.bot, user) for each in match.participants.all())
    return match.logs_dropped_at if mine else None


def validation_match(version_id: int) -> Match | None:
    """The newest validation match of a version."""
    return (
        match_list(kind=Match.Kind.VALIDATION)
        .filter(pk__in=Participant.objects.filter(version=version_id).values("match"))
        .first()
    )


def challenges_open(user: User) -> tuple[int, int]:
    """How many of this person's challenges are waiting or being played, and how many deals they have together."""
    found = Match.objects.filter(state__in=Match.LIVE, kind=Match.Kind.CHALLENGE, created_by=user).aggregate(
        matches=Count("pk"), deals=Sum(F("sets") * F("seats"), default=0)
    )
    return found["matches"], found["deals"]


def match_may_cancel(match: Match, user: User | AnonymousUser) -> bool:
    """Whether this person may call the match off as long as it has not ended: a challenge's maker, and the staff."""
    return user.is_authenticated and (
        user.is_staff or (match.kind == Match.Kind.CHALLENGE and match.created_by_id == user.pk)
    )
