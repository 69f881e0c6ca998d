"""The fast referee's game trees have the checked-in number of leaves at every depth."""

from __future__ import annotations

import json
from typing import Any

import pytest

from bots_sdk.durak import RuleSet, perft
from tests.bots_sdk.durak.lockstep import slow_from
from tests.bots_sdk.durak.perft import OWN_SHAPE, PATH, perft_slow, start

ROWS: list[dict[str, Any]] = json.loads(PATH.read_text())
IDS = [f"{row['preset']}-{row['seats']}" for row in ROWS]


def test_every_preset_is_counted() -> None:
    assert {row["preset"] for row in ROWS} == set(RuleSet.presets())


def test_the_slow_referee_counted_all_that_it_plays() -> None:
    by_fast = {row["preset"] for row in ROWS if row["counted_by"] != "slow"}
    assert by_fast == set(OWN_SHAPE)


@pytest.mark.parametrize("row", ROWS, ids=IDS)
def test_the_leaves_are_counted_to_a_small_depth(row: dict[str, Any]) -> None:
    state = start(row["preset"], row["seats"])
    assert [perft(state, depth) for depth in range(1, 5)] == row["leaves"][:4]


@pytest.mark.parametrize("row", [row for row in ROWS if row["counted_by"] == "slow"][::7])
def test_the_file_holds_what_the_slow_referee_counts(row: dict[str, Any]) -> None:
    slow = slow_from(start(row["preset"], row["seats"]).to_position(), row["seats"])
    assert [perft_slow(slow, depth) for depth in range(1, 6)] == row["leaves"][:5]


@pytest.mark.slow
@pytest.mark.parametrize("row", ROWS, ids=IDS)
def test_the_leaves_are_counted_to_the_full_depth(row: dict[str, Any]) -> None:
    assert perft(start(row["preset"], row["seats"]), len(row["leaves"])) == row["leaves"][-1]
