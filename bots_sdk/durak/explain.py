"""The rules in words, made from the options of a rule set."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bots_sdk.durak.rules import RuleSet


def explain(rules: RuleSet) -> str:
    """Paragraphs of plain text under short headings."""
    return rules.summary
