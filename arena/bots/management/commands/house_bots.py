"""``manage.py house_bots``: give the house the reference bots, one of them the anchor."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from arena.bots.house import house_bots_upload
from arena.errors import ArenaError


class Command(BaseCommand):
    help = "Upload the reference bots for the house and pin “lowest” as the anchor; needs a running worker."

    def handle(self, **_options: Any) -> None:
        try:
            uploaded = house_bots_upload()
        except ArenaError as error:
            raise CommandError(error.message) from error
        for version, is_new in uploaded:
            kind = "anchor" if version.bot.is_anchor else "bot"
            what = "uploaded; a worker builds and validates it now" if is_new else version.get_state_display()
            self.stdout.write(f"{version}, {kind}: {what}")
