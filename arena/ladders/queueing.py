"""Reads of the matchmaker: what waits for a worker, who may play next, and whom a bot has met lately."""

from __future__ import annotations

from collections.abc import Collection
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING

from django.db.models import Count, Max, Q

from arena.ladders.entries import ladder_entries
from arena.ladders.matchmaking import Candidate, horizon
from arena.matches.models import Match, Participant
from arena.matches.queue import playable_in

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from arena.ladders.models import Ladder

RECENT_PER_BOT = 10
Hosts = Collection[Collection[str]]
"""The languages of each live host, see ``language_sets``."""


def queue_length(ladder: Ladder, hosts: Hosts) -> int:
    """How many of the ladder's matches wait for a host that there is; others wait, but fill no place."""
    return _waiting(ladder, hosts).count()


def _waiting(ladder: Ladder, hosts: Hosts) -> QuerySet[Match]:
    """The ladder's queued matches that one of these hosts can play."""
    queued = Match.objects.filter(ladder_match__ladder=ladder, state=Match.State.QUEUED)
    return queued.filter(reduce(or_, map(playable_in, hosts))) if hosts else queued.none()


def candidates(ladder: Ladder, hosts: Hosts) -> list[Candidate]:
    """The versions that may play the ladder's next match: current, not paused, in a language that a host runs."""
    entries = [entry for entry in ladder_entries([ladder], hosts)[ladder.pk] if not entry.paused]
    played = _played(ladder, len(entries), hosts)
    found = []
    for entry in entries:
        version, track = entry.version, entry.track
        recent, pending, last_match = played.get(version.bot_id, (0, 0, 0))
        found.append(
            Candidate(
                version=version.pk,
                bot=version.bot_id,
                owner=None if version.bot.owner.is_house else version.bot.owner_id,
                language=version.language,
                value=track.value,
                rd=track.standing.rd,
                deals=track.deals,
                matches=track.matches,
                pending=pending,
                faulty_streak=track.faulty_streak,
                recent=recent,
                last_match=last_match,
            ),
        )
    return found


def _played(ladder: Ladder, bots: int, hosts: Hosts) -> dict[int, tuple[int, int, int]]:
    """By bot: how many of the ladder's last matches are its own, how many of them wait or run, and the newest.

    So many are looked at that a bot which is in none of them has waited longest. What waits for a host that is not
    there does not count as waiting: nobody knows when it will be played.
    """
    last = ladder.ladder_matches.order_by("-match_id").values("match_id")[: RECENT_PER_BOT * bots]
    waiting = _waiting(ladder, hosts).values("pk")
    counted = (
        Participant.objects.filter(match__in=last)
        .values("version__bot")
        .annotate(
            recent=Count("pk"),
            pending=Count("pk", filter=Q(match__state=Match.State.RUNNING) | Q(match__in=waiting)),
            newest=Max("match_id"),
        )
        .values_list("version__bot", "recent", "pending", "newest")
    )
    return {bot: (recent, pending, newest) for bot, recent, pending, newest in counted}


def meetings_age(ladder: Ladder, bot: int, able: int) -> dict[int, int]:
    """How many of its own matches ago the bot met each of the others, within its horizon; 0 is its newest match."""
    recent = list(
        Match.objects.filter(ladder_match__ladder=ladder, participants__version__bot=bot)
        .order_by("-id")
        .values_list("id", flat=True)[: horizon(able)],
    )
    order = {match: index for index, match in enumerate(recent)}
    age: dict[int, int] = {}
    met = Participant.objects.filter(match__in=recent).values_list("match_id", "version__bot")
    for match, other in met:
        age[other] = min(age.get(other, order[match]), order[match])
    return age
