"""Two ladders, an organiser, and the reference bots, uploaded as a person would upload them."""

from __future__ import annotations

import os
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from arena.accounts.models import User
from arena.bots.models import Bot
from arena.bots.services import bot_create, version_upload
from arena.ladders.models import Ladder
from arena.ladders.services import ladder_create
from sandbox.bundles import Bundle

LADDERS = (
    {"slug": "podkidnoy-2", "name": "Podkidnoy, two seats", "preset": "podkidnoy", "seats": 2, "sets": 6},
    {"slug": "podkidnoy-4", "name": "Podkidnoy, four seats", "preset": "podkidnoy", "seats": 4, "sets": 3},
)
ANCHOR = "lowest"


class Command(BaseCommand):
    help = "Opens the demo's ladders and uploads the reference bots; what is there already is left alone."

    def handle(self, *_: Any, **__: Any) -> None:
        if password := os.environ.get("ARENA_ADMIN_PASSWORD"):
            admin, _ = User.objects.get_or_create(username="admin", defaults={"is_staff": True, "is_superuser": True})
            if not admin.check_password(password):
                admin.set_password(password)
                admin.save(update_fields=["password"])
        house, made = User.objects.get_or_create(username="house", defaults={"is_house": True})
        if made:
            house.set_unusable_password()
            house.save(update_fields=["password"])
        for ladder in LADDERS:
            if not Ladder.objects.filter(slug=ladder["slug"]).exists():
                ladder_create(**ladder)
        with as_file(files("bots_sdk") / "reference") as reference:
            for folder in sorted(path for path in reference.iterdir() if (path / "durak.toml").exists()):
                self.upload(house, folder)

    def upload(self, house: User, folder: Path) -> None:
        bot = Bot.objects.filter(slug=folder.name).first()
        if bot is None:
            bot = bot_create(owner=house, slug=folder.name, description=f"Reference bot: {folder.name}")
        if folder.name == ANCHOR and not bot.is_anchor:
            bot.is_anchor = True
            bot.save(update_fields=["is_anchor"])
        version_upload(bot=bot, by=house, data=Bundle.from_folder(folder).to_zip())
