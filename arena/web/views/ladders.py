"""Ladders: live standings, and the official table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.core.paginator import Paginator
from django.shortcuts import render

from arena.ladders.official import official_table
from arena.ladders.selectors import bots_counted, ladder_get, ladder_list, ladder_status, leaders, standings
from arena.matches.selectors import match_list
from arena.web.selectors import changes_lately

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

MATCHES = 10
LINES = 100
"""Rows of a table on one page."""


def ladders(request: HttpRequest) -> HttpResponse:
    """The ladders with their leaders, the open ones first."""
    page = Paginator(bots_counted(ladder_list()).order_by("-is_open", "pk"), LINES).get_page(request.GET.get("page"))
    first = leaders(page.object_list)
    return render(
        request,
        "web/ladders.html",
        {"page": page, "ladders": [(ladder, first.get(ladder.pk)) for ladder in page.object_list]},
    )


def ladder(request: HttpRequest, slug: str) -> HttpResponse:
    """The live standings, which renew themselves where JavaScript runs."""
    found = ladder_get(slug)
    lines = standings(found)
    page = Paginator(lines, LINES).get_page(request.GET.get("page"))
    changes = changes_lately(found)
    context = {
        "ladder": found,
        "page": page,
        "rows": [(line, changes.get(line.version.pk, 0.0)) for line in page.object_list],
        "status": ladder_status(found, lines),
        "matches": match_list(ladder=found).order_by("-pk")[:MATCHES],
        "fair": 1 / found.seats,
    }
    return render(request, "web/ladder.html", context)


def official(request: HttpRequest, slug: str) -> HttpResponse:
    """The maximum-likelihood table, which does not depend on the order of the matches."""
    found = ladder_get(slug)
    page = Paginator(official_table(found), LINES).get_page(request.GET.get("page"))
    return render(request, "web/official.html", {"ladder": found, "page": page, "table": page.object_list})
