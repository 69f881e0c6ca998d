"""The public values are values: frozen, hashable, equal to their copies; every event's kind is documented."""

from __future__ import annotations

import copy
import dataclasses
import pickle
import random
from typing import Any

import pytest

from bots_sdk.durak import EVENT_KINDS, Card, Chronicle, DealRecord, RuleSet, deal


def values() -> dict[str, Any]:
    state = deal(RuleSet.preset("podkidnoy"), seats=3, seed=bytes(16))
    opening = state.legal_moves()[0]
    info = state.deal_info
    chronicle = Chronicle(state)
    while not state.is_over:
        chronicle.play(state.legal_moves()[-1] if state.to_position()["table"] else state.legal_moves()[0])
    return {
        "card": Card.parse("8S"),
        "move": opening,
        "rules": state.rules,
        "deal info": info,
        "result": state.result,
        "event": chronicle.events[0],
        "last event": chronicle.events[-1],
        "record": DealRecord(state.rules, bytes(16), 3, 0, tuple(chronicle.moves), state.result),
    }


VALUES = values()


@pytest.mark.parametrize("name", sorted(VALUES))
def test_a_value_is_hashable_and_equal_to_its_copies(name: str) -> None:
    value = VALUES[name]
    for twin in (copy.copy(value), copy.deepcopy(value), pickle.loads(pickle.dumps(value))):
        assert twin == value
        assert hash(twin) == hash(value)


@pytest.mark.parametrize("name", sorted(VALUES))
def test_a_value_cannot_be_changed(name: str) -> None:
    value = VALUES[name]
    for field in dataclasses.fields(value):
        with pytest.raises((dataclasses.FrozenInstanceError, AttributeError)):
            setattr(value, field.name, getattr(value, field.name))


def test_a_state_is_copied_so_that_playing_on_changes_the_copy_only() -> None:
    for preset in ("perevodnoy", "duel", "prostoy", "svoi-kozyri", "severny"):
        rng = random.Random(preset)
        state = deal(RuleSet.preset(preset), seats=2, seed=rng.randbytes(16))
        for _ in range(30):
            if state.is_over:
                break
            before, twin = state.to_position(), state.copy()
            assert twin.to_position() == before
            assert twin.legal_moves() == state.legal_moves()
            twin.play(rng.choice(twin.legal_moves()))
            assert state.to_position() == before
            for same in (copy.copy(state), copy.deepcopy(state), pickle.loads(pickle.dumps(state))):
                assert same.to_position() == before
                assert same is not state
            state.play(rng.choice(state.legal_moves()))


@pytest.mark.parametrize("preset", sorted(RuleSet.presets()))
def test_every_event_is_of_a_documented_kind(preset: str) -> None:
    rules, rng = RuleSet.preset(preset), random.Random(preset)
    state = deal(rules, seats=rules.seat_counts[-1], seed=rng.randbytes(16))
    chronicle = Chronicle(state)
    for _ in range(200):
        if state.is_over:
            break
        chronicle.play(rng.choice(state.legal_moves()))
    if not state.is_over:
        chronicle.fault(0, "timeout")
    assert {event.kind for event in chronicle.events} <= set(EVENT_KINDS)
