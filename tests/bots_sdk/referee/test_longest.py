"""How long a sitting can last by its clocks: what a sandbox's deadline is taken from."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bots_sdk.bot import Bot, Loop
from bots_sdk.durak import RuleSet
from bots_sdk.referee import DealSpec, SittingSpec, TimeControl, play_sitting
from bots_sdk.referee.local import InProcessPlayer
from tests.bots_sdk.referee.test_sitting import ALL_PRESETS

CLOCK = TimeControl(startup_ms=1000, move_ms=60_000, bank_ms=5000)
BOUTS = 40


class Slow(Bot):
    """Takes and passes as long as it can, so that a deal goes on and on, and all its time over each decision."""

    def __init__(self, now: list[float]) -> None:
        super().__init__()
        self.now = now

    def choose(self, view):
        self.now[0] += CLOCK.move_ms / 1000
        return next((move for move in view.legal if move.kind in {"take", "pass"}), view.legal[0])


@pytest.mark.parametrize("preset", ALL_PRESETS)
def test_no_sitting_is_longer_than_its_clocks_allow_however_slow_its_bots_are(preset: str) -> None:
    rules = replace(RuleSet.preset(preset), max_bouts=BOUTS)
    for seats in rules.seat_counts:
        if seats > 6:
            continue
        now = [0.0]
        deals = tuple(DealSpec(index, index, bytes([index]) * 32) for index in range(2))
        spec = SittingSpec(rules=rules, seats=seats, deals=deals, time_control=CLOCK, mask_forced=False)
        players = [InProcessPlayer(Loop(Slow(now)).answer) for _ in range(seats)]
        outcome = play_sitting(spec, players, clock=lambda now=now: now[0])
        assert outcome.faults == ()
        assert now[0] * 1000 <= spec.longest_ms
        assert now[0] > 0


def test_twice_the_deals_and_twice_the_bouts_may_last_twice_as_long() -> None:
    rules = RuleSet.preset("podkidnoy")
    clock = TimeControl(startup_ms=1, move_ms=1000, bank_ms=0)

    def longest(deals: int, bouts: int) -> int:
        dealt = tuple(DealSpec(index, index, bytes([index]) * 32) for index in range(deals))
        return SittingSpec(rules=replace(rules, max_bouts=bouts), seats=2, deals=dealt, time_control=clock).longest_ms

    assert longest(2, 300) == pytest.approx(2 * longest(1, 300), rel=0.01)
    assert longest(1, 600) == pytest.approx(2 * longest(1, 300), rel=0.01)
