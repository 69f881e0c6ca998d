"""Making matches and calling them off. How they are played and ended is in ``queue``."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict

from django.conf import settings
from django.db import transaction

from arena.accounts.models import User
from arena.accounts.quotas import quota_of
from arena.bots.models import Bot, BotVersion
from arena.bots.rulesets import preset_rules, require_seats
from arena.bots.selectors import bot_current_version, bot_stop
from arena.errors import Conflict, Invalid, NotAllowed, QuotaExceeded
from arena.matches.models import Match, Participant
from arena.matches.queue import PRIORITY, attempts_end
from arena.matches.selectors import challenges_open, match_list, match_may_cancel
from bots_sdk.referee.plan import TimeControl

SEED_BYTES = 32
MAX_SETS = 50
SETS_PER_ORDER = 6


def match_create(
    *,
    kind: str,
    versions: Sequence[BotVersion],
    preset: str,
    sets: int = 1,
    time_control: dict[str, int] | None = None,
    created_by: User | None = None,
    priority: int | None = None,
) -> Match:
    """Queue a match between these versions, in this order of participants; its row is the queue.

    The seed is drawn here and kept secret; its SHA-256 is public at once. ``time_control`` overrides single terms of
    the default clock (ms). The wake-up is sent after the commit; a lost one is healed by the sweep.

    Raises:
        Invalid: unknown preset, a seat count that the preset does not play, or a bad number of sets or clock.

    """
    rules = preset_rules(preset)
    require_seats(rules, len(versions))
    if not 1 <= sets <= MAX_SETS:
        raise Invalid(f"A match has 1 to {MAX_SETS} duplicate sets, not {sets}.", field="sets")
    try:
        clock = TimeControl(**(time_control or {}))
    except (TypeError, ValueError) as error:
        raise Invalid(f"The time control is not acceptable: {error}.", field="time_control") from None
    seed = secrets.token_bytes(SEED_BYTES)
    with transaction.atomic():
        match = Match.objects.create(
            kind=kind,
            preset=preset,
            rules=rules.to_dict(),
            seats=len(versions),
            sets=sets,
            orders=max(1, sets // SETS_PER_ORDER),
            time_control=asdict(clock),
            seed=seed,
            commitment=hashlib.sha256(seed).hexdigest(),
            priority=PRIORITY[Match.Kind(kind)] if priority is None else priority,
            created_by=created_by,
        )
        Participant.objects.bulk_create(
            Participant(match=match, index=index, version=version) for index, version in enumerate(versions)
        )
        transaction.on_commit(lambda: _wake(match.pk))
    return match


def challenge_create(*, by: User, own: Bot, opponents: Sequence[Bot], preset: str, sets: int = 1) -> Match:
    """Queue an unrated match of one's own bot against others, in their newest ready versions.

    Raises:
        NotAllowed: the first bot is not the caller's.
        Invalid: no opponents, an unknown preset, or a bot that does not play it at this table.
        Conflict: a bot has no version that is ready, is retired or suspended, or its owner's account is closed.
        QuotaExceeded: too many challenges of this person's are open, or too many deals of them.

    """
    if own.owner_id != by.pk:
        raise NotAllowed(f"“{own}” belongs to somebody else; challenge with a bot of your own.")
    if not opponents:
        raise Invalid("Name at least one opponent.", field="opponents")
    preset_rules(preset)
    versions = [_version_for(bot, preset, 1 + len(opponents)) for bot in (own, *opponents)]
    with quota_of(by):
        if not by.is_house:
            _require_quota(by, sets * len(versions))
        return match_create(kind=Match.Kind.CHALLENGE, versions=versions, preset=preset, sets=sets, created_by=by)


def match_cancel(*, match: Match, by: User, reason: str) -> Match:
    """Call off a match that has not ended. Its creator may call off a challenge, the staff any match.

    An attempt that is being played loses its lease: its result will change nothing.
    """
    reason = reason.strip()
    if not reason:
        raise Invalid("Say why the match is called off.", field="reason")
    with transaction.atomic():
        match = Match.objects.select_for_update().get(pk=match.pk)
        match_cancel_verify(match=match, by=by)
        attempts_end(match, state=Match.State.CANCELLED, reason=f"{by.username}: {reason}")
    return match


def match_cancel_verify(*, match: Match, by: User) -> None:
    """Raise ``NotAllowed`` or ``Conflict``, with the reason, unless this person may call the match off now."""
    if not match_may_cancel(match, by):
        raise NotAllowed("Only the staff, or who made a challenge, may call a match off.")
    if match.state not in Match.LIVE:
        raise Conflict(f"Match {match.pk} is {match.state} already.")


def bot_matches_cancel(bot: Bot, by: User) -> None:
    """Call off every match of a bot that was suspended, as far as it has not ended."""
    for match in match_list(bot=bot).filter(state__in=Match.LIVE):
        with suppress(Conflict):  # it has just ended
            match_cancel(match=match, by=by, reason=f"{bot} is suspended.")


def _require_quota(by: User, deals: int) -> None:
    matches, waiting = challenges_open(by)
    if matches >= settings.CHALLENGES_OPEN:
        raise QuotaExceeded(
            f"{settings.CHALLENGES_OPEN} of your challenges are open, the most one may have. Wait for one."
        )
    if waiting + deals > settings.CHALLENGE_DEALS_OPEN:
        raise QuotaExceeded(
            f"This match has {deals} deals, and your open challenges have {waiting}; together one may have "
            f"{settings.CHALLENGE_DEALS_OPEN}. Ask for fewer sets, or wait for a challenge to end.",
            field="sets",
        )


def _version_for(bot: Bot, preset: str, seats: int) -> BotVersion:
    if why := bot_stop(bot):
        raise Conflict(f"“{bot}” {why}.", field="opponents")
    version = bot_current_version(bot)
    if version is None:
        raise Conflict(f"“{bot}” has no version that is ready to play.", field="opponents")
    if preset not in version.presets or seats not in version.seats:
        raise Invalid(
            f"{version} does not play {preset} with {seats} seats; its manifest names "
            f"{', '.join(version.presets)} with {', '.join(map(str, version.seats))} seats.",
            field="opponents",
        )
    return version


def _wake(match_id: int) -> None:
    from arena.matches.tasks import match_wake

    match_wake(match_id)
