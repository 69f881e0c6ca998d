"""Two referees, one deal: the fast one must agree with the slow one at every decision."""

from __future__ import annotations

import random

import pytest

from bots_sdk.durak import GameState, RuleSet, deal
from tests.bots_sdk.durak.lockstep import walk
from tests.bots_sdk.durak.random_rules import random_endgame, random_rules
from tests.bots_sdk.durak.slow_deal import DEFAULTS, PRESETS, SEATS

TABLES = [(preset, seats) for preset in PRESETS for seats in SEATS[preset]]
FULL_CHUNKS = 40
DEALS_A_CHUNK = 500  # 20,000 deals in all, over presets and random rules
ENDGAMES_A_CHUNK = 500


def table(number: int) -> tuple[random.Random, RuleSet, int]:
    """Table `number`: odd ones have random rules, even ones go round all presets and seat counts."""
    rng = random.Random(number)
    if number % 2:
        return rng, *random_rules(rng)
    preset, seats = TABLES[number // 2 % len(TABLES)]
    return rng, RuleSet.preset(preset), seats


def walk_deal(number: int) -> str:
    """Play a deal at table `number` by both referees; returns why it ended."""
    rng, rules, seats = table(number)
    extra = [rng.choice((0, 1, 2)) for _ in range(seats)] if rules.ladder else []
    return walk(deal(rules, seats=seats, seed=rng.randbytes(16), dealer=rng.randrange(seats), extra=extra), rng)


def walk_endgame(number: int) -> str:
    """As `walk_deal`, from a position with little left to play."""
    rng, rules, seats = table(number)
    return walk(GameState.from_position(random_endgame(rng, rules, seats)), rng)


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_a_preset_changes_what_the_table_of_presets_says_and_nothing_else(preset: str) -> None:
    options = RuleSet.preset(preset).to_dict()
    expected = {**DEFAULTS, **PRESETS[preset]}
    assert {name: options[name] for name in expected} == expected


def test_the_referees_agree_on_every_preset_and_seat_count() -> None:
    for number in range(0, 2 * len(TABLES), 2):
        walk_deal(number)


def test_the_referees_agree_on_a_few_hundred_endgames() -> None:
    reasons = {walk_endgame(number) for number in range(400)}
    assert {"last_holder", "both_empty", "team"} <= reasons


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("chunk", range(FULL_CHUNKS))
def test_the_referees_agree_at_every_decision_of_twenty_thousand_random_deals(chunk: int) -> None:
    for number in range(chunk * DEALS_A_CHUNK, (chunk + 1) * DEALS_A_CHUNK):
        walk_deal(number)


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("chunk", range(10))
def test_the_referees_agree_at_every_decision_of_random_endgames(chunk: int) -> None:
    first = 1_000_000 + chunk * ENDGAMES_A_CHUNK
    for number in range(first, first + ENDGAMES_A_CHUNK):
        walk_endgame(number)
