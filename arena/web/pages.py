"""Pages of a list that is sorted by falling primary key: stable while new rows arrive, and one query each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

from django.db.models import Model

if TYPE_CHECKING:
    from django.db.models import QuerySet
    from django.http import QueryDict

Row = TypeVar("Row", bound=Model)
MAX_KEY = 2**63 - 1


@dataclass(frozen=True)
class Page(Generic[Row]):
    """Some rows of a list, newest first, and the query strings of its neighbours ("" where there is none)."""

    rows: list[Row]
    older: str
    newer: str


def page_of(rows: QuerySet[Row], query: QueryDict, size: int = 30) -> Page[Row]:
    """The page that ``?before=ID`` or ``?after=ID`` asks for; anything else in the query is kept in the links."""
    rows = rows.order_by("-pk")
    before, after = _key(query.get("before")), _key(query.get("after"))
    if after is not None:
        found = list(rows.filter(pk__gt=after).order_by("pk")[: size + 1])
        more_newer, more_older = len(found) > size, True
        found = found[:size][::-1]
    else:
        found = list((rows if before is None else rows.filter(pk__lt=before))[: size + 1])
        more_newer, more_older = before is not None, len(found) > size
        found = found[:size]
    return Page(
        rows=found,
        older=_link(query, "before", found[-1].pk) if found and more_older else "",
        newer=_link(query, "after", found[0].pk) if found and more_newer else "",
    )


def _key(text: str | None) -> int | None:
    return min(int(text), MAX_KEY) if text and text.isascii() and text.isdigit() and len(text) < 20 else None


def _link(query: QueryDict, name: str, key: int) -> str:
    link = query.copy()
    for old in ("before", "after"):
        link.pop(old, None)
    link[name] = str(key)
    return f"?{link.urlencode()}"
