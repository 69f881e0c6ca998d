"""Each language's template, from its folder to finished sittings, on both backends."""

from __future__ import annotations

from pathlib import Path

import pytest

import bots_sdk.reference
from bots_sdk.durak import DealRecord, RuleSet
from bots_sdk.referee import DealSpec, SittingOutcome, SittingSpec, TimeControl, play_sitting
from sandbox import Sandbox, SandboxSpec, Session
from sandbox.builds import build
from sandbox.bundles import Bundle
from sandbox.packages import prepare
from sandbox.runtimes import RUNTIMES, Runtime, missing_packages

pytestmark = pytest.mark.slow
PATIENT = TimeControl(startup_ms=30_000, move_ms=5_000, bank_ms=30_000)
RANDOM = Path(bots_sdk.reference.__file__).parent / "random"


class Program:
    """A built bot, ready to be started any number of times."""

    def __init__(self, sandbox: Sandbox, source: Path, folder: Path) -> None:
        self.sandbox, self.folder = sandbox, folder
        self.bundle = Bundle.from_archive(Bundle.from_folder(source).to_zip())
        self.runtime = self.bundle.manifest.runtime
        report = build(sandbox, self.bundle, folder)
        assert report.ok, report.reason + report.log

    def start(self) -> Session:
        argv = self.runtime.run_argv(self.bundle.manifest.entry)
        return self.sandbox.start(SandboxSpec(runtime=self.runtime, folder=self.folder, argv=argv))


def sitting(preset: str, players: list[Program], deals: int = 1) -> SittingOutcome:
    """A sitting of ``preset`` with ``players`` by seat, found to be without a fault."""
    spec = SittingSpec(
        rules=RuleSet.preset(preset),
        seats=len(players),
        deals=tuple(DealSpec(index=n, set_index=n, seed=bytes([n]) * 16) for n in range(deals)),
        time_control=PATIENT,
        mask_forced=False,
    )
    outcome = play_sitting(spec, [player.start() for player in players])
    assert outcome.faults == ()
    assert [DealRecord.parse(deal.record).replay().result for deal in outcome.deals] == [
        deal.result for deal in outcome.deals
    ]
    return outcome


@pytest.mark.parametrize("language", RUNTIMES)
def test_a_template_is_built_and_plays_without_a_fault(
    sandbox: Sandbox, runtime: Runtime, template: Path, tmp_path: Path, python_ready: None
) -> None:
    bot = Program(sandbox, template, tmp_path / "bot")
    random = Program(sandbox, RANDOM, tmp_path / "random")
    for preset, seats in [("podkidnoy", 2), ("podkidnoy", 4), ("perevodnoy", 3)]:
        outcome = sitting(preset, [bot, *[random] * (seats - 1)], deals=2)
        left = outcome.exits[0]
        assert left is not None
        # On a busy host it may be stopped before it has left by itself.
        assert left.code in (0, None)
        assert left.stderr == b""
        assert left.peak_memory is None or left.peak_memory < runtime.memory_bytes / 2


@pytest.mark.parametrize("language", RUNTIMES)
def test_a_template_plays_every_rule_set(bubblewrap: Sandbox, runtime: Runtime, template: Path, tmp_path: Path) -> None:
    if missing := missing_packages(runtime):
        pytest.skip(f"this host has no {runtime.title}: apt-get install {' '.join(missing)}")
    if runtime.libraries:
        prepare()
    bot = Program(bubblewrap, template, tmp_path / "bot")
    for preset, rules in RuleSet.presets().items():
        sitting(preset, [bot] * rules.seat_counts[0])


@pytest.mark.parametrize("language", ["python"])
def test_a_python_bot_may_import_numpy_and_the_game_itself(sandbox: Sandbox, template: Path, tmp_path: Path) -> None:
    folder = tmp_path / "source"
    folder.mkdir()
    for path in template.iterdir():
        (folder / path.name).write_bytes(path.read_bytes())
    source = (folder / "bot.py").read_text()
    (folder / "bot.py").write_text(
        "import sys\nimport numpy\nfrom bots_sdk.durak import RuleSet, deal\n"
        "sums = numpy.ones((3, 3)) @ numpy.ones(3)\n"
        'print(sums.sum(), deal(RuleSet.preset("duel"), 2, bytes(16)).seat_to_move, file=sys.stderr)\n' + source
    )
    bot = Program(sandbox, folder, tmp_path / "bot")
    outcome = sitting("podkidnoy", [bot, bot])
    assert [left.stderr.split()[0] for left in outcome.exits if left] == [b"9.0", b"9.0"]
