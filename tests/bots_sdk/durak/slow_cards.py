"""Cards and moves as text, for the slow referee: nothing here comes from ``bots_sdk``."""

from __future__ import annotations

RANKS = "23456789TJQKA"
SUITS = "SHDC"


def cards_of(text: str) -> list[str]:
    """`"8S8H"` as `["8S", "8H"]`."""
    return [text[at : at + 2] for at in range(0, len(text), 2)]


def move_text(kind: str, cards: list[str], target: str | None = None) -> str:
    """Write a move as PROTOCOL.md does, several cards in alphabetical order."""
    if kind in ("take", "pass"):
        return kind
    if kind == "beat":
        return f"b{target}:{cards[0]}"
    return {"attack": "a", "transfer": "t", "show": "s"}[kind] + "".join(sorted(cards))


def beats(card: str, target: str, trumps: list[str], cross_trump: bool = False) -> bool:
    """R1: the same suit and higher, or a trump on what is none; R9.3: a trump on the other trump."""
    higher = RANKS.index(card[0]) > RANKS.index(target[0])
    if card[1] == target[1]:
        return higher
    if card[1] not in trumps:
        return False
    return target[1] not in trumps or (cross_trump and higher)
