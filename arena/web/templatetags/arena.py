"""What the templates need to speak the card table's language."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django import template
from django.utils import timezone
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe

from arena.web.charts import IntervalChart, interval_chart

if TYPE_CHECKING:
    from datetime import datetime

register = template.Library()

# With the text variation selector, so that no system draws the suits as emoji.
SUITS = {
    "S": ("\u2660\ufe0e", "spades"),
    "H": ("\u2665\ufe0e", "hearts"),
    "D": ("\u2666\ufe0e", "diamonds"),
    "C": ("\u2663\ufe0e", "clubs"),
}
RANKS = {"T": ("10", "ten"), "J": ("J", "jack"), "Q": ("Q", "queen"), "K": ("K", "king"), "A": ("A", "ace")}
DRAWN = re.compile(r"(10|[2-9JQKA])?([♠♥♦♣])")
LETTERS = dict(zip("♠♥♦♣", "SHDC", strict=True))
FRESH = timedelta(seconds=12)
TONES = {
    "ready": "good", "finished": "good", "running": "good",
    "failed": "bad", "abandoned": "bad", "lost": "bad", "void": "warn", "late": "warn",
    "building": "warn", "validating": "warn", "uploaded": "warn", "queued": "", "cancelled": "",
}  # fmt: skip


@register.filter
def card(text: str) -> SafeString:
    """A card's two letters (``TS``) as people write it: 10♠, red where the suit is red."""
    rank, suit = text[:-1], text[-1]
    return format_html(
        '<span class="card {}"><span aria-hidden="true">{}{}</span><span class="sr">{} of {}</span></span>',
        suit,
        RANKS.get(rank, (rank,))[0],
        SUITS[suit][0],
        RANKS.get(rank, (rank, rank))[1],
        SUITS[suit][1],
    )


@register.filter
def drawn(text: str) -> SafeString:
    """Any text in which cards and suits are drawn (8♠), with their colours and, for screen readers, their names."""

    def show(found: re.Match[str]) -> SafeString:
        rank, letter = found[1], LETTERS[found[2]]
        return card(("T" if rank == "10" else rank) + letter) if rank else suit(letter)

    return mark_safe(DRAWN.sub(show, escape(text)))  # noqa: S308 - escaped just here


@register.filter
def suit(letter: str) -> SafeString:
    """A suit's letter as its sign and, for those who cannot see it, its name."""
    sign, name = SUITS[letter]
    return format_html(
        '<span class="card {}"><span aria-hidden="true">{}</span><span class="sr">{}</span></span>', letter, sign, name
    )


@register.filter
def tone(state: str) -> str:
    """The badge class of a state."""
    return TONES.get(state, "")


@register.filter
def words(name: str) -> str:
    """A name made for programs (``illegal_move``) as people write it."""
    return name.replace("_", " ")


@register.filter
def signed(value: float | None) -> str:
    """A change with its sign and a true minus; nothing for None."""
    if value is None:
        return ""
    return f"{value:+.0f}".replace("-", "\u2212") if round(value) else "0"


@register.filter
def percent(value: float | None) -> str:
    """A share of 0 to 1 as a percentage with one decimal."""
    return "\u2013" if value is None else f"{value * 100:.1f}%"


@register.filter
def fresh(moment: datetime | None) -> bool:
    """Whether that was only seconds ago, so that a page that renews itself can show what moved."""
    return moment is not None and timezone.now() - moment < FRESH


@register.filter(name="json")
def to_json(value: Any) -> str:
    """A JSON value, indented for a reader; the template escapes it."""
    return json.dumps(value, indent=2, ensure_ascii=False)


@register.simple_tag
def interval(rate: float, low: float, high: float, seats: int) -> IntervalChart:
    """The drawing of a durak rate with its interval."""
    return interval_chart(rate, low, high, seats)
