"""Deals once more by the documented algorithm: the same cards, trumps and first attacker (R2, R3)."""

from __future__ import annotations

import random
from typing import Any

import pytest

from bots_sdk.durak import RuleSet, deal
from tests.bots_sdk.durak.slow_deal import deal_slowly

SEEDS = 40


def compare(rules: RuleSet, seats: int, rng: random.Random, *, later: bool = False, extra: tuple[int, ...] = ()) -> int:
    """Deal both ways; returns how often the cards were thrown in."""
    seed, dealer = rng.randbytes(rng.choice((16, 16, 32, 100))), rng.randrange(seats)
    fast = deal(rules, seats=seats, seed=seed, dealer=dealer, later=later, extra=extra)
    position: dict[str, Any] = fast.to_position()
    slow = deal_slowly(rules.to_dict(), seats, seed, dealer, later=later, extra=extra)
    assert [sorted(hand) for hand in position["hands"]] == [sorted(hand) for hand in slow.hands]
    assert position["talon"] == slow.talon
    assert list(position["trump"]) == slow.trumps
    assert fast.seat_to_move == position["first"] == slow.first
    assert fast.deal_info.redeals == slow.redeals
    return slow.redeals


@pytest.mark.parametrize("preset", sorted(RuleSet.presets()))
def test_every_preset_is_dealt_alike_at_every_number_of_seats(preset: str) -> None:
    rules, rng = RuleSet.preset(preset), random.Random(preset)
    for seats in rules.seat_counts:
        for _ in range(SEEDS):
            compare(rules, seats, rng)


@pytest.mark.parametrize("preset", sorted(RuleSet.presets()))
def test_later_deals_of_a_session_are_begun_alike(preset: str) -> None:
    rules, rng = RuleSet.preset(preset), random.Random(preset)
    for seats in rules.seat_counts:
        for _ in range(5):
            compare(rules, seats, rng, later=True)


def test_the_ladders_extra_cards_are_dealt_alike() -> None:
    rules, rng = RuleSet.preset("ladder"), random.Random(5)
    for seats in rules.seat_counts:
        for _ in range(SEEDS):
            extra = tuple(rng.choice((0, 0, 1, 2)) for _ in range(seats))
            compare(rules, seats, rng, later=rng.random() < 0.5, extra=extra)


@pytest.mark.parametrize("no_trump", ["redeal", "lowest_card"])
def test_deals_without_a_trump_are_thrown_in_or_begun_by_the_lowest_card(no_trump: str) -> None:
    rules, rng = RuleSet.preset("podkidnoy").replace(hand_size=1, no_trump=no_trump), random.Random(no_trump)
    redeals = sum(compare(rules, 2, rng) for _ in range(100))
    assert (redeals > 20) is (no_trump == "redeal")


def test_a_seed_and_the_next_one_deal_nothing_alike() -> None:
    rules = RuleSet.preset("podkidnoy")
    talons = {
        tuple(deal(rules, seats=2, seed=number.to_bytes(16, "big")).to_position()["talon"]) for number in range(200)
    }
    assert len(talons) == 200


def test_every_card_is_as_likely_in_every_place() -> None:
    rules, counts = RuleSet.preset("mini"), {}
    deals = 4800
    for number in range(deals):
        slow = deal_slowly(rules.to_dict(), 2, number.to_bytes(16, "big"), 0)
        turned = slow.talon[-1]
        counts[turned] = counts.get(turned, 0) + 1
    expected = deals / 24
    chi_squared = sum((count - expected) ** 2 / expected for count in counts.values())
    assert len(counts) == 24
    assert chi_squared < 49.7  # 23 degrees of freedom, one in a thousand
