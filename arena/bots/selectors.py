"""Reads on bots and their versions. None of them touches a version's files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.accounts.models import User
from arena.bots.models import Bot, BotVersion
from arena.errors import NotFound

if TYPE_CHECKING:
    from django.db.models import QuerySet


def bot_list(*, owner: User | None = None, search: str = "") -> QuerySet[Bot]:
    """Bots with their owners, the newest first."""
    bots = Bot.objects.select_related("owner")
    if owner is not None:
        bots = bots.filter(owner=owner)
    if "\0" in search:  # PostgreSQL takes no such text; no bot is named so
        return bots.none()
    if search:
        bots = bots.filter(slug__icontains=search)
    return bots


def bot_get(slug: str) -> Bot:
    """The bot of that slug with its owner, or ``NotFound``."""
    try:
        return Bot.objects.select_related("owner").get(slug=slug)
    except Bot.DoesNotExist:
        raise NotFound(f"There is no bot named “{slug}”.") from None


def version_list(bot: Bot) -> QuerySet[BotVersion]:
    """The bot's versions without their build logs, the newest first."""
    return bot.versions.select_related("bot__owner").defer("build_log")


def version_get(bot: Bot, number: int) -> BotVersion:
    """The bot's version of that number, or ``NotFound``."""
    try:
        return bot.versions.select_related("bot__owner").get(number=number)
    except BotVersion.DoesNotExist:
        raise NotFound(f"“{bot}” has no version {number}.") from None


def version_log(version: BotVersion, user: User) -> str | None:
    """The build log, for the bot's owner and the staff; None for everybody else."""
    return version.build_log if user.pk == version.bot.owner_id or user.is_staff else None


def bot_current_version(bot: Bot) -> BotVersion | None:
    """The newest version that is ready to play."""
    return version_list(bot).filter(state=BotVersion.State.READY).order_by("-number").first()


def versions_current() -> QuerySet[BotVersion]:
    """Of each bot that is not retired, the newest version that is ready to play."""
    newest = (
        BotVersion.objects.filter(state=BotVersion.State.READY, bot__is_retired=False)
        .order_by("bot_id", "-number")
        .distinct("bot_id")
    )
    return BotVersion.objects.filter(pk__in=newest.values("pk")).select_related("bot__owner").defer("build_log")
