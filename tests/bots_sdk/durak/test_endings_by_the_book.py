"""How deals end, for every preset and seat count: every card is somewhere, and the end can be written down."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from bots_sdk.durak import DealRecord, Fault, GameState, RuleSet, deal

TABLES = [(name, seats) for name, rules in RuleSet.presets().items() for seats in rules.seat_counts]


def cards_of(position: dict[str, Any]) -> list[str]:
    """Every card that is named in a position."""
    on_table = [card for pair in position["table"] for card in pair if card is not None]
    return [*on_table, *position["talon"], *position.get("pile", []), *(c for hand in position["hands"] for c in hand)]


@pytest.mark.parametrize(("preset", "seats"), TABLES)
def test_a_deal_ends_with_every_card_somewhere_and_its_end_is_written_and_read(preset: str, seats: int) -> None:
    rules, rng = RuleSet.preset(preset), random.Random(f"{preset} {seats}")
    for _ in range(3):
        seed, moves = rng.randbytes(16), []
        state = deal(rules, seats=seats, seed=seed)
        while not state.is_over:
            moves.append(rng.choice(state.legal_moves()))
            state.play(moves[-1])
        position = state.to_position()
        named = cards_of(position)
        assert len(named) + position["discarded"] == rules.cards
        assert all(named.count(card) <= rules.packs for card in named)
        if rules.game != "svoi_kozyri":
            assert position["discarded"] % 2 == 0
        assert state.result is not None
        assert state.result.cards_left == tuple(len(hand) for hand in position["hands"])
        again = GameState.from_position(json.loads(json.dumps(position)))
        assert again.to_position() == position
        assert (again.is_over, again.result, again.legal_moves()) == (True, state.result, ())
        record = DealRecord(rules, seed, seats, 0, tuple(moves), state.result)
        assert DealRecord.parse(record.to_text()) == record
        assert record.replay().to_position() == position


@pytest.mark.parametrize(("preset", "seats"), TABLES)
def test_a_deal_that_ends_by_a_fault_is_that_seats_or_its_teams_and_replays(preset: str, seats: int) -> None:
    rules, rng = RuleSet.preset(preset), random.Random(f"{preset} {seats}")
    state = deal(rules, seats=seats, seed=bytes(16))
    moves = []
    for _ in range(rng.randrange(12)):
        moves.append(rng.choice(state.legal_moves()))
        state.play(moves[-1])
    at_fault = rng.randrange(seats)
    state.fault(at_fault)
    assert state.result is not None
    assert state.result.reason == "fault"
    assert state.result.duraks == {seat for seat in range(seats) if rules.team_of(seat) == rules.team_of(at_fault)}
    assert state.legal_moves() == ()
    text = DealRecord(rules, bytes(16), seats, 0, tuple(moves), state.result, Fault(at_fault, "timeout")).to_text()
    assert f"fault seat {at_fault} timeout\n" in text
    assert DealRecord.parse(text).replay().result == state.result
