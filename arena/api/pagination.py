"""Pages by cursor: `limit` things a page, then follow `next`."""

from __future__ import annotations

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import TYPE_CHECKING, Any

from django.core.exceptions import ValidationError
from rest_framework.exceptions import NotFound
from rest_framework.pagination import CursorPagination
from rest_framework.utils.urls import remove_query_param, replace_query_param

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.db.models import QuerySet
    from rest_framework.request import Request
    from rest_framework.views import APIView

PAGE = 50
LARGEST = 200


class NewestFirst(CursorPagination):
    """A query's rows by their number, the newest first."""

    ordering: tuple[str, ...] = ("-id",)
    page_size = PAGE
    max_page_size = LARGEST
    page_size_query_param = "limit"
    page_size_query_description = f"Things a page, {PAGE} unless told, at most {LARGEST}."
    cursor_query_description = "Where the page begins; follow `next` rather than making one."
    invalid_cursor_message = "This cursor is not one of ours. Start without it and follow `next`."

    def paginate_queryset(
        self,
        queryset: QuerySet[Any],
        request: Request,
        view: APIView | None = None,
    ) -> list[Any] | None:
        """A page; a cursor that holds no key of these rows is refused like one that is none."""
        try:
            return super().paginate_queryset(queryset, request, view)
        except (ValueError, ValidationError) as error:
            raise NotFound(self.invalid_cursor_message) from error

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        link = {"type": ["string", "null"], "format": "uri"}
        return {
            "type": "object",
            "required": ["next", "previous", "results"],
            "properties": {
                "next": link | {"description": "The page after this one; null on the last."},
                "previous": link | {"description": "The page before this one; null on the first."},
                "results": schema,
            },
        }


class OldestFirst(NewestFirst):
    """A query's rows by their number, the oldest first."""

    ordering = ("id",)


class ByIndex(NewestFirst):
    """The deals of a match in the order in which they are numbered."""

    ordering = ("index",)


class LastRatedFirst(NewestFirst):
    """A ladder's rated matches, no two of which were rated at one time."""

    ordering = ("-applied_at",)


class InOrder(NewestFirst):
    """What can be sliced and gets nothing new at its head, in the order that it has; a cursor is a place in it."""

    def paginate_queryset(
        self,
        queryset: Sequence[Any],
        request: Request,
        view: APIView | None = None,
    ) -> list[Any]:
        self.page_size = self.get_page_size(request) or PAGE
        self._url = request.build_absolute_uri()
        self._start = self._decode(request.query_params.get(self.cursor_query_param, ""))
        found = list(queryset[self._start : self._start + self.page_size + 1])
        self._more = len(found) > self.page_size
        return found[: self.page_size]

    def get_next_link(self) -> str | None:
        return self._link(self._start + self.page_size) if self._more else None

    def get_previous_link(self) -> str | None:
        return self._link(max(0, self._start - self.page_size)) if self._start else None

    def _link(self, start: int) -> str:
        if not start:
            return remove_query_param(self._url, self.cursor_query_param)
        cursor = urlsafe_b64encode(f"from={start}".encode()).decode()
        return replace_query_param(self._url, self.cursor_query_param, cursor)

    def _decode(self, cursor: str) -> int:
        if not cursor:
            return 0
        try:
            name, _, start = urlsafe_b64decode(cursor.encode()).decode().partition("=")
        except ValueError as error:
            raise NotFound(self.invalid_cursor_message) from error
        if name != "from" or not re.fullmatch("[0-9]{1,9}", start):
            raise NotFound(self.invalid_cursor_message)
        return int(start)
