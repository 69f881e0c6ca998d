"""Each language's template, from its folder to a finished sitting, on both backends."""

from __future__ import annotations

from pathlib import Path

import pytest

from bots_sdk.durak import DealRecord, RuleSet
from bots_sdk.referee import DealSpec, SittingOutcome, SittingSpec, TimeControl, play_sitting
from sandbox import Sandbox, SandboxSpec, Session
from sandbox.builds import build
from sandbox.bundles import Bundle
from sandbox.runtimes import RUNTIMES

PATIENT = TimeControl(startup_ms=20_000, move_ms=2_000, bank_ms=20_000)


def start(sandbox: Sandbox, bundle: Bundle, program: Path) -> Session:
    runtime = bundle.manifest.runtime
    return sandbox.start(SandboxSpec(runtime=runtime, folder=program, argv=runtime.run_argv(bundle.manifest.entry)))


def sitting(sandbox: Sandbox, bundle: Bundle, program: Path, preset: str, seats: int) -> SittingOutcome:
    """The bot in seat 0, and a copy of it in every other."""
    spec = SittingSpec(
        rules=RuleSet.preset(preset),
        seats=seats,
        deals=tuple(DealSpec(index=n, set_index=n, seed=bytes([n]) * 16) for n in range(2)),
        time_control=PATIENT,
        mask_forced=False,
    )
    return play_sitting(spec, [start(sandbox, bundle, program) for _ in range(seats)])


@pytest.mark.parametrize("language", RUNTIMES)
def test_a_template_is_built_and_plays_without_a_fault(sandbox: Sandbox, template: Path, tmp_path: Path) -> None:
    bundle = Bundle.from_archive(Bundle.from_folder(template).to_zip())
    report = build(sandbox, bundle, tmp_path / "program")
    assert report.ok, report.reason + report.log
    assert report.output is not None
    for preset, seats in [("podkidnoy", 2), ("podkidnoy", 4), ("perevodnoy", 3)]:
        outcome = sitting(sandbox, bundle, report.output, preset, seats)
        assert outcome.faults == ()
        assert [DealRecord.parse(deal.record).replay().result for deal in outcome.deals] == [
            deal.result for deal in outcome.deals
        ]
        assert all(left is not None and left.code == 0 for left in outcome.exits), outcome.exits
