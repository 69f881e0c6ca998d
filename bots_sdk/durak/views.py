"""What a seat, or a spectator, may know of a state."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bots_sdk.durak.cards import NAMES, SUITS, names_of
from bots_sdk.durak.errors import DurakError

if TYPE_CHECKING:
    from bots_sdk.durak.state import GameState


def view(state: GameState, seat: int | None) -> dict[str, Any]:
    """The view of a seat, or of a spectator for ``None``, as JSON values.

    It depends on nothing that the viewer cannot know: counts stand for hidden cards, and the legal moves
    are there only for the seat to move. Raises ``DurakError`` for a seat that does not exist.
    """
    if seat is not None and not 0 <= seat < state.seats:
        raise DurakError(f"there is no seat {seat}; the seats are 0 to {state.seats - 1}")
    seen: dict[str, Any] = {
        "seat": seat,
        "seats": state.seats,
        "dealer": state.dealer,
        "bout": state.bout,
        "trump": [SUITS[suit] for suit in state.trumps],
        "turn_up": NAMES[state.turn_up] if state.turn_up >= 0 else None,
        "talon": len(state.talon),
        "discarded": state.discarded,
        "hand_sizes": [hand.bit_count() for hand in state.hands],
        "known": [names_of(known) if known else [] for known in state.known],
        "to_move": state.seat_to_move,
        "over": state.is_over,
    }
    seen.update(state.describe())
    if seat is not None:
        seen["hand"] = names_of(state.hands[seat])
        seen["legal"] = [move.text for move in state.legal_moves()] if seat == state.turn else []
    return seen
