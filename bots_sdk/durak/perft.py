"""Counting the game tree: an oracle for move generators."""

from __future__ import annotations

from bots_sdk.durak.state import GameState


def perft(state: GameState, depth: int) -> int:
    """The leaves of the game tree cut at this depth, forced decisions counted as such.

    A deal that is over sooner is one leaf. The state is left as it was.
    """
    if depth == 0 or state.is_over:
        return 1
    moves = state.legal_moves()
    if depth == 1:
        return len(moves)
    leaves = 0
    for move in moves:
        branch = state.copy()
        branch.play(move)
        leaves += perft(branch, depth - 1)
    return leaves
