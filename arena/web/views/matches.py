"""Matches: the list, one match, and challenges."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.shortcuts import redirect, render

from arena.bots.selectors import bot_get, bot_list
from arena.errors import ArenaError, NotFound
from arena.ladders.selectors import ladder_get
from arena.matches import selectors, services
from arena.web.forms import CancelForm, ChallengeForm, MatchFilterForm, refuse
from arena.web.pages import page_of

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from arena.ladders.models import Ladder
    from arena.matches.models import Deal, Match


def matches(request: HttpRequest) -> HttpResponse:
    """All matches, newest first, filtered by the query string."""
    form = MatchFilterForm(request.GET)
    form.is_valid()
    wanted: dict[str, Any] = {name: value for name, value in form.cleaned_data.items() if value}
    problems = []
    for name, get in (("bot", bot_get), ("ladder", ladder_get)):
        if slug := wanted.pop(name, ""):
            try:
                wanted[name] = get(slug.strip().lower())
            except NotFound as error:
                problems.append(f"{error.message} So this shows the matches without that filter.")
    page = page_of(selectors.match_list(**wanted), request.GET)
    return render(request, "web/matches.html", {"form": form, "page": page, "problems": problems})


def match(request: HttpRequest, match_id: int) -> HttpResponse:
    """Everything about one match; stderr and the offending lines only for the bot's owner and the staff."""
    found = selectors.match_get(match_id)
    # By the state just read: a match that ends between two queries must not look half ended.
    deals = list(selectors.deal_list(found)) if found.state == "finished" else []
    context = {
        "match": found,
        "ladder": _ladder(found),
        "participants": _participants(found),
        "attempts": found.attempts.all(),
        "sets": _by_set(found, deals),
        "rotations": range(1, found.seats + 1),
        "deals": len(deals),
        "faults": selectors.faults_for(found, request.user),
        "logs": selectors.logs_for(found, request.user),
        "logs_dropped_at": selectors.logs_dropped_for(found, request.user),
        "logs_kept_days": settings.LOGS_KEPT_DAYS,
        "progress": selectors.match_progress(found),
        "live": found.state in found.LIVE,
        "may_cancel": found.state in found.LIVE and selectors.match_may_cancel(found, request.user),
    }
    return render(request, "web/match.html", context)


def _ladder(match: Match) -> Ladder | None:
    return match.ladder_match.ladder if hasattr(match, "ladder_match") else None


def _participants(match: Match) -> list[dict[str, Any]]:
    """The participants with their durak rates, the best first once the match has its result."""
    rows = [
        {
            "participant": p,
            "safe": None if p.deals is None else p.deals - p.duraks - p.draws,
            "rate": p.duraks / p.deals if p.deals else None,
        }
        for p in match.participants.all()
    ]
    if match.state == "finished":
        rows.sort(key=lambda row: (row["rate"] or 0, row["participant"].index))
    return rows


def _by_set(match: Match, deals: list[Deal]) -> list[tuple[int, list[dict[str, Any]]]]:
    """Deals by duplicate set, each with the names of its duraks, in the order of the rotations."""
    names = {p.index: p.version.bot.slug for p in match.participants.all()}
    sets: dict[int, list[dict[str, Any]]] = defaultdict(list)
    for deal in sorted(deals, key=lambda d: (d.set_index, d.sitting)):
        sets[deal.set_index].append({"deal": deal, "duraks": [names[i] for i in deal.duraks]})
    return sorted(sets.items())


@login_required
def challenge(request: HttpRequest) -> HttpResponse:
    """Ask for an unrated match."""
    initial = {"preset": request.GET.get("preset", "podkidnoy"), "opponents": request.GET.get("opponents", "")}
    form = ChallengeForm(request.POST or None, user=request.user, initial={**initial, "sets": 1})
    if request.method == "POST" and form.is_valid():
        try:
            asked = form.cleaned_data
            made = services.challenge_create(
                by=request.user,
                own=bot_get(asked["own"]),
                opponents=[bot_get(slug) for slug in asked["opponents"]],
                preset=asked["preset"],
                sets=asked["sets"],
            )
        except NotFound as error:
            form.add_error("opponents", error.message)
        except ArenaError as error:
            refuse(form, error)
        else:
            messages.success(request, "The match is queued. This page follows it.")
            return redirect("web:match", made.pk)
    status = 400 if form.is_bound and form.errors else 200
    return render(request, "web/challenge.html", {"form": form, "names": bot_list()[:50]}, status=status)


@login_required
def cancel(request: HttpRequest, match_id: int) -> HttpResponse:
    """Call a match off, and say why: a page of its own, since that of the match renews itself."""
    found = selectors.match_get(match_id)
    services.match_cancel_verify(match=found, by=request.user)
    form = CancelForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        services.match_cancel(match=found, by=request.user, reason=form.cleaned_data["reason"])
        messages.success(request, "The match is cancelled.")
        return redirect("web:match", match_id)
    status = 400 if form.is_bound and form.errors else 200
    return render(request, "web/match_cancel.html", {"form": form, "match": found}, status=status)
