"""Podkidnoy, perevodnoy and all their kin: bouts with throwing in, transfers, teams (R4 to R8)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, cast

from bots_sdk.durak import bout_refusals
from bots_sdk.durak.bout_refusals import DEFEND, HELP, OPEN, THROW
from bots_sdk.durak.cards import ALL_FACES, RANK_FACES, SUIT_FACES, hand_of, merge
from bots_sdk.durak.moves import BEATS, PASS, SHOWS, TAKE, TRANSFERS, Move, attacks, each
from bots_sdk.durak.rules import RuleSet
from bots_sdk.durak.state import GameState

_ONLY_PASS: Final = (PASS,)


class BoutState(GameState):
    """A deal of the bout family. ``attacker`` is the main attacker.

    ``attacks`` and ``defences`` are the table, pair by pair, -1 where nothing beats the attack yet;
    ``ranks`` is the mask of the faces whose rank lies there. ``attack_place`` and ``defend_place`` are the
    places whose turn it is; without teams they are the seats themselves (R8.1).
    """

    def __init__(self, rules: RuleSet, seats: int) -> None:
        super().__init__(rules, seats)
        self.phase = OPEN
        self.attacks: list[int] = []
        self.defences: list[int] = []
        self.ranks = 0
        self.unbeaten = 0
        self.limit = 0
        self.taking = False
        self.passed = 0
        self.throwers: list[int] = []
        self.opener = 0
        self.opener_place = 0
        self.attack_place = 0
        self.defend_place = 0
        self.shown = 0
        self.neighbours_only = rules.throwers_at(seats) == "neighbours"
        self.attacker_only = rules.throwers_at(seats) == "attacker" or seats == 2
        self.has_first_limit = rules.first_limit != "none"
        self.max_attack = rules.max_attack
        self.multi_open = rules.multi_open
        self.throws_on_take = rules.throw_on_take
        self.any_time = rules.throw_when == "any_time"
        self.transfers = rules.transfer != "none"
        self.shows = rules.transfer == "proyezdnoy"
        self.teams = rules.teams != "none"
        self.helps = rules.teams == "adjacent"
        self.ends_at_once = rules.end_check == "immediate"

    def copy_from(self, state: GameState) -> None:
        """Take over all that another state of the bout family holds."""
        super().copy_from(state)
        other = cast("BoutState", state)
        self.phase = other.phase
        self.attacks = other.attacks[:]
        self.defences = other.defences[:]
        self.ranks = other.ranks
        self.unbeaten = other.unbeaten
        self.limit = other.limit
        self.taking = other.taking
        self.passed = other.passed
        self.throwers = other.throwers
        self.opener = other.opener
        self.opener_place = other.opener_place
        self.attack_place = other.attack_place
        self.defend_place = other.defend_place
        self.shown = other.shown

    # What may be done

    def _moves(self) -> tuple[Move, ...]:
        hand = self.hands[self.turn]
        if self.phase == THROW:
            fitting = hand & self.ranks
            return (*attacks(fitting, 1), PASS) if fitting else _ONLY_PASS
        if self.phase == OPEN:
            return tuple(self._openings(hand))
        if self.unbeaten == 1:
            target = self.attacks[self.defences.index(-1)]
            moves = each(hand & self.beaters[target], BEATS[target])
        else:
            moves = []
            for target in sorted(set(self.open_faces())):
                moves += each(hand & self.beaters[target], BEATS[target])
        if self.phase == HELP:
            moves.append(PASS)
        else:
            if self.transfers:
                moves += self._transfers(hand)
            moves.append(TAKE)
        return tuple(moves)

    def _openings(self, hand: int) -> list[Move]:
        return attacks(hand, self.limit if self.multi_open else 1)

    def _transfers(self, hand: int) -> list[Move]:
        ranks = self.ranks
        same = hand & ranks & ALL_FACES
        if not same or bout_refusals.no_transfer(self) is not None:
            return []
        moves: list[Move] = []
        if bout_refusals.no_room_after(self, 1) is None:
            moves = each(same, TRANSFERS)
        if self.shows and bout_refusals.no_room_after(self, 0) is None:
            moves += each(same & ~self.shown & self._trump_faces(), SHOWS)
        return moves

    def _trump_faces(self) -> int:
        mask = 0
        for suit in self.trumps:
            mask |= SUIT_FACES[suit]
        return mask

    def _verify(self, move: Move) -> None:
        bout_refusals.verify(self, move)

    def check_opening(self, move: Move) -> None:
        """Raise ``IllegalMove`` if these cards cannot open the bout."""
        bout_refusals.verify_opening(self, move)

    # What a move does

    def _apply(self, move: Move) -> None:
        kind = move.kind
        if kind == "attack":
            for card in move.cards:
                self._attack(card.index)
        elif kind == "beat":
            self._beat(move)
        elif kind == "pass":
            if self.phase == HELP:
                self.phase = THROW
            else:
                self.passed |= 1 << self.turn
        elif kind == "take":
            self.taking = True
            self.passed = 0
            partner = self.helper()
            if partner >= 0:
                self.phase = HELP
                self.turn = partner
                return
        else:
            if kind == "transfer":
                self._attack(move.face)
            else:
                self._show(move.face)
            self._pass_on()
        if self.ends_at_once and self.end_if_decided():
            return
        self.settle()

    def _attack(self, face: int) -> None:
        self._put_down(face)
        self.attacks.append(face)
        self.defences.append(-1)
        self.ranks |= RANK_FACES[face]
        self.unbeaten += 1

    def _beat(self, move: Move) -> None:
        face = move.face
        self._put_down(face)
        pair = self.attacks.index(move.target_face)
        while self.defences[pair] >= 0:
            pair = self.attacks.index(move.target_face, pair + 1)
        self.defences[pair] = face
        self.ranks |= RANK_FACES[face]
        self.unbeaten -= 1
        self.passed = 0
        if self.unbeaten == 0:
            self.taking = False

    def _show(self, face: int) -> None:
        self.shown |= 1 << face
        if not self.known[self.turn] >> face & 1:
            self.known[self.turn] |= 1 << face

    def _pass_on(self) -> None:
        """The next place defends; who is main attacker is R7.3's choice."""
        transferrer = self.turn
        place = self.defend_place
        self.defender, self.defend_place = self.defender_after(self.turn, place)
        opens = self.side_of[self.opener] != self.side_of[self.defender]
        if self.rules.transfer_lead == "original" and opens:
            self.attacker = self.opener
            self.attack_place = self.opener_place
        else:
            self.attacker = transferrer
            self.attack_place = place
        self.limit = self.limit_of(self.hands[self.defender].bit_count())
        self.passed = 0
        self.seat_throwers()

    def helper(self) -> int:
        """The partner who may beat for the defender that takes, or -1 (R8.3)."""
        if self.helps:
            for seat in range(self.seats):
                if seat != self.defender and not self._opposed(seat) and self.hands[seat]:
                    return seat
        return -1

    def settle(self) -> None:
        """Ask who is to be asked next, or close the bout (R4.5 to R4.7)."""
        if self.phase == HELP:
            if self.unbeaten and self.hands[self.turn]:
                return
            self.phase = THROW
        room = len(self.attacks) < self.limit
        if self.taking:
            if not (room and self.throws_on_take and self._ask()):
                self._taken()
        elif self.unbeaten == 0:
            if not (room and self.hands[self.defender] and self._ask()):
                self._beaten()
        elif not (self.any_time and room and self._ask()):
            self.phase = DEFEND
            self.turn = self.defender

    def _ask(self) -> bool:
        """Ask the first thrower with cards who has not passed; false if there is none (R4.6)."""
        if self.neighbours_only and (self._out_at_once or not self.talon):
            self.seat_throwers()
        passed = self.passed
        for seat in self.throwers:
            if not passed >> seat & 1 and self.hands[seat]:
                self.phase = THROW
                self.turn = seat
                return True
        return False

    def _beaten(self) -> None:
        self.discarded += 2 * len(self.attacks)
        if self.notes is not None:
            self.notes.append(("beaten", self.defender, self.table_faces()))
        self._close(self.defend_place)

    def _taken(self) -> None:
        taker = self.defender
        table = self.table_faces()
        cards = hand_of(table)
        self.hands[taker] = merge(self.hands[taker], cards)
        self.known[taker] = merge(self.known[taker], cards)
        if self.notes is not None:
            self.notes.append(("taken", taker, table))
        self._close_taken()

    def _close_taken(self) -> None:
        if self.rules.after_take == "left_of_defender":
            self._close((self.defend_place + 1) % self.seats)
        else:
            self._close(self.attack_place if self.teams else self.attacker)

    def _close(self, place: int) -> None:
        self.attacks = []
        self.defences = []
        self.ranks = 0
        self.unbeaten = 0
        self.taking = False
        self.passed = 0
        if self.shown and self.rules.show_limit == "bout":
            self.shown = 0
        if self.talon:
            self._refill(self.attacker, self.defender)
        if self.end_if_decided() or not self.count_bout():
            return
        self.begin(place)

    # Who plays

    def begin(self, place: int) -> None:
        """Start the bout that falls to this place."""
        if self.teams:
            self.attack_place = place
            self.attacker = self._stand_in(place)
            self.defender, self.defend_place = self.defender_after(self.attacker, place)
        else:
            attacker = place if self.hands[place] else self.next_with_cards(place)
            defender = attacker + 1 if attacker + 1 < self.seats else 0
            if not self.hands[defender]:
                defender = self.next_with_cards(defender)
            self.attacker = self.attack_place = attacker
            self.defender = self.defend_place = defender
        self.opener = self.attacker
        self.opener_place = self.attack_place
        self.phase = OPEN
        self.turn = self.attacker
        if not self.talon and self.seen_thrice():
            return
        self.limit = self.limit_of(self.hands[self.defender].bit_count())
        if self.attacker_only:
            self.throwers = [self.attacker]
        else:
            self.seat_throwers()

    def defender_after(self, seat: int, place: int) -> tuple[int, int]:
        """Whom this seat, playing at this place, attacks or transfers to: the defender and his place.

        Without teams it is the next seat in play (R4.1, R7.1), with teams the next opponents' place and
        whoever plays there (R8.1, R8.3).
        """
        team = self.side_of[seat]
        for step in range(1, self.seats):
            other = (place + step) % self.seats
            if self.teams:
                if self.side_of[other] != team:
                    return self._stand_in(other), other
            elif self.in_play(other):
                return other, other
        return place, place

    def _stand_in(self, place: int) -> int:
        """Who plays at this place: its own player, else the next of his team with cards (R8.1)."""
        if self.in_play(place):
            return place
        team = self.side_of[place]
        for step in range(1, self.seats):
            seat = (place + step) % self.seats
            if self.hands[seat] and self.side_of[seat] == team:
                return seat
        return place

    def limit_of(self, held: int) -> int:
        """The most attack cards in a bout against a defender with so many cards (R4.3)."""
        limit = min(self.max_attack, held)
        return 5 if limit > 5 and self.has_first_limit and self.is_early() else limit

    def is_early(self) -> bool:
        """Whether a bout still has at most five attack cards (R4.3)."""
        if self.rules.first_limit == "first_bout":
            return self.bout == 1
        return self.rules.first_limit == "until_discard" and self.discarded == 0

    def _opposed(self, seat: int) -> bool:
        return self.side_of[seat] != self.side_of[self.defender]

    def seat_throwers(self) -> None:
        """Put the seats that may throw in into the order in which they are asked (R4.4, R4.6)."""
        if self.attacker_only:
            self.throwers = [self.attacker]
            return
        first = self.attacker
        order = [*range(first, self.seats), *range(first)]
        if self.neighbours_only:
            left, right = self._neighbour(1), self._neighbour(-1)
            self.throwers = [seat for seat in order if seat in (left, right)]
        else:
            self.throwers = [seat for seat in order if self._opposed(seat)]

    def _neighbour(self, step: int) -> int:
        seat = (self.defender + step) % self.seats
        while seat != self.defender:
            if self._opposed(seat) and self.in_play(seat):
                return seat
            seat = (seat + step) % self.seats
        return -1

    # Positions

    def is_answering(self) -> bool:
        """Whether the seat to move is to beat what lies there, for itself or (R8.3) for its partner."""
        return self.phase in (DEFEND, HELP)

    def table_faces(self) -> list[int]:
        """The faces of all cards on the table."""
        return self.attacks + [face for face in self.defences if face >= 0]

    def beaten(self) -> int:
        """How many attack cards are beaten."""
        return len(self.attacks) - self.unbeaten

    def open_faces(self) -> list[int]:
        """The faces on the table that can still be beaten."""
        return [attack for i, attack in enumerate(self.attacks) if self.defences[i] < 0]

    def describe(self) -> dict[str, Any]:
        """The bout in progress as a position writes it."""
        from bots_sdk.durak.bout_positions import describe

        return describe(self)

    def resume(self, position: Mapping[str, Any]) -> None:
        """Take up what a written position says of the bout."""
        from bots_sdk.durak.bout_positions import resume

        resume(self, position)
