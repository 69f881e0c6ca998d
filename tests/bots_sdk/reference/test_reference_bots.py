"""The reference bots: legal in every game that they declare, and each better than the one before."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import bots_sdk
from bots_sdk.durak import RuleSet
from bots_sdk.ratings import wilson
from bots_sdk.referee import MatchPlan, SittingSpec, TimeControl, play_sitting
from bots_sdk.referee.local import SubprocessPlayer
from bots_sdk.reference import REFERENCE_BOTS, reference_folder
from sandbox.bundles import Bundle

PATIENT = TimeControl(20_000, 2_000, 20_000)
SDK = Path(bots_sdk.__file__).parent.parent


def start(name: str) -> SubprocessPlayer:
    env = {"PYTHONPATH": str(SDK), "PYTHONDONTWRITEBYTECODE": "1", "PATH": "/usr/bin:/bin"}
    return SubprocessPlayer([sys.executable, "bot.py"], cwd=reference_folder(name), env=env)


def lost(names: list[str], preset: str, sets: int) -> tuple[list[int], int]:
    plan = MatchPlan.build(RuleSet.preset(preset), len(names), sets, b"reference bots, measured")
    counts = [0] * len(names)
    deals = 0
    for sitting in plan.sittings:
        spec = SittingSpec.planned(plan, sitting, time_control=PATIENT, mask_forced=False)
        outcome = play_sitting(spec, [start(names[number]) for number in sitting.order])
        assert outcome.faults == ()
        deals += len(outcome.deals)
        for deal in outcome.deals:
            for seat in deal.result.duraks:
                counts[sitting.order[seat]] += 1
    return counts, deals


@pytest.mark.parametrize("name", REFERENCE_BOTS)
def test_its_folder_is_a_bot_that_the_server_takes(name: str) -> None:
    bundle = Bundle.from_folder(reference_folder(name))
    assert bundle.manifest.name == name
    assert bundle.manifest.presets == tuple(RuleSet.presets())
    assert bundle.manifest.seats == (2, 3, 4, 5, 6)
    assert Bundle.from_archive(bundle.to_zip()) == bundle


def test_an_unknown_reference_bot_is_refused_by_name() -> None:
    with pytest.raises(KeyError, match=r"no reference bot 'genius'; there are random, lowest, hoarder, counter"):
        reference_folder("genius")


@pytest.mark.slow
@pytest.mark.parametrize("preset", sorted(RuleSet.presets()))
def test_they_play_every_preset_without_a_fault(preset: str) -> None:
    counts = [count for count in RuleSet.preset(preset).seat_counts if count <= 6]
    for seats in {counts[0], counts[-1]}:
        lost([REFERENCE_BOTS[-1 - seat % 4] for seat in range(seats)], preset, 1)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("better", "worse", "sets"), [("lowest", "random", 20), ("hoarder", "lowest", 80), ("counter", "hoarder", 60)]
)
def test_each_is_durak_less_often_than_the_one_before(better: str, worse: str, sets: int) -> None:
    (own, other), deals = lost([better, worse], "podkidnoy", sets)
    assert own < other
    decided = own + other
    assert wilson(own, decided)[1] < 0.5, (own, other, deals)
