"""The duel: two players, one card a bout, nothing thrown in, no draws (R9.1)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from bots_sdk.durak import fields
from bots_sdk.durak.bout_refusals import verify_beats
from bots_sdk.durak.cards import CARDS, NAMES, add
from bots_sdk.durak.errors import IllegalMove, PositionError
from bots_sdk.durak.moves import ATTACKS, BEATS, TAKE, Move, each
from bots_sdk.durak.rules import RuleSet
from bots_sdk.durak.state import GameState, refuse


class DuelState(GameState):
    """A deal of the duel. ``lead`` is the face of the card to answer, -1 where it is still to be led."""

    def __init__(self, rules: RuleSet, seats: int) -> None:
        super().__init__(rules, seats)
        self.lead = -1

    def copy_from(self, state: GameState) -> None:
        """Take over all that another state of this game holds."""
        super().copy_from(state)
        other = cast("DuelState", state)
        self.lead = other.lead

    def _moves(self) -> tuple[Move, ...]:
        hand = self.hands[self.turn]
        if self.lead < 0:
            return tuple(each(hand, ATTACKS))
        return (*each(hand & self.beaters[self.lead], BEATS[self.lead]), TAKE)

    def _verify(self, move: Move) -> None:
        kind = move.kind
        if kind not in ("attack", "beat", "take"):
            raise refuse("R9.1", f"in a duel a card is led, and beaten or taken: there is no {kind}", move)
        if self.lead < 0:
            if kind != "attack":
                raise refuse("R9.1", "you lead: play a card", move)
            self.require_held(move, "R9.1")
            if len(move.cards) > 1:
                raise refuse("R9.1", "one card is led at a time", move)
            return
        if kind == "attack":
            raise refuse("R9.1", f"{CARDS[self.lead].symbol} lies before you: beat it, or take it", move)
        if kind == "beat":
            card, target = move.cards[0], CARDS[move.target_face]
            self.require_held(move, "R9.1")
            if target.index != self.lead:
                raise IllegalMove("R9.1", f"{target.symbol} is not the card that was led", (card, target))
            verify_beats(self, self.beaters, card, target)

    def _apply(self, move: Move) -> None:
        kind = move.kind
        if kind == "attack":
            self.lead = move.face
            self._put_down(self.lead)
            if not self.in_play(self.turn):
                self._finish(self.defender, "first_out")
            else:
                self.turn = self.defender
            return
        if kind == "beat":
            face = move.face
            self._put_down(face)
            self.discarded += 2
            self._note("beaten", [self.lead, face])
            self.lead = -1
            if not self.in_play(self.turn):
                self._finish(self.attacker, "first_out")
                return
            leader = self.defender
            self._refill(self.defender, self.attacker)
        else:
            taker = self.defender
            self.hands[taker] = add(self.hands[taker], self.lead)
            self.known[taker] = add(self.known[taker], self.lead)
            self._note("taken", [self.lead])
            self.lead = -1
            leader = self.attacker
            self._draw(leader)
        if self.count_bout():
            self.begin(leader)

    def _note(self, what: str, faces: list[int]) -> None:
        if self.notes is not None:
            self.notes.append((what, self.defender, faces))

    def begin(self, place: int) -> None:
        """Start the bout that falls to this place."""
        self.attacker = self.turn = place
        self.defender = 1 - place

    def table_faces(self) -> list[int]:
        """The faces of all cards on the table."""
        return [self.lead] if self.lead >= 0 else []

    def open_faces(self) -> list[int]:
        """The faces on the table that can still be beaten."""
        return self.table_faces()

    def describe(self) -> dict[str, Any]:
        """The bout in progress as a position writes it."""
        return {
            "table": [[NAMES[self.lead], None]] if self.lead >= 0 else [],
            "attacker": self.attacker,
            "defender": self.defender,
        }

    def resume(self, position: Mapping[str, Any]) -> None:
        """Take up what a written position says of the bout."""
        self.begin(fields.seat(position, "attacker", 2, 0))
        if fields.seat(position, "defender", 2, self.defender) != self.defender:
            raise PositionError(f"position: seat {self.attacker} cannot attack itself")
        table = fields.table(position)
        if len(table) > 1 or (table and table[0][1] >= 0):
            raise PositionError("position: in a duel one unbeaten card at most lies on the table (R9.1)")
        if table:
            self.lead = table[0][0]
            self.turn = self.defender
        if self.is_over:
            self.turn = -1
            return
        for seat in (0, 1):
            if not self.in_play(seat):
                raise PositionError(f"position: seat {seat} has no cards left: the duel is over (R9.1)")
