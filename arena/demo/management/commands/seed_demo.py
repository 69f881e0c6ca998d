"""Two ladders, an organiser, and the house's bots."""

from __future__ import annotations

import os
from typing import Any

from django.core.management.base import BaseCommand

from arena.accounts.models import User
from arena.bots.house import house_bots_upload
from arena.ladders.models import Ladder
from arena.ladders.services import ladder_create

LADDERS = (
    {"slug": "podkidnoy-2", "name": "Podkidnoy, two seats", "preset": "podkidnoy", "seats": 2, "sets": 6},
    {"slug": "podkidnoy-4", "name": "Podkidnoy, four seats", "preset": "podkidnoy", "seats": 4, "sets": 3},
)


class Command(BaseCommand):
    help = "Opens the demo's ladders and uploads the reference bots; what is there already is left alone."

    def handle(self, *_: Any, **__: Any) -> None:
        if password := os.environ.get("ARENA_ADMIN_PASSWORD"):
            admin, _ = User.objects.get_or_create(username="admin", defaults={"is_staff": True, "is_superuser": True})
            if not admin.check_password(password):
                admin.set_password(password)
                admin.save(update_fields=["password"])
        for ladder in LADDERS:
            if not Ladder.objects.filter(slug=ladder["slug"]).exists():
                ladder_create(**ladder)
        house_bots_upload()
