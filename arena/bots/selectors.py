"""Reads on bots and their versions. Only ``version_archive`` reads a version's files."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING

from arena.accounts.models import User
from arena.bots.models import Bot, BotVersion, VersionFiles
from arena.errors import NotAllowed, NotFound

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser
    from django.db.models import QuerySet

STOPS = (
    ("is_suspended", True, "is suspended by the arena's staff"),
    ("is_retired", True, "is retired; its owner can bring it back"),
    ("owner__is_active", False, "belongs to an account that is closed"),
)
"""What keeps a bot from getting matches: a field, its value, and what is said of the bot then."""


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


def bots_playing() -> QuerySet[Bot]:
    """The bots that may get matches: nothing of ``STOPS`` is true of them."""
    return Bot.objects.filter(**{field: not value for field, value, _ in STOPS})


def bot_stop(bot: Bot) -> str:
    """Why the bot may get no matches and no uploads, as the end of a sentence about it; empty if it may."""
    return next((words for field, value, words in STOPS if attrgetter(field.replace("__", "."))(bot) == value), "")


def private_may_read(bot: Bot, user: User | AnonymousUser | None) -> bool:
    """Whether this person may read what is private to the bot's owner and the arena's staff.

    That is its archives, build logs and stderr, why a version failed, why it is suspended, and of its faults the line
    that it sent and what it saw.
    """
    return user is not None and user.is_authenticated and (user.is_staff or user.pk == bot.owner_id)


def version_list(bot: Bot) -> QuerySet[BotVersion]:
    """The bot's versions without their build logs, the newest first."""
    return bot.versions.select_related("bot__owner").defer("build_log")


def version_get(bot: Bot, number: int) -> BotVersion:
    """The bot's version of that number, or ``NotFound``."""
    try:
        return bot.versions.select_related("bot__owner").get(number=number)
    except BotVersion.DoesNotExist:
        raise NotFound(f"“{bot}” has no version {number}.") from None


def version_archive(version: BotVersion, user: User) -> bytes:
    """The version's files as they are kept: the canonical zip of what was uploaded.

    Raises:
        NotAllowed: the version is somebody else's, and this is nobody of the staff.

    """
    if not private_may_read(version.bot, user):
        raise NotAllowed(f"The files of {version} are for its owner and the arena's staff only.")
    return bytes(VersionFiles.objects.values_list("archive", flat=True).get(version=version))


def bot_current_version(bot: Bot) -> BotVersion | None:
    """The newest version that is ready to play."""
    return version_list(bot).filter(state=BotVersion.State.READY).order_by("-number").first()


def versions_current() -> QuerySet[BotVersion]:
    """Of each bot that may get matches, the newest version that is ready to play."""
    newest = (
        BotVersion.objects.filter(state=BotVersion.State.READY, bot__in=bots_playing())
        .order_by("bot_id", "-number")
        .distinct("bot_id")
    )
    return BotVersion.objects.filter(pk__in=newest.values("pk")).select_related("bot__owner").defer("build_log")
