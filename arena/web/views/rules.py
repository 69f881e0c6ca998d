"""How to play: written from the options of each rule set."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from django.http import Http404
from django.shortcuts import render

from bots_sdk.durak import RuleSet

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.http import HttpRequest, HttpResponse

MAIN = "podkidnoy"


def rules(request: HttpRequest) -> HttpResponse:
    """All rule sets."""
    return render(request, "web/rules.html", {"presets": RuleSet.presets()})


def preset(request: HttpRequest, name: str) -> HttpResponse:
    """One rule set in words, and its options beside those of the main rules."""
    presets = RuleSet.presets()
    if name not in presets:
        raise Http404
    context = {
        "name": name,
        "rules": presets[name],
        "presets": presets,
        "sections": _sections(presets[name].explain()),
        "options": list(_options(presets[name])),
    }
    return render(request, "web/preset.html", context)


def _options(rules: RuleSet) -> Iterator[dict[str, object]]:
    """Every option as declared, with its value and whether the main rules have another."""
    main = RuleSet.preset(MAIN)
    for option in dataclasses.fields(rules):
        if "section" in option.metadata:
            value = getattr(rules, option.name)
            yield {
                "name": option.name,
                "value": {True: "yes", False: "no"}[value] if isinstance(value, bool) else value,
                "meaning": option.metadata["meaning"],
                "section": option.metadata["section"],
                "differs": value != getattr(main, option.name),
            }


def _sections(text: str) -> list[tuple[str, list[str]]]:
    """The explanation's paragraphs under their headings: a heading is a short line without a full stop."""
    sections: list[tuple[str, list[str]]] = []
    for block in text.split("\n\n"):
        heading, _, rest = block.strip().partition("\n")
        if not rest and (heading.endswith(".") or len(heading) > 60):
            heading, rest = "", heading
        paragraphs = [line for line in rest.split("\n") if line]
        if heading or not sections:
            sections.append((heading, paragraphs))
        else:
            sections[-1][1].extend(paragraphs)
    return sections
