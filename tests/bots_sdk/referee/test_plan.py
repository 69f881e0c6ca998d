"""Duplicate sets laid out as sittings."""

from __future__ import annotations

import hashlib
from collections import Counter

import pytest

from bots_sdk.durak import RuleSet, deal
from bots_sdk.referee import MatchPlan, SittingSpec, TimeControl
from bots_sdk.referee.plan import CIRCULAR_ORDERS, set_seed, smallest_table

PODKIDNOY = RuleSet.preset("podkidnoy")
SEED = bytes(range(32))


@pytest.mark.parametrize("participants", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("orders", [1, 100])
def test_every_deck_is_played_once_for_every_rotation(participants: int, orders: int) -> None:
    plan = MatchPlan.build(PODKIDNOY, participants, 7, SEED, orders=orders)
    seats: dict[int, list[tuple[int, ...]]] = {}
    for sitting in plan.sittings:
        for spec in sitting.deals:
            seats.setdefault(spec.set_index, []).append(sitting.order)
    assert sorted(seats) == list(range(7))
    for orders_of_set in seats.values():
        assert len(orders_of_set) == participants
        for seat in range(participants):
            assert sorted(order[seat] for order in orders_of_set) == list(range(participants))
        first = orders_of_set[0]
        rotations = {first[r:] + first[:r] for r in range(participants)}
        assert set(orders_of_set) == rotations


@pytest.mark.parametrize("participants", [2, 3, 4, 5, 6])
def test_the_circular_orders_balance_who_sits_on_whose_left(participants: int) -> None:
    neighbours: Counter[tuple[int, int]] = Counter()
    for order in CIRCULAR_ORDERS[participants]:
        assert sorted(order) == list(range(participants))
        neighbours.update((order[i], order[(i + 1) % participants]) for i in range(participants))
    assert len(neighbours) == participants * (participants - 1)
    assert len(set(neighbours.values())) == 1


def test_deals_are_numbered_through_the_match_and_share_their_sets_seed() -> None:
    plan = MatchPlan.build(PODKIDNOY, 3, 4, SEED, orders=2)
    specs = [spec for sitting in plan.sittings for spec in sitting.deals]
    assert sorted(spec.index for spec in specs) == list(range(12))
    for spec in specs:
        assert spec.set_index == spec.index // 3
        assert spec.seed == set_seed(SEED, spec.set_index)
        assert spec.dealer == 0
    assert len({spec.seed for spec in specs}) == 4


def test_the_seeds_and_the_commitment_follow_from_the_match_seed_alone() -> None:
    plan = MatchPlan.build(PODKIDNOY, 2, 2, SEED)
    assert plan.commitment == hashlib.sha256(SEED).hexdigest()
    assert set_seed(SEED, 1) == hashlib.sha256(SEED + b"\0\0\0\0\0\0\0\1").digest()
    assert plan == MatchPlan.build(PODKIDNOY, 2, 2, SEED)
    other = MatchPlan.build(PODKIDNOY, 2, 2, SEED[::-1])
    assert other.commitment != plan.commitment
    assert deal(PODKIDNOY, 2, set_seed(SEED, 0)).to_position() != deal(PODKIDNOY, 2, set_seed(SEED, 1)).to_position()


def test_over_many_short_matches_every_order_is_used() -> None:
    used = {
        frozenset(sitting.order for sitting in MatchPlan.build(PODKIDNOY, 4, 1, bytes([n]) * 16).sittings)
        for n in range(100)
    }
    assert len(used) == 6


def test_faults_follow_the_participant_to_the_next_seat() -> None:
    plan = MatchPlan.build(PODKIDNOY, 3, 1, SEED)
    for sitting in plan.sittings:
        spec = SittingSpec.planned(plan, sitting, faults=[0, 2, 3], time_control=TimeControl())
        assert spec.faults_before[sitting.order.index(1)] == 2
        assert spec.excluded_seats() == [sitting.order.index(2)]
        assert spec.commitment == plan.commitment


@pytest.mark.parametrize(
    ("participants", "sets", "seed", "orders", "words"),
    [
        (1, 1, SEED, 1, "1 participants"),
        (7, 1, SEED, 1, "7 participants"),
        (2, 0, SEED, 1, "0 duplicate sets"),
        (2, 1, b"short", 1, "5 bytes"),
        (2, 1, SEED, 0, "0 circular orders"),
    ],
)
def test_a_match_that_cannot_be_is_refused(participants: int, sets: int, seed: bytes, orders: int, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        MatchPlan.build(PODKIDNOY, participants, sets, seed, orders=orders)


def test_the_smallest_table_is_the_first_preset_with_the_fewest_seats() -> None:
    assert smallest_table(["pairs", "podkidnoy", "perevodnoy"], [4, 3]) == ("podkidnoy", 3)
    assert smallest_table(["trios", "pairs"], [6, 4]) == ("pairs", 4)
    with pytest.raises(ValueError, match="none of the presets"):
        smallest_table(["pairs"], [2])
