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

from bots_sdk.durak.cards import ALL_FACES, CARDS, FACES, Card, faces_of
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
    _text: str = field(init=False, repr=False, compare=False)

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
        object.__setattr__(self, "_text", "")
        object.__setattr__(self, "target_face", self.target.index if self.target is not None else -1)

    @property
    def text(self) -> str:
        """The move's text form."""
        if not self._text:
            written = self.kind[0] if self.cards else self.kind
            if self.target is not None:
                written += f"{self.target}:"
            object.__setattr__(self, "_text", written + "".join([str(card) for card in self.cards]))
        return self._text

    def __reduce__(self) -> tuple[type[Move], tuple[str, tuple[Card, ...], Card | None]]:
        return (Move, (self.kind, self.cards, self.target))

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

_TWIN_OPENINGS: Final[dict[int, tuple[Move, ...]]] = {}


def _openings(faces: list[int], most: int) -> tuple[Move, ...]:
    """Every attack with one or more of these cards, which are of one rank, but no more than ``most`` (R4.1)."""
    chosen: set[tuple[int, ...]] = {()}
    for face in faces:
        chosen |= {(*choice, face) for choice in chosen if len(choice) < most}
    ordered = sorted([(len(choice), choice) for choice in chosen if choice])
    return tuple(
        [
            ATTACKS[choice[0]] if count == 1 else Move("attack", tuple([CARDS[face] for face in choice]))
            for count, choice in ordered
        ]
    )


def _rank_openings(most: int) -> list[list[list[Move]]]:
    """For each rank and each set of its four suits as a mask, its openings, in descending order."""
    return [
        [
            list(reversed(_openings([rank * 4 + suit for suit in range(4) if suits >> suit & 1], most)))
            for suits in range(16)
        ]
        for rank in range(13)
    ]


_RANK_OPENINGS: Final[list[list[list[list[Move]]]]] = [_rank_openings(most) for most in range(5)]
"""``_RANK_OPENINGS[most][rank][suits]``, for up to four cards."""


def attacks(hand: int, most: int) -> list[Move]:
    """Every attack with up to ``most`` cards of one rank out of a hand, ranks ascending, fewest cards first."""
    if hand >> FACES:
        return _twin_attacks(hand, most)
    table = _RANK_OPENINGS[min(most, 4)]
    moves: list[Move] = []
    while hand:
        rank = hand.bit_length() - 1 >> 2
        suits = hand >> 4 * rank
        moves += table[rank][suits]
        hand ^= suits << 4 * rank
    moves.reverse()
    return moves


def _twin_attacks(hand: int, most: int) -> list[Move]:
    """The same for a hand that holds a face twice."""
    moves: list[Move] = []
    for rank in range(13):
        held = hand >> 4 * rank & (0b1111 | 0b1111 << FACES)
        if held:
            key = (held & 0b1111 | held >> FACES << 4) << 8 | rank << 4 | min(most, 8)
            if key not in _TWIN_OPENINGS:
                _TWIN_OPENINGS[key] = _openings([face + 4 * rank for face in faces_of(held)], most)
            moves += _TWIN_OPENINGS[key]
    return moves


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
