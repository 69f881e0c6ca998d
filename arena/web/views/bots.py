"""Bots, their versions and their uploads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from arena.bots import selectors, services
from arena.bots.models import BotVersion
from arena.errors import ArenaError, NotAllowed
from arena.ladders.selectors import bot_pauses, bot_ratings, rating_histories
from arena.matches.selectors import match_list, validation_match
from arena.web.charts import history_chart
from arena.web.forms import BotEditForm, BotForm, UploadForm, refuse
from arena.web.pages import page_of
from arena.web.selectors import MEETINGS_MATCHES, head_to_head

if TYPE_CHECKING:
    from datetime import datetime

    from django.http import HttpRequest

    from arena.bots.models import Bot
    from arena.ladders.models import Rating

MATCHES = 10
HISTORY = 300
PENDING = {"uploaded", "building", "validating"}


def bots(request: HttpRequest) -> HttpResponse:
    """All bots, newest first, with a search by name."""
    search = request.GET.get("q", "").strip()[:60]
    page = page_of(selectors.bot_list(search=search), request.GET)
    return render(request, "web/bots.html", {"page": page, "search": search})


def bot(request: HttpRequest, slug: str) -> HttpResponse:
    """One bot: where it stands, how it got there, whom it met."""
    found = selectors.bot_get(slug)
    context = {
        "bot": found,
        "mine": request.user == found.owner,
        "stop": selectors.bot_stop(found),
        "readable": selectors.private_may_read(found, request.user),
        "versions": selectors.version_list(found)[:20],
        "current": selectors.bot_current_version(found),
        "ratings": _ratings(found),
        "pauses": bot_pauses(found),
        "matches": match_list(bot=found).order_by("-pk")[:MATCHES],
        "opponents": head_to_head(found),
        "meetings_matches": MEETINGS_MATCHES,
    }
    return render(request, "web/bot.html", context)


def _ratings(bot: Bot) -> list[dict[str, Any]]:
    """What the page says of a bot's standings, ladder by ladder."""
    rows = list(bot_ratings(bot))
    histories = rating_histories(bot, [row.ladder for row in rows], HISTORY)
    return [_rating(row, histories.get(row.ladder_id, [])) for row in rows]


def _rating(row: Rating, history: list[tuple[datetime, float]]) -> dict[str, Any]:
    return {
        "ladder": row.ladder,
        "value": row.value,
        "rd": row.standing.rd,
        "provisional": row.standing.provisional,
        "deals": row.deals,
        "matches": row.matches,
        "rate": row.duraks / row.deals if row.deals else None,
        "fair": 1 / row.ladder.seats,
        "chart": history_chart(history),
    }


def version(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """One version: its state, and for its owner and the staff the reason for it, the build's log and the files."""
    found_bot = selectors.bot_get(slug)
    found = selectors.version_get(found_bot, number)
    mine = request.user == found_bot.owner
    context = {
        "bot": found_bot,
        "version": found,
        "mine": mine,
        "stop": selectors.bot_stop(found_bot),
        "pending": found.state in PENDING,
        "readable": selectors.private_may_read(found_bot, request.user),
        "may_retry": found.failure == BotVersion.Failure.HOST and (mine or request.user.is_staff),
        "stages": _stages(found),
        "validation": validation_match(found.pk),
    }
    return render(request, "web/version.html", context)


@login_required
def archive(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """The files of a version as a zip, for its owner and the staff."""
    found = selectors.version_get(selectors.bot_get(slug), number)
    return HttpResponse(
        selectors.version_archive(found, request.user),
        content_type="application/zip",
        headers={
            "Content-Disposition": f'attachment; filename="{found.archive_name}"',
            "Cache-Control": "private, no-store",
        },
    )


@login_required
@require_POST
def version_retry(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Build and validate again what failed by the arena's own hosts."""
    found = selectors.version_get(selectors.bot_get(slug), number)
    services.version_retry(version=found, by=request.user)
    messages.success(request, "It is tried again.")
    return redirect("web:version", slug, number)


def _stages(version: BotVersion) -> list[tuple[str, str]]:
    """The way of an upload as (stage, done | now | failed | ahead)."""
    names = ("Uploaded", "Built", "Validated", "Ready")
    if version.state == "failed":
        failed = {"build": 1, "validation": 2}.get(version.failure, 1)
        return [(name, "done" if i < failed else "failed" if i == failed else "ahead") for i, name in enumerate(names)]
    reached = {"uploaded": 1, "building": 1, "validating": 2, "ready": 4}[version.state]
    return [(name, "done" if i < reached else "now" if i == reached else "ahead") for i, name in enumerate(names)]


@login_required
def bot_new(request: HttpRequest) -> HttpResponse:
    """Make a bot, with its first version if an archive comes along."""
    form = BotForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        try:
            made = services.bot_create(
                owner=request.user,
                slug=form.cleaned_data["slug"],
                description=form.cleaned_data["description"],
            )
        except ArenaError as error:
            refuse(form, error)
        else:
            if not form.cleaned_data["archive"]:
                messages.success(request, f"{made.slug} exists. Upload its first version here.")
                return redirect("web:upload", made.slug)
            try:
                uploaded, _ = services.version_upload(
                    bot=made, by=request.user, data=form.cleaned_data["archive"].read()
                )
            except ArenaError as error:
                messages.error(request, f"{made.slug} exists, but its archive was refused: {error.message}")
                return redirect("web:upload", made.slug)
            messages.success(request, f"{uploaded} is uploaded. It is built and plays a validation match now.")
            return redirect("web:version", made.slug, uploaded.number)
    return render(request, "web/bot_new.html", {"form": form}, status=_status(form))


@login_required
def upload(request: HttpRequest, slug: str) -> HttpResponse:
    """A new version of one's own bot."""
    found = selectors.bot_get(slug)
    if found.owner != request.user:
        raise NotAllowed(f"{slug} is not yours: only its owner uploads versions.")
    form = UploadForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        try:
            made, created = services.version_upload(
                bot=found, by=request.user, data=form.cleaned_data["archive"].read()
            )
        except ArenaError as error:
            refuse(form, error)
        else:
            if created:
                messages.success(request, f"{made} is uploaded. It is built and plays a validation match now.")
            else:
                messages.info(request, f"This is the same content as {made}, so nothing new was made.")
            return redirect("web:version", slug, made.number)
    return render(request, "web/upload.html", {"form": form, "bot": found}, status=_status(form))


@login_required
def bot_edit(request: HttpRequest, slug: str) -> HttpResponse:
    """Describe one's bot anew, or take it off the ladders."""
    found = selectors.bot_get(slug)
    if found.owner != request.user:
        raise NotAllowed(f"{slug} is not yours: only its owner changes it.")
    form = BotEditForm(
        request.POST or None,
        initial={"description": found.description, "is_retired": found.is_retired},
    )
    if request.method == "POST" and form.is_valid():
        try:
            services.bot_update(bot=found, by=request.user, **form.cleaned_data)
        except ArenaError as error:
            refuse(form, error)
        else:
            messages.success(request, "Saved.")
            return redirect("web:bot", slug)
    return render(request, "web/bot_edit.html", {"form": form, "bot": found}, status=_status(form))


def _status(form: BotForm | UploadForm | BotEditForm) -> int:
    return 400 if form.is_bound and form.errors else 200
