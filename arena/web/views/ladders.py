"""Ladders: live standings, and the official table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.shortcuts import render

from arena.ladders.official import official_table
from arena.ladders.selectors import ladder_get, ladder_list, ladder_status, standings
from arena.matches.selectors import match_list
from arena.web.selectors import Movement, movements

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from arena.ladders.models import Ladder
    from arena.ladders.selectors import Standing

MATCHES = 10


def ladders(request: HttpRequest) -> HttpResponse:
    """Every ladder with its leader."""
    rows = [(ladder, list(standings(ladder))) for ladder in ladder_list()]
    return render(request, "web/ladders.html", {"ladders": rows})


def ladder(request: HttpRequest, slug: str) -> HttpResponse:
    """The live standings, which renew themselves where JavaScript runs."""
    found = ladder_get(slug)
    context = {
        "ladder": found,
        "rows": _moving(found),
        "status": ladder_status(found),
        "matches": match_list(ladder=found).order_by("-pk")[:MATCHES],
        "fair": 1 / found.seats,
    }
    return render(request, "web/ladder.html", context)


def _moving(ladder: Ladder) -> list[tuple[Standing, Movement]]:
    """The standings, each with what it did lately."""
    moved = movements(ladder)
    return [(row, moved.get(row.version.pk, Movement(0.0, None))) for row in standings(ladder)]


def official(request: HttpRequest, slug: str) -> HttpResponse:
    """The maximum-likelihood table, which does not depend on the order of the matches."""
    found = ladder_get(slug)
    return render(request, "web/official.html", {"ladder": found, "table": official_table(found)})
