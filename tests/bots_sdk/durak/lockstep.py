"""Walks the fast and the slow referee through one deal together and compares them at each decision."""

from __future__ import annotations

import json
import random
from functools import cache
from typing import Any

from bots_sdk.durak import Card, GameState, Move
from bots_sdk.durak.cards import names_of
from tests.bots_sdk.durak.slow_cards import RANKS, SUITS, move_text
from tests.bots_sdk.durak.slow_referee import SlowReferee

FACES: dict[int | None, str] = {Card.parse(rank + suit).index: rank + suit for rank in RANKS for suit in SUITS}

STYLES: tuple[dict[str, float], ...] = (
    {},
    {"take": 0.05},
    {"pass": 0.1},
    {"pass": 0.1, "take": 0.05},
    {"pass": 3.0},
    {"t": 8.0, "s": 8.0, "take": 0.3},
)
"""How the random players lean: the weight of a kind of move beside 1 for any other."""


def text_of(move: Move) -> str:
    """The fast referee's move in the slow one's words."""
    target = None if move.target is None else FACES[move.target.index]
    return move_text(move.kind, [FACES[card.index] for card in move.cards], target)


def slow_from(position: dict[str, Any], seats: int) -> SlowReferee:
    """The slow referee at the fast one's first decision. Only the dealt cards are taken over."""
    trump = position["trump"]
    return SlowReferee(
        options=position["rules"],
        hands=position["hands"],
        talon=position["talon"],
        trumps=[trump] if isinstance(trump, str) else list(trump),
        first=position["attacker"],
        bout=position["bout"],
        discarded=position["discarded"],
    )


@cache
def names(hand: int) -> list[str]:
    """A hand of the fast referee in words; most hands are asked for at many decisions."""
    return sorted(names_of(hand))


def fast_facts(state: GameState, moves: dict[str, Move]) -> tuple[Any, ...]:
    """What the fast referee says of the position; read from its fields, since `to_position` is slow."""
    facts = (
        state.seat_to_move,
        moves.keys(),
        [names(hand) for hand in state.hands],
        [FACES[face] for face in reversed(state.talon)],
        state.discarded,
    )
    if state.result is not None:
        result = state.result
        return (*facts, sorted(result.duraks), result.reason, list(result.cards_left))
    pairs = zip(state.attacks, state.defences, strict=True)
    table = sorted([FACES[attack], FACES.get(answer, "")] for attack, answer in pairs)
    return (*facts, table, state.attacker, state.defender, state.taking, state.limit, state.bout)


def slow_facts(deal: SlowReferee) -> tuple[Any, ...]:
    """The same of the slow one."""
    facts = (
        deal.to_move,
        deal.legal(),
        [sorted(hand) for hand in deal.hands],
        deal.talon,
        deal.discarded,
    )
    if deal.over:
        return (*facts, deal.duraks, deal.reason, [len(hand) for hand in deal.hands])
    table = sorted([str(attack), answer or ""] for attack, answer in deal.table)
    taking = deal.taking or deal.helping
    return (*facts, table, deal.attacker, deal.defender, taking, deal.limit(), deal.bout)


FACT_NAMES = (
    *("seat_to_move", "legal", "hands", "talon", "discarded"),
    *("table or duraks", "attacker or reason", "defender or cards left", "taking", "limit", "bout"),
)


def choose(rng: random.Random, legal: list[str], style: dict[str, float]) -> str:
    """One of the legal moves, leaning as `style` says."""
    weights = [style.get(move, style.get(move[0], 1.0)) for move in legal]
    return rng.choices(legal, weights)[0]


def walk(state: GameState, rng: random.Random) -> str:
    """Play `state` to its end in both; returns the reason it ended.

    Halfway, the fast one is written down as a position and goes on from what is read back.
    Raises AssertionError with the moves so far and both accounts at the first difference.
    """
    start = state.to_position()
    deal = slow_from(start, state.seats)
    style = rng.choice(STYLES)
    halfway = rng.randrange(60)
    played: list[str] = []
    while True:
        legal = state.legal_moves()
        moves = {text_of(move): move for move in legal}
        assert len(moves) == len(legal), f"a move is listed twice: {legal}"
        fast, slow = fast_facts(state, moves), slow_facts(deal)
        if fast != slow:
            pairs = zip(FACT_NAMES, fast, slow, strict=False)
            differences = {name: (one, two) for name, one, two in pairs if one != two}
            raise AssertionError(f"(fast, slow): {differences}\nafter {played}\nfrom {start}")
        if deal.over:
            return deal.reason
        if len(played) == halfway:
            state = GameState.from_position(json.loads(json.dumps(state.to_position())))
        choice = choose(rng, sorted(moves), style)
        played.append(choice)
        state.play(moves[choice])
        deal.play(choice)
