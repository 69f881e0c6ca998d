"""The page's own example of a seventh language: its row and its bot, taken from the page and played."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from bots_sdk.durak import RuleSet
from bots_sdk.referee import DealSpec, SittingSpec, TimeControl, play_sitting
from sandbox import Sandbox, SandboxSpec, runtimes
from sandbox.builds import build
from sandbox.bundles import Bundle, BundleError
from sandbox.runtimes import Package, Runtime
from tests.sandbox.bundles.archives import zip_of

PAGE = Path(__file__).parents[3] / "docs" / "languages.md"


def block(language: str, start: str) -> str:
    """The page's first block of code in ``language`` that begins with ``start``."""
    blocks = re.findall(rf"```{language}\n(.*?)```", PAGE.read_text(), re.DOTALL)
    return next(text for text in blocks if text.startswith(start))


def perl() -> Runtime:
    row = eval(block("python", "Runtime("), {"Runtime": Runtime, "Package": Package})
    # Every Debian has Perl, so the base image will do for the test.
    return replace(row, image="debian:12-slim")


MANIFEST = b'name = "p"\nlanguage = "perl"\nentry = "bot.pl"\npresets = ["podkidnoy"]\nseats = [2]\n'


@pytest.fixture
def language(monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setitem(runtimes._ROWS, "perl", perl())
    return "perl"


@pytest.mark.parametrize("backend", ["bubblewrap", pytest.param("docker", marks=pytest.mark.docker)])
def test_a_seventh_language_is_one_row_and_plays(
    backend: str, language: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    sandbox: Sandbox = request.getfixturevalue(backend)
    source = block("perl", "# Plays the first")
    bundle = Bundle.from_archive(zip_of({"durak.toml": MANIFEST, "bot.pl": source.encode()}))
    report = build(sandbox, bundle, tmp_path / "program")
    assert report.ok, report.log
    assert report.output is not None
    argv = bundle.manifest.runtime.run_argv("bot.pl")
    spec = SittingSpec(
        rules=RuleSet.preset("podkidnoy"),
        seats=2,
        deals=(DealSpec(index=0, set_index=0, seed=bytes(16)),),
        time_control=TimeControl(startup_ms=20_000, move_ms=2_000, bank_ms=20_000),
        mask_forced=False,
    )
    start = SandboxSpec(runtime=bundle.manifest.runtime, folder=report.output, argv=argv)
    assert play_sitting(spec, [sandbox.start(start) for _ in range(2)]).faults == ()

    broken = Bundle.from_archive(zip_of({"durak.toml": MANIFEST, "bot.pl": b"if (\n"}))
    failed = build(sandbox, broken, tmp_path / "broken")
    assert not failed.ok
    assert "syntax error at bot.pl" in failed.log or "Missing right" in failed.log


def test_without_its_row_the_language_is_unknown() -> None:
    with pytest.raises(BundleError, match="'perl' is no language here"):
        Bundle.from_archive(zip_of({"durak.toml": MANIFEST, "bot.pl": b""}))
