"""The house's bots: the reference bots, uploaded as a person would upload theirs, and the anchor among them."""

from __future__ import annotations

from importlib.resources import as_file, files
from typing import TYPE_CHECKING

from django.db import transaction

from arena.accounts.services import house_get
from arena.bots.models import Bot
from arena.bots.services import bot_anchor, bot_create, version_upload
from arena.errors import Conflict
from sandbox.bundles import Bundle

if TYPE_CHECKING:
    from pathlib import Path

    from arena.accounts.models import User
    from arena.bots.models import BotVersion

ANCHOR = "lowest"


def house_bots_upload() -> list[tuple[BotVersion, bool]]:
    """Give the house the reference bots, in their present versions; returns each with whether it is new.

    Where no bot is an anchor yet, ``lowest`` becomes it. What is there already is left alone.

    Raises:
        Conflict: no live worker can build them (code ``no_sandbox`` or ``no_language``), or a name is somebody else's.

    """
    house = house_get()
    with as_file(files("bots_sdk") / "reference") as reference, transaction.atomic():
        folders = sorted(folder for folder in reference.iterdir() if (folder / "durak.toml").exists())
        return [_upload(house, folder) for folder in folders]


def _upload(house: User, folder: Path) -> tuple[BotVersion, bool]:
    bot = Bot.objects.select_related("owner").filter(slug=folder.name).first()
    if bot is None:
        bot = bot_create(owner=house, slug=folder.name, description=f"Reference bot: {folder.name}")
    if bot.owner_id != house.pk:
        raise Conflict(f"A bot of {bot.owner.username}'s is named “{bot}”, as a reference bot is. The house needs it.")
    if bot.slug == ANCHOR and not Bot.objects.filter(is_anchor=True).exists():
        bot_anchor(bot=bot, by=house, is_anchor=True)
    return version_upload(bot=bot, by=house, data=Bundle.from_folder(folder).to_zip())
