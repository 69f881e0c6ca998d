"""Error pages: what went wrong, and where to go from there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.shortcuts import render
from django.views.decorators.csrf import requires_csrf_token

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

TITLES = {
    400: "That request could not be read",
    403: "You may not do that",
    404: "There is nothing here",
    409: "Not possible just now",
    429: "That was a lot at once",
    500: "The arena made a mistake",
}
HINTS = {
    400: "Go back, check the address or the form, and try again.",
    403: "If it is yours, sign in with the account that owns it.",
    404: "The address may have a slip in it, or the thing it named is gone.",
    409: "The state of things forbids it for now; it may work later.",
    429: "Wait a little, then try again.",
    500: "It has been logged. Nothing of yours was lost: every result is kept in the database. Try again in a minute.",
}


def error_page(request: HttpRequest, status: int, message: str = "") -> HttpResponse:
    """The page for an HTTP status; ``message`` is shown first, in the words of who refused."""
    context = {
        "status": status,
        "heading": TITLES.get(status, TITLES[400]),
        "message": message,
        "hint": HINTS.get(status, ""),
    }
    return render(request, "web/error.html", context, status=status)


@requires_csrf_token
def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:  # noqa: ARG001
    """Django's handler400."""
    return error_page(request, 400)


@requires_csrf_token
def forbidden(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Django's handler403."""
    return error_page(request, 403, str(exception or ""))


@requires_csrf_token
def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:  # noqa: ARG001
    """Django's handler404. The exception's text can name internals, so it is not shown."""
    return error_page(request, 404)


def too_many(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:  # noqa: ARG001
    """handler429, asked by allauth when somebody tries to sign in (and the like) too often."""
    return error_page(request, 429)


@requires_csrf_token
def server_error(request: HttpRequest) -> HttpResponse:  # noqa: ARG001
    """Django's handler500: a page without a request, so that it needs no database, which may be what failed."""
    return render(None, "web/error_500.html", {"heading": TITLES[500], "hint": HINTS[500]}, status=500)


@requires_csrf_token
def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:  # noqa: ARG001
    """Django's CSRF_FAILURE_VIEW."""
    return error_page(
        request,
        403,
        "The form was sent without its security token: it may be older than your sign-in, or your browser refuses "
        "cookies from this site. Go back, reload the page and send it again.",
    )
