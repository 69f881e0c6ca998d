"""The user documentation, from Markdown to HTML that the content security policy allows."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from django.conf import settings
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import slugify
from markdown_it import MarkdownIt

if TYPE_CHECKING:
    from collections.abc import Sequence

    from markdown_it.token import Token

NAME = re.compile(r"[a-z0-9][a-z0-9-]*")
# Long lines scroll, so the keyboard must reach them. Text cannot hold a bare <pre>: it would be escaped.
SCROLLING_PRE = '<pre tabindex="0">'
ADDRESSES = (
    (re.compile(r"(?:\./)?([a-z0-9-]+)\.md(#.*)?"), r"/docs/\1/\2"),
    (re.compile(r"\.\./sandbox/images/([a-z]+)/packages\.txt"), r"/docs/packages/\1/"),
)


@dataclass(frozen=True)
class Heading:
    """A line of the table of contents: ``level`` is 2 or 3."""

    level: int
    anchor: str
    text: str


@dataclass(frozen=True)
class Document:
    """One page of ``docs/``."""

    name: str
    title: str
    lead: str
    html: SafeString
    headings: tuple[Heading, ...]


def document_names() -> list[str]:
    """The names of the pages in ``docs/``, sorted; each is the address of its page."""
    return sorted(path.stem for path in _folder().glob("*.md") if NAME.fullmatch(path.stem))


def document(name: str) -> Document | None:
    """The page of that name, or None. It is read anew when its file has changed."""
    path = _folder() / f"{name}.md"
    if not NAME.fullmatch(name) or not path.is_file():
        return None
    return _document(path, path.stat().st_mtime_ns)


def _folder() -> Path:
    return Path(settings.BASE_DIR) / "docs"


@lru_cache(maxsize=64)
def _document(path: Path, _changed: int) -> Document:
    return render(path.stem, path.read_text(encoding="utf-8"))


def render(name: str, text: str) -> Document:
    """Render a document: raw HTML is shown as text, headings get anchors, links to ``other.md`` lead to its page."""
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = markdown.parse(text)
    title, lead = name.replace("-", " ").capitalize(), ""
    headings: list[Heading] = []
    anchors: set[str] = set()
    for place, token in enumerate(tokens):
        _tame(token)
        if token.type == "paragraph_open" and not lead and not headings:
            lead = _plain(tokens[place + 1].children or ())
        if token.type != "heading_open":
            continue
        words = _plain(tokens[place + 1].children or ())
        if token.tag == "h1":
            title = words
        anchor = _anchor(words, anchors)
        token.attrSet("id", anchor)
        if token.tag in {"h2", "h3"}:
            headings.append(Heading(int(token.tag[1]), anchor, words))
    html = markdown.renderer.render(tokens, markdown.options, {}).replace("<pre>", SCROLLING_PRE)
    return Document(name, title, lead, mark_safe(html), tuple(headings))  # noqa: S308 - raw HTML is switched off above


def _tame(token: Token) -> None:
    """Turn style attributes, which the policy blocks, into classes, and point links at our own pages."""
    style = token.attrs.pop("style", None)
    if style:
        token.attrSet("class", str(style).removeprefix("text-align:"))
    if href := token.attrGet("href"):
        token.attrSet("href", _our_address(str(href)))
    for child in token.children or ():
        _tame(child)


def _our_address(href: str) -> str:
    """Where a link that works beside the files in the repository leads on the site."""
    for pattern, address in ADDRESSES:
        if found := pattern.fullmatch(href):
            return found.expand(address)
    return href


def _plain(tokens: Sequence[Token]) -> str:
    return "".join(
        token.content if token.type in {"text", "code_inline"} else " " * (token.type == "softbreak")
        for token in tokens
    )


def _anchor(words: str, taken: set[str]) -> str:
    wanted = slugify(words) or "section"
    anchor, number = wanted, 1
    while anchor in taken:
        number += 1
        anchor = f"{wanted}-{number}"
    taken.add(anchor)
    return anchor
