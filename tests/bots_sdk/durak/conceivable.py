"""Every move that anybody could think of in a position, and the same position with the hidden cards mixed."""

from __future__ import annotations

import random
from itertools import combinations
from typing import Any

from bots_sdk.durak import Card, GameState, Move
from bots_sdk.durak.cards import CARDS, cards_of


def conceivable(state: GameState) -> set[Move]:
    """All moves of one card, all attacks of two, all of more cards out of the hand that its size allows, and
    attacks of one rank beyond what the hand holds."""
    moves = {Move("take"), Move("pass")}
    moves |= {Move(kind, (card,)) for kind in ("attack", "transfer", "show") for card in CARDS}
    moves |= {Move("beat", (card,), target) for card in CARDS for target in CARDS}
    moves |= {Move("attack", (one, other)) for one in CARDS for other in CARDS}
    hand = cards_of(state.hands[state.turn])
    for rank in range(13):
        same = [card for card in hand if card.index // 4 == rank] + [CARDS[rank * 4]]
        for count in range(2, min(len(same), 7) + 1):
            moves |= {Move("attack", tuple(chosen)) for chosen in combinations(same, count)}
    if state.rules.game == "prostoy":
        few = hand[:11]
        for count in (3, 4, 5):
            moves |= {Move("attack", tuple(chosen)) for chosen in combinations(few, count)}
    return moves


def remixed(state: GameState, viewer: int | None, choose: random.Random) -> GameState:
    """The same position to this viewer, with the cards he cannot know dealt out differently."""
    position = state.to_position()
    known = position.get("known", [[] for _ in position["hands"]])
    open_hands = [_kept(hand, known[seat], seat == viewer) for seat, hand in enumerate(position["hands"])]
    bottom = position["talon"][-1:]
    hidden = [card for seat, hand in enumerate(position["hands"]) for card in _less(hand, open_hands[seat])]
    hidden += position["talon"][:-1]
    choose.shuffle(hidden)
    changed: dict[str, Any] = {**position, "hands": []}
    for seat, hand in enumerate(position["hands"]):
        missing = len(hand) - len(open_hands[seat])
        changed["hands"].append(open_hands[seat] + hidden[:missing])
        hidden = hidden[missing:]
    changed["talon"] = hidden + bottom
    changed.pop("history", None)
    return GameState.from_position(changed)


def _kept(hand: list[str], known: list[str], own: bool) -> list[str]:
    return list(hand) if own else list(known)


def _less(hand: list[str], kept: list[str]) -> list[str]:
    rest = list(hand)
    for card in kept:
        rest.remove(card)
    return rest


def all_cards(state: GameState) -> list[Card]:
    """Every card in hands, talon and table."""
    faces = state.talon + state.table_faces()
    return [card for hand in state.hands for card in cards_of(hand)] + [CARDS[face] for face in faces]
