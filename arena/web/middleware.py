"""Shows what a service refused as a page of its own, where no form is there to say it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.errors import ArenaError
from arena.web.views.errors import error_page

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest, HttpResponse


class ArenaErrors:
    """An ``ArenaError`` that a page let through becomes the error page of its status."""

    sync_capable = True
    async_capable = False

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Render it; anything else goes on to Django."""
        if isinstance(exception, ArenaError):
            return error_page(request, exception.status, exception.message)
        return None
