"""Why a card of the seat to move cannot be played: the hint on a dimmed card (R12)."""

from __future__ import annotations

from bots_sdk.durak.cards import Card, cards_of
from bots_sdk.durak.errors import IllegalMove
from bots_sdk.durak.moves import ATTACKS, BEATS, TRANSFERS, Move
from bots_sdk.durak.state import GameState


def why_not(state: GameState, move: Move) -> IllegalMove | None:
    """Why the seat to move may not make this move; ``None`` if it may."""
    try:
        state.verify(move)
    except IllegalMove as refusal:
        return refusal
    return None


def hints(state: GameState) -> dict[Card, IllegalMove]:
    """For each card in the hand of the seat to move that no legal move plays, why it cannot be played.

    The reason is that of the move a player would try with it: beating the one card or the highest unbeaten
    card that lies there, for a partner too (R8.3), transferring where cards can be transferred, else attacking
    or throwing in.
    """
    if state.is_over:
        return {}
    playable = {card for move in state.legal_moves() for card in move.cards}
    answering = state.is_answering()
    found: dict[Card, IllegalMove] = {}
    for card in dict.fromkeys(cards_of(state.hands[state.turn])):
        if card not in playable:
            refusal = why_not(state, _attempt(state, card) if answering else ATTACKS[card.index])
            if refusal is not None:
                found[card] = refusal
    return found


def _attempt(state: GameState, card: Card) -> Move:
    open_faces = state.open_faces()
    may_transfer = state.rules.transfer != "none" and state.turn == state.defender
    if may_transfer and any(face >> 2 == card.index >> 2 for face in open_faces):
        return TRANSFERS[card.index]
    same_suit = [face for face in open_faces if face & 3 == card.index & 3]
    return BEATS[max(same_suit or open_faces)][card.index]
