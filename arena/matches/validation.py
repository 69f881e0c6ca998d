"""The validation match: a new version plays itself, and must get through without a fault."""

from __future__ import annotations

from arena.bots.models import BotVersion
from arena.bots.services import version_validated
from arena.matches.models import Match
from arena.matches.services import match_create
from bots_sdk.referee.plan import smallest_table


def validation_create(version: BotVersion) -> None:
    """Queue the version against itself at the smallest table that its manifest names."""
    preset, seats = smallest_table(version.presets, version.seats)
    match_create(kind=Match.Kind.VALIDATION, versions=[version] * seats, preset=preset, sets=1)


def validation_finished(match: Match) -> None:
    """Without a fault the version is ready; else it has failed, with its first fault as the reason."""
    first = match.fault_set.first()
    version_id = _version_id(match)
    if first is None:
        version_validated(version_id=version_id)
        return
    where = "before the first deal" if first.deal_index is None else f"in deal {first.deal_index}"
    reason = f"Validation match {match.pk}, {where}: {first.reason}"
    if first.line:
        reason += f"\nThe last that it wrote: {first.line}"
    version_validated(version_id=version_id, failure=BotVersion.Failure.VALIDATION, reason=reason)


def validation_abandoned(match: Match) -> None:
    """A match that never was played says nothing about the bot: the hosts have failed it."""
    reason = f"Validation match {match.pk} was not played: {match.reason}"
    version_validated(version_id=_version_id(match), failure=BotVersion.Failure.HOST, reason=reason)


def _version_id(match: Match) -> int:
    return match.participants.values_list("version_id", flat=True)[0]
