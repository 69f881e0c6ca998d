"""Prostoy: attacks of one, three or five cards, nothing thrown in (R9.2)."""

from __future__ import annotations

from itertools import combinations

from bots_sdk.durak.bout import BoutState
from bots_sdk.durak.bout_refusals import too_many
from bots_sdk.durak.cards import CARDS, add, faces_of, symbols
from bots_sdk.durak.moves import ATTACKS, Move
from bots_sdk.durak.rules import RuleSet
from bots_sdk.durak.state import refuse


class ProstoyState(BoutState):
    """A deal of prostoy: a bout with its own openings and without throwing in."""

    def __init__(self, rules: RuleSet, seats: int) -> None:
        super().__init__(rules, seats)
        self.multi_open = True

    def _openings(self, hand: int) -> list[Move]:
        faces = faces_of(hand)
        moves = [ATTACKS[face] for i, face in enumerate(faces) if i == 0 or face != faces[i - 1]]
        if self.limit >= 3:
            moves += _attacks(faces, 1)
        if self.limit >= 5:
            moves += _attacks(faces, 2)
        return moves

    def check_opening(self, move: Move) -> None:
        """Raise ``IllegalMove`` if these cards cannot attack together (R9.2)."""
        self.require_held(move, "R9.2")
        count = len(move.cards)
        if count == 1:
            return
        named = symbols(move.cards)
        if count not in (3, 5):
            raise refuse("R9.2", f"an attack is one, three or five cards, not {count}: {named}", move)
        pairs = sum([times // 2 for times in _times([card.index for card in move.cards])])
        if count == 3 and pairs < 1:
            raise refuse("R9.2", f"three cards attack if two are a pair: {named} hold none", move)
        if count == 5 and pairs < 2:
            raise refuse("R9.2", f"five cards attack if four are two pairs: {named} hold {pairs or 'none'}", move)
        if count > self.limit:
            raise too_many(self, move)

    def _ask(self) -> bool:
        return False

    def _taken(self) -> None:
        if self.rules.prostoy_take == "unbeaten":
            taker = self.defender
            taken = [attack for attack, defence in zip(self.attacks, self.defences, strict=True) if defence < 0]
            beaten = [face for pair in zip(self.attacks, self.defences, strict=True) if pair[1] >= 0 for face in pair]
            for face in taken:
                self.hands[taker] = add(self.hands[taker], face)
                self.known[taker] = add(self.known[taker], face)
            self.discarded += len(beaten)
            if self.notes is not None:
                if beaten:
                    self.notes.append(("beaten", taker, beaten))
                self.notes.append(("taken", taker, taken))
            self._close_taken()
        else:
            super()._taken()


def _attacks(faces: list[int], pairs: int) -> list[Move]:
    """Every attack of so many disjoint pairs and any one card more, each once."""
    places = list(range(len(faces)))
    couples = [(i, j) for i, j in combinations(places, 2) if faces[i] >> 2 == faces[j] >> 2]
    found: set[tuple[int, ...]] = set()
    for chosen in combinations(couples, pairs):
        held = {place for couple in chosen for place in couple}
        if len(held) == 2 * pairs:
            for place in places:
                if place not in held:
                    found.add(tuple(sorted([faces[i] for i in held] + [faces[place]])))
    return [Move("attack", tuple([CARDS[face] for face in attack])) for attack in sorted(found)]


def _times(faces: list[int]) -> list[int]:
    """How often each rank is there."""
    ranks = [face >> 2 for face in faces]
    return [ranks.count(rank) for rank in sorted(set(ranks))]
