"""Perft counts: the leaves of the game tree to a depth, a fingerprint of the move generator.

`python -m tests.bots_sdk.durak.perft` writes `perft.json` anew: by the slow referee wherever it
plays the preset, else by the fast one (`counted_by` says which).
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from bots_sdk.durak import GameState, RuleSet, deal, perft
from tests.bots_sdk.durak.lockstep import slow_from
from tests.bots_sdk.durak.slow_deal import SEATS
from tests.bots_sdk.durak.slow_referee import SlowReferee

PATH = Path(__file__).with_name("perft.json")
OWN_SHAPE: dict[str, tuple[int, ...]] = {"duel": (2,), "prostoy": (2, 4), "svoi-kozyri": (2, 4)}
"""The presets that only the fast referee plays."""
DEPTH = 9
ENOUGH = 15_000
"""A row ends at this depth, or where it has this many leaves."""
SEED = bytes(range(16))


def perft_slow(state: SlowReferee, depth: int) -> int:
    """What `perft` counts, counted by the slow referee."""
    if depth == 0 or state.over:
        return 1
    moves = state.legal()
    if depth == 1:
        return len(moves)
    total = 0
    for move in moves:
        after = state.copy()
        after.play(move)
        total += perft_slow(after, depth - 1)
    return total


def start(preset: str, seats: int) -> GameState:
    """The deal that is counted: seed 00 01 .. 0f, dealer 0."""
    return deal(RuleSet.preset(preset), seats=seats, seed=SEED)


def count(preset: str, seats: int) -> dict[str, Any]:
    """One row of the file: the leaves at depth 1, 2 and so on."""
    state = start(preset, seats)
    slow = None if preset in OWN_SHAPE else slow_from(state.to_position(), seats)
    leaves: list[int] = []
    while len(leaves) < DEPTH and (not leaves or leaves[-1] < ENOUGH):
        depth = len(leaves) + 1
        leaves.append(perft_slow(slow, depth) if slow else perft(state, depth))
    return {
        "preset": preset,
        "seats": seats,
        "counted_by": "fast" if preset in OWN_SHAPE else "slow",
        "leaves": leaves,
    }


def main() -> None:
    """Count everything anew; a few minutes."""
    rows = []
    for preset, sizes in (SEATS | OWN_SHAPE).items():
        for seats in sizes:
            rows.append(json.dumps(count(preset, seats)))
            sys.stderr.write(rows[-1] + "\n")
    PATH.write_text("[\n" + ",\n".join(rows) + "\n]\n")


if __name__ == "__main__":
    main()
