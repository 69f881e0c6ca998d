"""``manage.py official_table``: a ladder's maximum-likelihood ratings with their intervals."""

from __future__ import annotations

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from arena.errors import NotFound
from arena.ladders.official import official_table
from arena.ladders.selectors import ladder_get


class Command(BaseCommand):
    help = "Print the official table of a ladder: one fit over all its deals, with 95 % intervals."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug")
        parser.add_argument("--json", action="store_true", dest="as_json")

    def handle(self, *, slug: str, as_json: bool, **_options: Any) -> None:
        try:
            table = official_table(ladder_get(slug), fresh=True)
        except NotFound as error:
            raise CommandError(error.message) from error
        if as_json:
            lines = [
                {
                    "rank": line.rank,
                    "bot": line.version.bot.slug,
                    "version": line.version.number,
                    "rating": line.rating,
                    "error": line.error,
                    "low": line.interval[0],
                    "high": line.interval[1],
                    "deals": line.deals,
                    "anchor": line.is_anchor,
                }
                for line in table
            ]
            self.stdout.write(json.dumps(lines, indent=2))
            return
        self.stdout.write(f"{'rank':>4}  {'bot':<44} {'rating':>7}  {'95 % interval':<17} {'deals':>7}")
        for line in table:
            low, high = line.interval
            span = "anchor" if line.is_anchor else f"{low:.0f} to {high:.0f}"
            self.stdout.write(f"{line.rank:>4}  {line.version!s:<44} {line.rating:>7.1f}  {span:<17} {line.deals:>7}")
