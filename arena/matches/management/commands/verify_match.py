"""``manage.py verify_match ID [ID ...]``: re-deal and re-referee finished matches from seed and records."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from arena.errors import ArenaError
from arena.matches.selectors import match_get
from arena.matches.verify import match_verify


class Command(BaseCommand):
    """Ends with status 1 if any match is not what its seed and rules make it."""

    help = "Prove finished matches from their published seeds and records."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Match numbers."""
        parser.add_argument("matches", nargs="+", type=int, metavar="ID")

    def handle(self, *_args: Any, matches: list[int], **_options: Any) -> None:
        """Verify each and print what was found."""
        bad = 0
        for match_id in matches:
            try:
                found = match_verify(match_get(match_id))
            except ArenaError as error:
                raise CommandError(error.message) from None
            self.stdout.write(f"match {match_id}: {found.deals} deals {'verified' if found.ok else 'DO NOT VERIFY'}")
            for problem in found.problems:
                self.stdout.write(f"  {problem}")
            bad += not found.ok
        if bad:
            raise CommandError(f"{bad} of {len(matches)} matches do not verify.")
