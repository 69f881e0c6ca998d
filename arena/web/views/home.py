"""The front page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.shortcuts import render

from arena.ladders.selectors import ladders_busiest, standings_of
from arena.matches.models import Match
from arena.matches.selectors import match_list

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

LADDERS, TOP_BOTS, MATCHES = 4, 5, 8


def home(request: HttpRequest) -> HttpResponse:
    """What the arena is, who leads its busiest ladders, what was just played and how to start."""
    shown = list(ladders_busiest()[:LADDERS])
    lines = standings_of(shown)
    ladders = [(ladder, lines[ladder.pk][:TOP_BOTS]) for ladder in shown]
    matches = match_list().exclude(kind=Match.Kind.VALIDATION).order_by("-pk")[:MATCHES]
    return render(request, "web/home.html", {"ladders": ladders, "matches": matches})
