"""``manage.py open_ladder``: open a ladder for a rule set and a number of seats."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from arena.errors import ArenaError
from arena.ladders.models import Ladder
from arena.ladders.services import ladder_create


class Command(BaseCommand):
    help = "Open a ladder; bots whose manifest names its rules and seats are entered by themselves."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("preset", help="a rule set: podkidnoy, perevodnoy, pairs, ...")
        parser.add_argument("seats", type=int)
        parser.add_argument("--name", default="", help="what people call it; made from preset and seats by default")
        parser.add_argument("--slug", default="", help="its part of the address")
        parser.add_argument("--sets", type=int, default=6, help="duplicate sets per match; deals = sets x seats")
        parser.add_argument("--move-ms", type=int, help="time for each decision")
        parser.add_argument("--bank-ms", type=int, help="time for all that runs over, per match")
        parser.add_argument("--startup-ms", type=int, help="time until a bot must be ready")
        parser.add_argument("--if-missing", action="store_true", help="succeed if such a ladder is open already")

    def handle(self, *, preset: str, seats: int, if_missing: bool, **options: Any) -> None:
        clock = {name: options[name] for name in ("move_ms", "bank_ms", "startup_ms") if options[name] is not None}
        if if_missing and Ladder.objects.filter(preset=preset, seats=seats, is_open=True).exists():
            self.stdout.write(f"A ladder for {preset} with {seats} seats is open already.")
            return
        try:
            ladder = ladder_create(
                preset=preset,
                seats=seats,
                name=options["name"],
                slug=options["slug"],
                sets=options["sets"],
                time_control=clock,
            )
        except ArenaError as error:
            raise CommandError(error.message) from error
        self.stdout.write(f"Opened “{ladder}” at /ladders/{ladder.slug}/: {ladder.sets * seats} deals a match.")
