"""Search to the end of a deal when all cards are known and two players are left."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bots_sdk.bot import Move
from bots_sdk.durak import GameState
from bots_sdk.durak import Move as EngineMove

NODES = 2_000
"""Positions looked at for one decision: deterministic, and well within a move's time."""


class OutOfNodesError(Exception):
    """The search was given up."""


class Endgame:
    """Alpha-beta over the real rules."""

    def __init__(self, rules: dict[str, Any]) -> None:
        self.rules = rules
        self.nodes = 0

    def position(self, seen: dict[str, Any], hands: list[list[str]], talon: list[str]) -> dict[str, Any]:
        """A full position from what a seat sees and the hands that it has worked out."""
        own = {"type", "turn", "deal", "seat", "seats", "hand", "legal", "events", "clock", "hand_sizes"}
        rest = {key: value for key, value in seen.items() if key not in own}
        return {**rest, "rules": self.rules, "hands": hands, "talon": talon}

    def best(self, position: dict[str, Any] | None, seat: int, moves: Sequence[Move]) -> Move | None:
        """A winning move, else the first that is not known to lose; None without a position."""
        if position is None:
            return None
        state = GameState.from_position(position)
        self.nodes = NODES
        hopes: list[tuple[int, Move]] = []
        for move in moves:
            branch = state.copy()
            branch.play(EngineMove.parse(str(move)))
            try:
                value = self.search(branch, seat, -1, 1)
            except OutOfNodesError:
                value = 0
            if value == 1:
                return move
            hopes.append((value, move))
        return max(hopes, key=lambda hope: hope[0])[1]

    def search(self, state: GameState, seat: int, alpha: int, beta: int) -> int:
        """1 where `seat` is safe and the other durak, -1 the other way round, 0 for a draw."""
        if state.result is not None:
            if not state.result.duraks:
                return 0
            return -1 if seat in state.result.duraks else 1
        self.nodes -= 1
        if self.nodes < 0:
            raise OutOfNodesError
        own = state.seat_to_move == seat
        for move in state.legal_moves():
            branch = state.copy()
            branch.play(move)
            value = self.search(branch, seat, alpha, beta)
            if own:
                alpha = max(alpha, value)
            else:
                beta = min(beta, value)
            if alpha >= beta:
                break
        return alpha if own else beta


if __name__ == "__main__":
    raise SystemExit("this is a part of bot.py")
