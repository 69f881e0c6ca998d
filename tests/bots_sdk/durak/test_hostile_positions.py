"""Positions that were tampered with: refused with the reason, or sound enough to be played to an end."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from bots_sdk.durak import GameState, RuleSet, deal

JUNK: tuple[Any, ...] = (
    *(None, True, False, -1, 0, 1, 2, 3, 5, 7, 300, 10**6, "", "S", "H", "8S", "6H", "podkidnoy", "duel", {}),
    *([], [0], [1], [0, 1], [[0]], ["8S"], ["6S", "6H"], [["8S", None]], [["8S", "9S"]], ["S", "H"], ["S", "H", "D"]),
)
MORE_KEYS = (
    *("helping", "taking", "passed", "shown", "opener", "attack_place", "defend_place", "opener_place"),
    *("pile", "added", "history", "known", "limit", "result"),
)
MOST_MOVES = 20_000


def cards_in(state: GameState) -> int:
    """All cards that a position accounts for."""
    position = state.to_position()
    on_table = sum(card is not None for pair in position["table"] for card in pair) + len(position.get("pile", []))
    return sum(map(len, position["hands"])) + len(position["talon"]) + position["discarded"] + on_table


def some_position(rng: random.Random) -> dict[str, Any]:
    rules = RuleSet.preset(rng.choice(sorted(RuleSet.presets())))
    state = deal(rules, seats=rng.choice(rules.seat_counts), seed=rng.randbytes(16))
    for _ in range(rng.choice((0, 1, 2, 5, 20, 60, 100))):
        if not state.is_over:
            state.play(rng.choice(state.legal_moves()))
    position: dict[str, Any] = json.loads(json.dumps(state.to_position()))
    return position


def tamper(position: dict[str, Any], rng: random.Random) -> None:
    """Drop, replace, move or shorten something."""
    key = rng.choice([*position, *MORE_KEYS])
    value = position.get(key)
    if rng.random() < 0.15:
        position.pop(key, None)
    elif not isinstance(value, list) or not value or rng.random() < 0.3:
        position[key] = rng.choice(JUNK)
    else:
        at = rng.randrange(len(value))
        inner = value[at]
        if isinstance(inner, list) and inner and rng.random() < 0.7:
            card = inner.pop(rng.randrange(len(inner)))
            rng.choice([inner, *(other for other in value if isinstance(other, list))]).append(
                card if rng.random() < 0.7 else rng.choice(JUNK)
            )
        elif rng.random() < 0.5:
            value.pop(at)
        else:
            value[at] = rng.choice(JUNK)


def attempt(number: int) -> bool:
    """Tamper with one position; whether it was accepted (and then played to its end)."""
    rng = random.Random(number)
    position = some_position(rng)
    for _ in range(rng.choice((1, 1, 2, 3))):
        tamper(position, rng)
    if rng.random() < 0.6:
        position.pop("discarded", None)
    try:
        state = GameState.from_position(position)
    except ValueError:
        return False
    total, written = cards_in(state), state.to_position()
    assert total == state.rules.cards
    again = GameState.from_position(json.loads(json.dumps(written)))
    assert again.to_position() == written
    assert again.legal_moves() == state.legal_moves()
    for _ in range(MOST_MOVES):
        if state.is_over:
            break
        state.play(rng.choice(state.legal_moves()))
        assert cards_in(state) == total
    assert state.result is not None
    assert not state.legal_moves()
    return True


def test_a_tampered_position_is_refused_or_can_be_played_to_its_end() -> None:
    accepted = [attempt(number) for number in range(120)]
    assert any(accepted)
    assert not all(accepted)


@pytest.mark.slow
@pytest.mark.parametrize("chunk", range(4))
def test_thousands_of_tampered_positions_are_refused_or_can_be_played_to_their_end(chunk: int) -> None:
    for number in range(1000 + chunk * 300, 1300 + chunk * 300):
        attempt(number)
