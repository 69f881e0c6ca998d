"""Dealing (R2, R3): from rules and a seed to the first decision."""

from __future__ import annotations

from collections.abc import Sequence

from bots_sdk.durak.cards import ALL_FACES, FACES, SUIT_FACES, add, deck_faces
from bots_sdk.durak.errors import DurakError
from bots_sdk.durak.games import new_state
from bots_sdk.durak.rules import RuleSet
from bots_sdk.durak.shuffle import Shuffler
from bots_sdk.durak.state import GameState

MOST_REDEALS = 1000


def deal(
    rules: RuleSet,
    seats: int,
    seed: bytes,
    dealer: int = 0,
    *,
    later: bool = False,
    extra: Sequence[int] = (),
) -> GameState:
    """Deal the cards of a seed, by the algorithm of R2.3, and find who begins.

    ``later`` deals of a session begin by ``next_first`` (R3.3). ``extra`` are cards a seat is dealt over
    the hand size, seat by seat (R9.5). Raises ``RuleError`` where the rules are not for so many seats and
    ``DurakError`` for a seed under 16 bytes, an unknown dealer or extra cards that do not fit.
    """
    state = new_state(rules, seats)
    if not 0 <= dealer < seats:
        raise DurakError(f"the dealer is seat {dealer}; the seats are 0 to {seats - 1}")
    sizes = _hand_sizes(rules, seats, extra)
    state.dealer = dealer
    shuffler = Shuffler(seed)
    begins = rules.next_first if later else rules.first
    while True:
        deck = deck_faces(rules.deck, rules.packs)
        state.known = [0] * seats
        shuffler.shuffle(deck)
        if rules.game == "svoi_kozyri":
            _deal_own_trumps(state, deck)
        else:
            _deal_hands(state, deck, sizes)
        first = _first_attacker(state, begins)
        if first >= 0:
            break
        state.redeals += 1
        if state.redeals == MOST_REDEALS:
            raise DurakError(f"rules {rules.name!r}: nobody held a trump in {MOST_REDEALS} deals")
    state.first = first
    state.begin(first)
    return state


def _hand_sizes(rules: RuleSet, seats: int, extra: Sequence[int]) -> list[int]:
    if len(extra) not in (0, seats) or any(count < 0 for count in extra):
        raise DurakError(f"extra cards are {list(extra)}; one number from 0 for each of {seats} seats is needed")
    sizes = [rules.hand_size + count for count in extra] or [rules.hand_size] * seats
    if sum(sizes) > rules.cards and rules.game != "svoi_kozyri":
        raise DurakError(f"hands of {sizes} cards do not fit: there are {rules.cards}")
    return sizes


def _deal_hands(state: GameState, deck: list[int], sizes: list[int]) -> None:
    """One by one from the dealer's left; whoever has his cards is passed by (R2.1). Then the turn-up (R2.2)."""
    seats = state.seats
    left = (state.dealer + 1) % seats
    position = 0
    holder = state.dealer
    if max(sizes) == min(sizes) and state.rules.packs == 1:
        position = seats * sizes[0]
        for step in range(seats):
            hand = 0
            for face in deck[step:position:seats]:
                hand |= 1 << face
            state.hands[(left + step) % seats] = hand
    else:
        state.hands = [0] * seats
        for turn in range(max(sizes)):
            for step in range(seats):
                seat = (left + step) % seats
                if turn < sizes[seat]:
                    state.hands[seat] = add(state.hands[seat], deck[position])
                    position += 1
                    holder = seat
    if position < len(deck):
        state.turn_up = deck[position]
        state.talon = deck[position + 1 :]
        state.talon.append(state.turn_up)
        state.talon.reverse()
    else:
        state.turn_up = deck[-1]
        state.turn_up_in_hand = True
        state.known[holder] = 1 << state.turn_up
    suit = state.turn_up & 3
    state.set_trumps([suit, 3 - suit] if state.rules.second_trump else [suit])


def _deal_own_trumps(state: GameState, deck: list[int]) -> None:
    """Every six of a seat's suit to its owner, then all other cards one by one (R9.4)."""
    seats = state.seats
    lowest = FACES - state.rules.deck
    state.hands = [1 << (lowest + seat) for seat in range(seats)]
    state.known = state.hands[:]
    rest = [face for face in deck if face >= lowest + seats]
    for turn, face in enumerate(rest):
        state.hands[(state.dealer + 1 + turn) % seats] |= 1 << face
    state.set_trumps(list(range(seats)))


def _first_attacker(state: GameState, begins: str) -> int:
    """The seat that begins (R3), or -1 if the deal is thrown in."""
    seats = state.seats
    if begins == "dealer":
        return state.dealer
    if begins == "left_of_dealer":
        return (state.dealer + 1) % seats
    first, lowest = _lowest(state, [SUIT_FACES[suit] for suit in state.trumps])
    if first >= 0:
        state.lowest_trump = lowest
        state.known[first] |= 1 << lowest
    elif state.rules.no_trump == "lowest_card":
        first, _ = _lowest(state, [ALL_FACES])
    return first


def _lowest(state: GameState, among: list[int]) -> tuple[int, int]:
    """The seat with the card of the lowest rank and that card's face, -1 where there is none.

    At equal ranks the first of the masks counts, then the first seat from the dealer's left.
    """
    holder = -1
    lowest = FACES
    for mask in among:
        for step in range(1, state.seats + 1):
            seat = (state.dealer + step) % state.seats
            held = state.hands[seat] & mask
            if held:
                face = (held & -held).bit_length() - 1
                if face >> 2 < lowest >> 2:
                    lowest, holder = face, seat
    return holder, lowest
