"""The documentation in ``docs/``."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING

from django.http import Http404, HttpResponse
from django.shortcuts import render

from arena.web.markdown import Document, document, document_names
from sandbox.runtimes import RUNTIMES

if TYPE_CHECKING:
    from django.http import HttpRequest


def docs(request: HttpRequest) -> HttpResponse:
    """What there is to read."""
    return render(request, "web/docs.html", {"documents": _all()})


def doc(request: HttpRequest, name: str) -> HttpResponse:
    """One document with its table of contents."""
    found = document(name)
    if found is None:
        raise Http404
    return render(request, "web/doc.html", {"document": found, "documents": _all()})


def packages(request: HttpRequest, language: str) -> HttpResponse:  # noqa: ARG001
    """The packages in the image of a language, one a line."""
    if language not in RUNTIMES:
        raise Http404
    text = files("sandbox").joinpath("images", language, "packages.txt").read_text(encoding="utf-8")
    return HttpResponse(text, content_type="text/plain; charset=utf-8")


def _all() -> list[Document]:
    found = [document(name) for name in document_names()]
    return [each for each in found if each is not None]
