"""The command, in an empty working directory."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.bots_sdk.cli.running import Durak, runner


@pytest.fixture
def durak(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Durak:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    for name in ("DURAK_URL", "DURAK_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    return runner(capsys)
