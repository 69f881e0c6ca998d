"""Whole deals of every preset: they end, and every text form of them reads back."""

from __future__ import annotations

import json
import random

import pytest

from bots_sdk.durak import Chronicle, DealRecord, GameState, Move, RuleSet, deal

TABLES = [(name, seats) for name, rules in RuleSet.presets().items() for seats in rules.seat_counts if seats <= 7]


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_a_deal_of_every_preset_ends_and_its_record_replays_to_the_same_end(name: str, seats: int) -> None:
    rules = RuleSet.preset(name)
    choose = random.Random(f"{name} {seats}")
    for number in range(2):
        seed = number.to_bytes(16, "big")
        chronicle = Chronicle(deal(rules, seats, seed))
        state = chronicle.state
        while not state.is_over:
            if choose.random() < 0.15:
                position = json.loads(json.dumps(state.to_position()))
                again = GameState.from_position(position)
                assert again.to_position() == position
                assert again.legal_moves() == state.legal_moves()
            move = choose.choice(state.legal_moves())
            assert Move.parse(str(move)) == move
            chronicle.play(move)
        assert state.legal_moves() == ()
        assert state.seat_to_move is None
        record = DealRecord(rules, seed, seats, 0, tuple(chronicle.moves), state.result)
        text = record.to_text()
        assert DealRecord.parse(text) == record
        assert DealRecord.parse(text).to_text() == text
        assert record.replay().to_position() == state.to_position()
        assert Chronicle.of(record).events == chronicle.events
