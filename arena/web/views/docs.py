"""The documentation in ``docs/``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import Http404
from django.shortcuts import render

from arena.web.markdown import document, document_names

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse


def docs(request: HttpRequest) -> HttpResponse:
    """What there is to read."""
    return render(request, "web/docs.html", {"documents": _all()})


def doc(request: HttpRequest, name: str) -> HttpResponse:
    """One document with its table of contents."""
    found = document(name)
    if found is None:
        raise Http404
    return render(request, "web/doc.html", {"document": found, "documents": _all()})


def _all() -> list:
    return [document(name) for name in document_names()]
