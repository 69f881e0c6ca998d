"""docs/bot-authors.md and docs/ratings.md: their examples run and their numbers hold."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import bots_sdk
from bots_sdk.bot import Bot, Loop, Move, View
from bots_sdk.cli import app
from bots_sdk.ratings import durak_shares, lose_probabilities
from bots_sdk.referee.local import InProcessPlayer, SubprocessPlayer
from tests.bots_sdk.referee.players import good, sit, spec

SDK = Path(bots_sdk.__file__).parent.parent
AUTHORS = (SDK / "docs" / "bot-authors.md").read_text(encoding="utf-8")
RATINGS = (SDK / "docs" / "ratings.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("source", re.findall(r"```python\n(.*?)\n```", AUTHORS, re.DOTALL))
def test_the_bots_on_the_page_play(source: str, tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(source)
    env = {"PYTHONPATH": str(SDK), "PATH": "/usr/bin:/bin"}
    outcome = sit([SubprocessPlayer([sys.executable, "bot.py"], cwd=tmp_path, env=env), good()], spec(2))
    assert outcome.faults == ()


def test_everything_that_the_page_says_of_a_view_is_there() -> None:
    names = set(re.findall(r"`view\.(\w+)", AUTHORS))
    assert {"legal", "hand", "known", "cost"} <= names

    class Looking(Bot):
        def choose(self, view: View) -> Move:
            for name in names:
                getattr(view, name)
            return view.legal[0]

    assert sit([InProcessPlayer(Loop(Looking()).answer), good()], spec(1)).faults == ()


def test_the_commands_on_the_page_exist_with_their_options() -> None:
    known = {command.name or command.callback.__name__ for command in app.registered_commands if command.callback}
    for block in re.findall(r"```sh\n(.*?)\n```", AUTHORS, re.DOTALL):
        for line in block.splitlines():
            words = shlex.split(line, comments=True)
            if words[:1] != ["durak"]:
                continue
            assert words[1] in known
            helped = subprocess.run(
                [sys.executable, "-m", "bots_sdk.cli", words[1], "--help"],
                cwd=SDK,
                env={"COLUMNS": "200", "PATH": "/usr/bin:/bin"},
                capture_output=True,
                text=True,
                check=True,
            )
            for word in words[2:]:
                assert not word.startswith("-") or word in helped.stdout, (word, line)


ROW = re.compile(r"^\| ([\d /]+) \| ([\d -]+) \| ([-+.\d ]+) \|$", re.MULTILINE)


@pytest.mark.parametrize(("ratings", "duraks", "changes"), ROW.findall(RATINGS))
def test_the_worked_changes_on_the_page_hold(ratings: str, duraks: str, changes: str) -> None:
    teams: list[int] = []
    numbers: list[float] = []
    for team, members in enumerate(ratings.split("/")):
        for member in members.split():
            numbers.append(float(member))
            teams.append(team)
    lost = [int(seat) for seat in duraks.split() if seat != "-"]
    shares = durak_shares(len(numbers), lost, numbers, teams if "/" in ratings else [])
    moved = [16 * (p - y) for p, y in zip(lose_probabilities(numbers), shares, strict=True)]
    assert moved == pytest.approx([float(change) for change in changes.split()], abs=5e-5)


def test_all_worked_rows_were_found() -> None:
    assert len(ROW.findall(RATINGS)) == 4
