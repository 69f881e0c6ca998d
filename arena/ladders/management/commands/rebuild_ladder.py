"""``manage.py rebuild_ladder``: prove a ladder identical to what its matches say, or put it right."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from arena.errors import NotFound
from arena.ladders.rebuild import ladder_rebuild
from arena.ladders.selectors import ladder_get, ladder_list


class Command(BaseCommand):
    help = "Recompute a ladder from its finished matches; exits with an error if what is stored differs."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug", nargs="*", help="ladders to rebuild; all of them if none is named")
        parser.add_argument("--check", action="store_true", help="only report differences, change nothing")

    def handle(self, *, slug: list[str], check: bool, **_options: Any) -> None:
        try:
            ladders = [ladder_get(name) for name in slug] or list(ladder_list())
        except NotFound as error:
            raise CommandError(error.message) from error
        differing = []
        for ladder in ladders:
            report = ladder_rebuild(ladder, check=check, progress=self._progress)
            self._end_progress(report.matches)
            for line in report.differences:
                self.stderr.write(f"  {line}")
            if report.count > len(report.differences):
                self.stderr.write(f"  and {report.count - len(report.differences)} more")
            if report.identical:
                verdict = "identical"
            else:
                verdict = f"{report.count} differences" + (", put right" if report.written else "")
                differing.append(ladder.slug)
            self.stdout.write(f"{ladder.slug}: {report.matches} matches, {report.events} rating events: {verdict}")
        if differing and check:
            raise CommandError(f"Not what their matches say: {', '.join(differing)}. Without --check it is put right.")

    def _progress(self, done: int, total: int) -> None:
        if self.stderr.isatty() and (done % 100 == 0 or done == total):
            self.stderr.write(f"\r{done} of {total} matches", ending="")
            self.stderr.flush()

    def _end_progress(self, done: int) -> None:
        if self.stderr.isatty() and done:
            self.stderr.write("")
