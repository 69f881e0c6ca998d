"""Cards, and hands of cards as bit masks (R1).

A card's *face* is a number: ``rank * 4 + suit``, ranks 0 (the two) to 12 (the ace), suits 0 to 3 in the
order ``S H D C``. A hand is an ``int`` with bit ``face`` set for each face held; with two packs the second
copy of a face is the bit 52 places higher, and is only ever set when the first one is.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from bots_sdk.durak.errors import NotationError, quoted

RANKS: Final = "23456789TJQKA"
SUITS: Final = "SHDC"
SYMBOLS: Final = "♠♥♦♣"
FACES: Final = 52
ALL_FACES: Final = (1 << 52) - 1
SUIT_FACES: Final[list[int]] = [sum(1 << (rank * 4 + suit) for rank in range(13)) for suit in range(4)]
RANK_FACES: Final[list[int]] = [0b1111 << (face // 4 * 4) for face in range(FACES)]
"""For each face, the mask of the four faces of its rank."""
NAMES: Final[list[str]] = [rank + suit for rank in RANKS for suit in SUITS]
"""For each face, the card's text."""


@dataclass(frozen=True, order=True)
class Card:
    """One playing card, by its face; two cards of the same face are equal. Ordered by rank, then suit."""

    index: int

    @property
    def rank(self) -> str:
        """The rank's letter, one of ``23456789TJQKA``."""
        return RANKS[self.index >> 2]

    @property
    def suit(self) -> str:
        """The suit's letter, one of ``SHDC``."""
        return SUITS[self.index & 3]

    @property
    def rank_name(self) -> str:
        """The rank as players write it: ``10`` for the ten, else the letter."""
        return "10" if self.rank == "T" else self.rank

    @property
    def symbol(self) -> str:
        """The card for a reader, ``10♠``."""
        return self.rank_name + SYMBOLS[self.index & 3]

    def __reduce__(self) -> tuple[type[Card], tuple[int]]:
        # A compiled frozen class cannot be filled in after it is made, as copying and unpickling would.
        return (Card, (self.index,))

    def __str__(self) -> str:
        return NAMES[self.index]

    @staticmethod
    def parse(text: str) -> Card:
        """Read ``8S``. Raises ``NotationError`` for anything else."""
        if len(text) == 2 and text[0] in RANKS and text[1] in SUITS:
            return CARDS[RANKS.index(text[0]) * 4 + SUITS.index(text[1])]
        raise NotationError(
            f"{quoted(text)} is not a card: write its rank, one of {RANKS}, then its suit, one of {SUITS}, as in 8S"
        )


CARDS: Final[list[Card]] = [Card(face) for face in range(FACES)]


def add(hand: int, face: int) -> int:
    """The hand with one more card of this face."""
    bit = 1 << face
    return hand | (bit << FACES if hand & bit else bit)


def drop(hand: int, face: int) -> int:
    """The hand with one card of this face, which it must hold, less."""
    bit = 1 << face
    return hand ^ (bit << FACES if hand & (bit << FACES) else bit)


def merge(hand: int, other: int) -> int:
    """The cards of both hands together."""
    if not hand & other:
        return hand | other
    for face in faces_of(other):
        hand = add(hand, face)
    return hand


def hand_of(faces: list[int]) -> int:
    """The hand that holds these faces; a face may be named twice."""
    hand = 0
    for face in faces:
        bit = 1 << face
        hand |= bit << FACES if hand & bit else bit
    return hand


def faces_of(hand: int) -> list[int]:
    """The faces in a hand in ascending order, a double one twice."""
    faces: list[int] = []
    ones = hand & ALL_FACES
    twins = hand >> FACES
    while ones:
        face = (ones & -ones).bit_length() - 1
        faces.append(face)
        if twins >> face & 1:
            faces.append(face)
        ones &= ones - 1
    return faces


def cards_of(hand: int) -> list[Card]:
    """The cards in a hand in ascending order."""
    return [CARDS[face] for face in faces_of(hand)]


def names_of(hand: int) -> list[str]:
    """The cards in a hand as text, in ascending order."""
    return [NAMES[face] for face in faces_of(hand)]


def symbols(cards: list[Card] | tuple[Card, ...]) -> str:
    """Cards for a reader: ``8♠, 8♥ and 9♦``."""
    shown = [card.symbol for card in cards]
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}" if shown else "no card"


def deck_faces(deck: int, packs: int) -> list[int]:
    """The faces of an unshuffled deck: ascending by rank then suit, one pack after the other (R1)."""
    return [face for _ in range(packs) for face in range(FACES - deck, FACES)]


def beating_faces(trumps: list[int], *, cross_trump: bool) -> list[int]:
    """For each face, the mask of the faces that beat it (R1, R9.3).

    ``trumps`` are suit numbers. With two trump suits one does not beat the other unless ``cross_trump``,
    when the higher rank does.
    """
    table: list[int] = []
    for face in range(FACES):
        suit = face & 3
        higher = ALL_FACES & ~((16 << (face // 4 * 4)) - 1)
        beaters = higher & SUIT_FACES[suit]
        for trump in trumps:
            if suit not in trumps:
                beaters |= SUIT_FACES[trump]
            elif cross_trump:
                beaters |= higher & SUIT_FACES[trump]
        table.append(beaters)
    return table
