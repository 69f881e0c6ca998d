"""A deal in play: what all games of the family have in common."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from bots_sdk.durak.cards import CARDS, FACES, beating_faces, drop
from bots_sdk.durak.errors import DurakError, IllegalMove
from bots_sdk.durak.moves import Move
from bots_sdk.durak.result import DOUBLE, DealInfo, Result
from bots_sdk.durak.rules import RuleSet

_TWINS: Final = 1 << FACES
"""A hand as great as this holds some face twice."""
_BEATERS: dict[tuple[int, ...], list[int]] = {}


def beaters_with(trumps: list[int], *, cross_trump: bool) -> list[int]:
    """For each face the mask of the faces that beat it with these trump suits, computed once."""
    key = (*trumps, -1) if cross_trump else tuple(trumps)
    if key not in _BEATERS:
        _BEATERS[key] = beating_faces(trumps, cross_trump=cross_trump)
    return _BEATERS[key]


class GameState:
    """A deal at a decision, or over. Made by ``deal`` or ``GameState.from_position``, changed by ``play``.

    The hidden cards are all here: what a seat may know is ``view(seat)``. Seats are 0 to ``seats - 1``,
    clockwise. ``bout`` counts bouts from 1. Inside, cards are faces and hands are masks (see ``cards``);
    ``talon`` is drawn from its end, so that its first card is the turn-up.
    """

    def __init__(self, rules: RuleSet, seats: int) -> None:
        rules.check_seats(seats)
        self.rules = rules
        self.seats = seats
        self.dealer = 0
        self.hands: list[int] = [0] * seats
        self.known: list[int] = [0] * seats
        self.talon: list[int] = []
        self.trumps: list[int] = []
        self.beaters: list[int] = []
        self.turn_up = -1
        self.turn_up_in_hand = False
        self.lowest_trump = -1
        self.first = 0
        self.redeals = 0
        self.discarded = 0
        self.bout = 1
        self.attacker = 0
        self.defender = 0
        self.turn = -1
        self.is_over = False
        self.result: Result | None = None
        self.history: dict[tuple[int, ...], int] = {}
        self.notes: list[tuple[str, int, list[int]]] | None = None
        """Where a ``Chronicle`` has the engine note what no move shows: draws, ends of bouts, new trumps."""
        self.side_of = [rules.team_of(seat) for seat in range(seats)]
        """For each seat its team, without teams itself."""
        self._offered: tuple[Move, ...] = ()
        self._hand_size = rules.hand_size
        self._out_at_once = rules.out_when == "immediate"
        self._next_trump = -1

    @property
    def seat_to_move(self) -> int | None:
        """The seat that decides now; ``None`` when the deal is over."""
        return None if self.is_over else self.turn

    @property
    def deal_info(self) -> DealInfo:
        """The public facts of how the deal began; of a position, as far as it tells."""
        return DealInfo(
            dealer=self.dealer,
            first=self.first,
            trumps=tuple(["SHDC"[suit] for suit in self.trumps]),
            turn_up=CARDS[self.turn_up] if self.turn_up >= 0 else None,
            turn_up_in_hand=self.turn_up_in_hand,
            lowest_trump=CARDS[self.lowest_trump] if self.lowest_trump >= 0 else None,
            redeals=self.redeals,
        )

    def legal_moves(self) -> tuple[Move, ...]:
        """Every legal move, each once, in an order that depends on the position only; none when over."""
        if not self._offered and not self.is_over:
            self._offered = self._moves()
        return self._offered

    def verify(self, move: Move) -> None:
        """Raise ``IllegalMove`` with the rule and the reason if the seat to move may not make this move."""
        if self.is_over:
            raise IllegalMove("R6.3", "the deal is over: nobody moves any more", move.cards)
        self._verify(move)

    def play(self, move: Move) -> None:
        """Make a move. Raises ``IllegalMove``, and changes nothing, if the rules forbid it."""
        for offered in self._offered:
            if offered is move:
                break
        else:
            self.verify(move)
        self._offered = ()
        self._apply(move)

    def fault(self, seat: int) -> None:
        """End the deal because this seat can play no more: it, with its team, is the durak."""
        if self.is_over:
            raise DurakError(f"seat {seat} cannot be at fault: the deal is over")
        if not 0 <= seat < self.seats:
            raise DurakError(f"seat {seat} cannot be at fault: the seats are 0 to {self.seats - 1}")
        self._finish(seat, "fault")

    def view(self, seat: int | None) -> dict[str, Any]:
        """What this seat may know, as JSON values; ``None`` is a spectator. See ``docs/engine.md``."""
        from bots_sdk.durak.views import view

        return view(self, seat)

    def to_position(self) -> dict[str, Any]:
        """The whole position with all hidden cards, as JSON values. See ``docs/rules.md``."""
        from bots_sdk.durak.positions import write

        return write(self)

    @staticmethod
    def from_position(position: Mapping[str, Any]) -> GameState:
        """The state of a written position. Raises ``PositionError`` saying what is wrong and where."""
        from bots_sdk.durak.positions import read

        return read(position)

    def copy(self) -> GameState:
        """An independent copy, which no ``Chronicle`` watches."""
        twin = type(self)(self.rules, self.seats)
        twin.copy_from(self)
        return twin

    def __copy__(self) -> GameState:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, Any]) -> GameState:
        return self.copy()

    def __reduce__(self) -> tuple[Callable[[Mapping[str, Any]], GameState], tuple[dict[str, Any]]]:
        # A compiled class cannot be pickled by its fields; a position holds them all.
        from bots_sdk.durak.positions import read

        return (read, (self.to_position(),))

    def copy_from(self, other: GameState) -> None:
        """Take over all that another state of the same game holds."""
        self.dealer = other.dealer
        self.hands = other.hands[:]
        self.known = other.known[:]
        self.talon = other.talon[:]
        self.trumps = other.trumps
        self.beaters = other.beaters
        self.turn_up = other.turn_up
        self.turn_up_in_hand = other.turn_up_in_hand
        self.lowest_trump = other.lowest_trump
        self.first = other.first
        self.redeals = other.redeals
        self.discarded = other.discarded
        self.bout = other.bout
        self.attacker = other.attacker
        self.defender = other.defender
        self.turn = other.turn
        self.is_over = other.is_over
        self.result = other.result
        self.history = other.history.copy()
        self._offered = other._offered
        self._next_trump = other._next_trump

    # What each game of the family says for itself.

    def begin(self, place: int) -> None:
        """Start the bout that falls to this place."""
        raise NotImplementedError

    def resume(self, position: Mapping[str, Any]) -> None:
        """Take up what a written position says of the bout in progress."""
        raise NotImplementedError

    def describe(self) -> dict[str, Any]:
        """The bout in progress as a position writes it: all of it is public."""
        raise NotImplementedError

    def table_faces(self) -> list[int]:
        """The faces of all cards on the table."""
        raise NotImplementedError

    def open_faces(self) -> list[int]:
        """The faces on the table that can still be beaten."""
        raise NotImplementedError

    def is_answering(self) -> bool:
        """Whether the seat to move is to beat what lies there, for itself or (R8.3) for its partner."""
        return self.turn == self.defender and self.table_faces() != []

    def _moves(self) -> tuple[Move, ...]:
        raise NotImplementedError

    def _verify(self, move: Move) -> None:
        raise NotImplementedError

    def _apply(self, move: Move) -> None:
        raise NotImplementedError

    # What they share.

    def set_trumps(self, trumps: list[int]) -> None:
        """Name the trump suits, as suit numbers."""
        self.trumps = trumps
        self.beaters = beaters_with(trumps, cross_trump=self.rules.cross_trump)

    def in_play(self, seat: int) -> bool:
        """Whether this seat holds cards or can still draw some (R6.1)."""
        return self.hands[seat] != 0 or (len(self.talon) > 0 and not self._out_at_once)

    def next_with_cards(self, seat: int) -> int:
        """The first seat that holds cards, from this one on clockwise."""
        candidate = seat
        while not self.hands[candidate]:
            candidate += 1
            if candidate == self.seats:
                candidate = 0
            if candidate == seat:
                break
        return candidate

    def _put_down(self, face: int) -> None:
        """Move a card from the hand of the seat to move to the table."""
        seat = self.turn
        hand = self.hands[seat]
        bit = 1 << face
        self.hands[seat] = hand ^ bit if hand < _TWINS else drop(hand, face)
        known = self.known[seat]
        if known & bit:
            self.known[seat] = known ^ bit if known < _TWINS else drop(known, face)

    def require_held(self, move: Move, rule: str) -> None:
        """Raise ``IllegalMove`` if the seat to move does not hold each card as often as the move names it."""
        hand = self.hands[self.turn]
        for card in move.cards:
            face = card.index
            held = (hand >> face & 1) + (hand >> (face + FACES) & 1)
            named = move.cards.count(card)
            if held == 0:
                raise IllegalMove(rule, f"{card.symbol} is not in your hand", (card,))
            if named > held:
                times = "twice" if named == 2 else f"{named} times"
                only = "one" if held == 1 else "two"
                raise IllegalMove("R1", f"{card.symbol} is named {times}, but you hold only {only}", (card,))

    def _refill(self, first: int, last: int) -> None:
        """Draw up to the hand size: first, then clockwise, last at the end (R5.3)."""
        seat = first
        for _ in range(self.seats):
            if not self.talon:
                return
            if seat != last:
                self._draw(seat)
            seat += 1
            if seat == self.seats:
                seat = 0
        self._draw(last)

    def _draw(self, seat: int) -> None:
        hand = self.hands[seat]
        if hand == 0 and self._out_at_once:
            return
        talon = self.talon
        missing = self._hand_size - hand.bit_count()
        if missing <= 0 or not talon:
            return
        drawn: list[int] = []
        while missing > 0 and talon:
            face = talon.pop()
            bit = 1 << face
            hand |= bit << FACES if hand & bit else bit
            missing -= 1
            drawn.append(face)
            if len(talon) < 2:
                self._reached_bottom(seat, face)
        self.hands[seat] = hand
        if self.notes is not None:
            self.notes.append(("draw", seat, drawn))

    def _reached_bottom(self, seat: int, face: int) -> None:
        """The turn-up goes to a hand in the open; so does, in severny, the card before it (R9.3)."""
        if self.talon:
            if not self.rules.last_card_trump:
                return
            self._next_trump = face
        bit = 1 << face
        self.known[seat] |= bit << FACES if self.known[seat] & bit else bit

    def _change_trump(self) -> None:
        self.set_trumps([self._next_trump & 3])
        if self.notes is not None:
            self.notes.append(("trump_change", self.turn, [self._next_trump]))
        self._next_trump = -1

    def count_bout(self) -> bool:
        """Go on to the next bout, or end the deal when there is none (R6.4).

        A new trump holds from the next bout (R9.3).
        """
        if self._next_trump >= 0:
            self._change_trump()
        if self.bout >= self.rules.max_bouts:
            self._finish(-1, "max_bouts")
            return False
        self.bout += 1
        return True

    def seen_thrice(self) -> bool:
        """Count this start of a bout, with the talon empty; end the deal at the third of a kind (R6.4)."""
        key = (self.attacker, *self.hands)
        times = self.history.get(key, 0) + 1
        self.history[key] = times
        if times < 3:
            return False
        self._finish(-1, "repetition")
        return True

    def end_if_decided(self) -> bool:
        """End the deal if at most one side is in play (R6.3, R8.2)."""
        if self.talon and not self._out_at_once:
            return False
        holder = -1
        for seat in range(self.seats):
            if self.hands[seat]:
                if holder >= 0 and self.side_of[holder] != self.side_of[seat]:
                    return False
                holder = seat
        rules = self.rules
        if holder >= 0:
            self._finish(holder, "last_holder" if rules.teams == "none" else "team")
        elif rules.both_empty == "draw":
            self._finish(-1, "both_empty")
        else:
            self._finish(self.defender, "both_empty")
        return True

    def _finish(self, durak: int, reason: str) -> None:
        """End the deal: this seat and its team are the durak, -1 for a draw."""
        left = tuple([hand.bit_count() for hand in self.hands])
        duraks = [seat for seat in range(self.seats) if durak >= 0 and self.side_of[seat] == self.side_of[durak]]
        self.result = Result(
            duraks=frozenset(duraks),
            reason=reason,
            cards_left=left,
            double=max([left[seat] for seat in duraks], default=0) > DOUBLE,
        )
        self.is_over = True
        self.turn = -1
        self._offered = ()


def refuse(rule: str, message: str, move: Move) -> IllegalMove:
    """The refusal of a move for a reason that concerns all its cards."""
    return IllegalMove(rule, message, move.cards)
