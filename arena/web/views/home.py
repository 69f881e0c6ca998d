"""The front page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.shortcuts import render

from arena.ladders.selectors import ladder_list, standings
from arena.matches.selectors import match_list

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

LADDERS, TOP_BOTS, MATCHES = 4, 5, 8


def home(request: HttpRequest) -> HttpResponse:
    """What the arena is, who leads its ladders, what was just played and how to start."""
    ladders = [(ladder, list(standings(ladder))[:TOP_BOTS]) for ladder in ladder_list()[:LADDERS]]
    matches = match_list().exclude(kind="validation").order_by("-pk")[:MATCHES]
    return render(request, "web/home.html", {"ladders": ladders, "matches": matches})
