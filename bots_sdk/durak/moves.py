"""Moves and their text form (R13).

========== =========== ==========================================================
kind       text        meaning
========== =========== ==========================================================
attack     a8S, a8S8H  open a bout, lead, or throw in
beat       b8S:JS      beat the target, named first, with the card, named second
transfer   t8H         pass the attack on with a card of its rank
show       s8H         pass the attack on by showing the trump of its rank
take       take        pick up
pass       pass        throw in nothing (more), or decline to help a partner
========== =========== ==========================================================
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from bots_sdk.durak.cards import ALL_FACES, CARDS, Card, faces_of
from bots_sdk.durak.errors import NotationError, quoted

KINDS: Final = ("attack", "beat", "transfer", "show", "take", "pass")
_FORM: Final = "a8S, a8S8H, b8S:JS, t8H, s8H, take or pass"


@dataclass(frozen=True)
class Move:
    """One decision. ``cards`` are in ascending order whatever the order they were named in.

    Raises ``NotationError`` where the cards do not suit the kind: one or more for an attack, one for a
    beat (with a ``target``), a transfer or a show, none for a take or a pass.
    """

    kind: str
    cards: tuple[Card, ...] = ()
    target: Card | None = None
    face: int = field(init=False, repr=False, compare=False)
    """The face of the first card, -1 where there is none."""
    target_face: int = field(init=False, repr=False, compare=False)
    """The face of the target, -1 where there is none."""
    text: str = field(init=False, repr=False, compare=False)
    """The move's text form."""

    def __post_init__(self) -> None:
        count = len(self.cards)
        if self.kind not in KINDS:
            raise NotationError(f"{quoted(self.kind)} is not a kind of move: it is one of {', '.join(KINDS)}")
        least = 0 if self.kind in ("take", "pass") else 1
        if count < least or (count > least and self.kind != "attack"):
            raise NotationError(f"a move of kind {self.kind} cannot name {count} cards; moves are {_FORM}")
        if (self.target is not None) != (self.kind == "beat"):
            raise NotationError(f"a move of kind {self.kind} with target {self.target}: only a beat has a target")
        if count > 1:
            object.__setattr__(self, "cards", tuple(sorted(self.cards)))
        object.__setattr__(self, "face", self.cards[0].index if count else -1)
        object.__setattr__(self, "target_face", self.target.index if self.target is not None else -1)
        object.__setattr__(self, "text", self._written())

    def _written(self) -> str:
        if not self.cards:
            return self.kind
        target = f"{self.target}:" if self.target is not None else ""
        return self.kind[0] + target + "".join([str(card) for card in self.cards])

    def __str__(self) -> str:
        return self.text

    @staticmethod
    def parse(text: str) -> Move:
        """Read a move's text form. Raises ``NotationError`` naming what is wrong."""
        if text == "pass":
            return PASS
        if text == "take":
            return TAKE
        kind = text[:1]
        if kind == "b" and len(text) == 6 and text[3] == ":":
            return BEATS[Card.parse(text[1:3]).index][Card.parse(text[4:6]).index]
        if kind in ("a", "t", "s") and len(text) >= 3 and len(text) % 2 == 1:
            cards = [Card.parse(text[i : i + 2]) for i in range(1, len(text), 2)]
            if kind == "a":
                return ATTACKS[cards[0].index] if len(cards) == 1 else Move("attack", tuple(cards))
            if len(cards) == 1:
                return (TRANSFERS if kind == "t" else SHOWS)[cards[0].index]
        raise NotationError(f"{quoted(text)} is not a move: write {_FORM}")


PASS: Final = Move("pass")
TAKE: Final = Move("take")
ATTACKS: Final[list[Move]] = [Move("attack", (card,)) for card in CARDS]
TRANSFERS: Final[list[Move]] = [Move("transfer", (card,)) for card in CARDS]
SHOWS: Final[list[Move]] = [Move("show", (card,)) for card in CARDS]
BEATS: Final[list[list[Move]]] = [[Move("beat", (card,), target) for card in CARDS] for target in CARDS]
"""``BEATS[target][card]``, by face."""

_OPENINGS: Final[dict[int, tuple[Move, ...]]] = {}


def openings(held: int) -> tuple[Move, ...]:
    """Every attack with two or more of the cards held, which are all of one rank (R4.1), fewest first."""
    moves = _OPENINGS.get(held)
    if moves is None:
        moves = _OPENINGS[held] = _choices(faces_of(held))
    return moves


def _choices(faces: list[int]) -> tuple[Move, ...]:
    chosen: set[tuple[int, ...]] = {()}
    for face in faces:
        chosen |= {(*choice, face) for choice in chosen}
    several = sorted([(len(choice), choice) for choice in chosen if len(choice) > 1])
    return tuple([Move("attack", tuple([CARDS[face] for face in choice])) for _, choice in several])


def each(hand: int, moves: list[Move]) -> list[Move]:
    """For each face in a hand, ascending and once, its move from a table by face."""
    chosen: list[Move] = []
    faces = hand & ALL_FACES
    while faces:
        face = faces.bit_length() - 1
        chosen.append(moves[face])
        faces ^= 1 << face
    chosen.reverse()
    return chosen
