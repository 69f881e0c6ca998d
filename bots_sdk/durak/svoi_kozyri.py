"""Svoi kozyri: a game of beating in which every seat has its own trump suit (R9.4)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from bots_sdk.durak import fields
from bots_sdk.durak.bout_refusals import verify_beats
from bots_sdk.durak.cards import CARDS, NAMES, hand_of, merge
from bots_sdk.durak.errors import IllegalMove, PositionError
from bots_sdk.durak.moves import ATTACKS, BEATS, TAKE, Move, each
from bots_sdk.durak.rules import RuleSet
from bots_sdk.durak.state import GameState, beaters_with, refuse


class SvoiKozyriState(GameState):
    """A deal of svoi kozyri. ``trumps`` holds a suit for each seat.

    ``pile`` is what lies on the table, its top last; ``attacker`` led it and ``defender`` is the seat that
    answers. ``added`` is the mask of the seats that have added a card since the lead.
    """

    def __init__(self, rules: RuleSet, seats: int) -> None:
        super().__init__(rules, seats)
        self.pile: list[int] = []
        self.added = 0

    def copy_from(self, state: GameState) -> None:
        """Take over all that another state of this game holds."""
        super().copy_from(state)
        other = cast("SvoiKozyriState", state)
        self.pile = other.pile[:]
        self.added = other.added

    def set_trumps(self, trumps: list[int]) -> None:
        """Name each seat's own trump suit, as suit numbers."""
        self.trumps = trumps

    def _beaters_of(self, seat: int) -> list[int]:
        return beaters_with([self.trumps[seat]], cross_trump=False)

    def _moves(self) -> tuple[Move, ...]:
        hand = self.hands[self.turn]
        if not self.pile:
            return tuple(each(hand, ATTACKS))
        top = self.pile[-1]
        return (*each(hand & self._beaters_of(self.turn)[top], BEATS[top]), TAKE)

    def _verify(self, move: Move) -> None:
        kind = move.kind
        if kind not in ("attack", "beat", "take"):
            raise refuse("R9.4", f"here a card is led, and its top beaten or the pile taken: there is no {kind}", move)
        if not self.pile:
            if kind != "attack":
                raise refuse("R9.4", "you lead: play a card", move)
            self.require_held(move, "R9.4")
            if len(move.cards) > 1:
                raise refuse("R9.4", "one card is led at a time", move)
            return
        top = CARDS[self.pile[-1]]
        if kind == "attack":
            raise refuse("R9.4", f"{top.symbol} is on top of the pile: beat it, or take", move)
        if kind == "beat":
            card, target = move.cards[0], CARDS[move.target_face]
            self.require_held(move, "R9.4")
            if target != top:
                raise IllegalMove("R9.4", f"only the top of the pile is beaten: it is {top.symbol}", (card, target))
            verify_beats(self, self._beaters_of(self.turn), card, target)

    def _apply(self, move: Move) -> None:
        if move.kind == "take":
            self._take()
            return
        face = move.face
        self._put_down(face)
        self.pile.append(face)
        self.added |= 1 << self.turn
        if self.rules.end_check == "immediate" and self.end_if_decided():
            return
        waiting = [seat for seat in range(self.seats) if self.hands[seat] and not self.added >> seat & 1]
        if waiting:
            self._answer_next()
            return
        self.discarded += len(self.pile)
        self._note("beaten", self.pile)
        self.pile = []
        self._close(self.turn)

    def _take(self) -> None:
        taker = self.turn
        top_only = self.rules.svoi_pickup == "top"
        taken = self.pile[-1:] if top_only else self.pile
        self.pile = self.pile[:-1] if top_only else []
        cards = hand_of(taken)
        self.hands[taker] = merge(self.hands[taker], cards)
        self.known[taker] = merge(self.known[taker], cards)
        self._note("top_taken" if self.pile else "taken", taken)
        if self.pile:
            self._answer_next()
        else:
            self._close((taker + 1) % self.seats)

    def _answer_next(self) -> None:
        self.turn = self.defender = self.next_with_cards((self.turn + 1) % self.seats)

    def _note(self, what: str, faces: list[int]) -> None:
        if self.notes is not None:
            self.notes.append((what, self.turn, faces))

    def _close(self, place: int) -> None:
        self.added = 0
        if not self.end_if_decided() and self.count_bout():
            self.begin(place)

    def begin(self, place: int) -> None:
        """Start the bout that falls to this place."""
        self.attacker = self.turn = self.next_with_cards(place)
        self.defender = self.next_with_cards((self.attacker + 1) % self.seats)
        self.seen_thrice()

    def table_faces(self) -> list[int]:
        """The faces of all cards on the table."""
        return self.pile

    def open_faces(self) -> list[int]:
        """The faces on the table that can still be beaten."""
        return self.pile[-1:]

    def describe(self) -> dict[str, Any]:
        """The bout in progress as a position writes it."""
        return {
            "table": [],
            "pile": [NAMES[face] for face in self.pile],
            "attacker": self.attacker,
            "defender": self.defender,
            "added": [seat for seat in range(self.seats) if self.added >> seat & 1],
        }

    def resume(self, position: Mapping[str, Any]) -> None:
        """Take up what a written position says of the bout."""
        if fields.table(position):
            raise PositionError("position: in svoi kozyri the cards on the table are the pile, its top last")
        self.pile = fields.faces(position, "pile")
        self.attacker = fields.seat(position, "attacker", self.seats, 0)
        answers = self.next_with_cards((self.attacker + 1) % self.seats)
        self.defender = fields.seat(position, "defender", self.seats, answers)
        self.turn = self.defender if self.pile else self.attacker
        if self.talon:
            raise PositionError("position: in svoi kozyri all cards are dealt: there is no talon (R9.4)")
        for seat in fields.seats(position, "added", self.seats):
            self.added |= 1 << seat
        if self.added and not self.pile and not self.is_over:
            raise PositionError("position: added names seats, but there is no pile: leave it out (R9.4)")
        if self.pile and not self.added:
            self.added = 1 << self.attacker
        if self.is_over or (not self.pile and self.end_if_decided()):
            self.turn = -1
            return
        if self.pile and self.added >> self.turn & 1 and self.rules.svoi_pickup == "pile":
            raise PositionError(
                f"position: seat {self.turn} answers, but has added a card since the lead: name others as added (R9.4)"
            )
        if not self.hands[self.turn]:
            raise PositionError(f"position: seat {self.turn} is to move, but has no cards")
        if not self.pile:
            self.history.setdefault((self.attacker, *self.hands), 1)
