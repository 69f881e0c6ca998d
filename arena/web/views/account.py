"""What belongs to the person signed in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_POST

from arena.accounts.selectors import token_list
from arena.accounts.services import token_create
from arena.accounts.services import token_revoke as revoke
from arena.bots.selectors import bot_list
from arena.errors import ArenaError
from arena.web.forms import ChallengeForm, TokenForm, refuse
from arena.web.selectors import faults_of, matches_of, ratings_of, uploads_of

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

BOTS, UPLOADS, FAULTS, MATCHES = 50, 8, 8, 10


@login_required
def dashboard(request: HttpRequest) -> HttpResponse:
    """One's bots with their newest versions, what they are doing and what they did wrong."""
    bots = list(bot_list(owner=request.user)[:BOTS])
    ratings = ratings_of(bots)
    context = {
        "bots": [(bot, ratings.get(bot.pk, [])) for bot in bots],
        "uploads": uploads_of(request.user)[:UPLOADS],
        "faults": faults_of(request.user)[:FAULTS],
        "matches": matches_of(request.user)[:MATCHES],
        "challenge": ChallengeForm(user=request.user),
    }
    return render(request, "web/dashboard.html", context)


@login_required
@never_cache
@sensitive_variables("text")
def tokens(request: HttpRequest) -> HttpResponse:
    """One's API tokens. A new one's text is on the answer to the form and nowhere else, ever."""
    form = TokenForm(request.POST or None)
    text = ""
    if request.method == "POST" and form.is_valid():
        try:
            _, text = token_create(user=request.user, name=form.cleaned_data["name"], expires_at=form.expires_at())
        except ArenaError as error:
            refuse(form, error)
        else:
            form = TokenForm()
    context = {"form": form, "text": text, "tokens": token_list(request.user), "now": timezone.now()}
    return render(request, "web/tokens.html", context, status=400 if form.is_bound and form.errors else 200)


@login_required
@require_POST
def token_revoke(request: HttpRequest, token_id: int) -> HttpResponse:
    """Delete one of one's tokens."""
    revoke(user=request.user, token_id=token_id)
    messages.success(request, "The token is revoked: nothing can sign in with it any more.")
    return redirect("web:tokens")
