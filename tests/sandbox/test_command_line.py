"""`python -m sandbox`, as an operator or an author types it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from sandbox.runtimes import RUNTIMES
from tests.sandbox.conftest import run_folder

REPOSITORY = Path(__file__).parents[2]
BOT = """\
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "ready"}), flush=True)
    elif message["type"] == "turn":
        print(json.dumps({"type": "move", "turn": message["turn"], **message["legal"][0]}), flush=True)
"""
MANIFEST = 'name = "tester"\nlanguage = "python"\nentry = "bot.py"\npresets = ["podkidnoy"]\nseats = [2, 3]\n'


@pytest.fixture
def bot(tmp_path: Path, python_packages: Path) -> Path:
    (tmp_path / "durak.toml").write_text(MANIFEST)
    (tmp_path / "bot.py").write_text(BOT)
    return tmp_path


def command(*words: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    with run_folder() as run:
        environment = {
            **os.environ,
            "DURAK_SANDBOX_RUN": str(run),
            "DURAK_SANDBOX_UID": str(400_000 + os.getpid() % 1_000 * 1_024),
            "COLUMNS": "200",
            "DOCKER_HOST": f"unix://{run}/no-daemon.sock",
        }
        line = [sys.executable, "-m", "sandbox", *words]
        return subprocess.run(
            line, check=False, capture_output=True, text=True, env=environment, cwd=REPOSITORY, input=stdin, timeout=120
        )


def test_run_plays_a_bot_against_itself_and_says_what_came_of_it(bot: Path) -> None:
    done = command("run", str(bot), "--backend", "bubblewrap", "-n", "6", "--seats", "3")
    assert done.returncode == 0, done.stderr
    assert "tester: 6 deals of podkidnoy for 3 in bubblewrap" in done.stdout


def test_run_shows_an_author_his_fault_and_his_log_and_fails(bot: Path) -> None:
    (bot / "bot.py").write_text("raise SystemExit('no cards today')\n")
    done = command("run", str(bot), "--backend", "bubblewrap", "-n", "2")
    assert done.returncode == 1
    assert "crash: the bot exited with code 1" in done.stdout
    assert "no cards today" in done.stdout


def test_run_refuses_rules_that_the_manifest_does_not_name(bot: Path) -> None:
    done = command("run", str(bot), "--backend", "bubblewrap", "--seats", "6")
    assert done.returncode == 2
    assert "seats 2, 3; not podkidnoy for 6" in done.stderr


def test_speak_passes_lines_both_ways(bot: Path) -> None:
    done = command("run", str(bot), "--backend", "bubblewrap", "--speak", stdin='{"type":"hello"}\n')
    assert '{"type": "ready"}' in done.stdout
    assert "the bot exited with code 0" in done.stdout


def test_probe_prints_a_table_and_says_why_a_backend_is_not_there(python_packages: Path) -> None:
    done = command("probe")
    assert done.returncode == 0
    assert "docker: not available: no Docker daemon answers at unix://" in done.stdout
    assert "bubblewrap" in done.stdout
    assert "network: none" in done.stdout


def test_probe_as_json_names_every_control_and_language(python_packages: Path) -> None:
    found = json.loads(command("probe", "--backend", "bubblewrap", "--json").stdout)["bubblewrap"]
    assert found["safe"] is True
    assert set(found["languages"]) == set(RUNTIMES)
    assert {control["name"]: control["state"] for control in found["controls"]}["privileges"] == "held"


def test_without_any_backend_probe_fails_and_run_says_what_to_do(bot: Path) -> None:
    assert command("probe", "--backend", "docker").returncode == 1
    done = command("run", str(bot), "--backend", "docker")
    assert done.returncode == 2
    assert "start it, or set DOCKER_HOST" in done.stderr


def test_an_unknown_backend_is_refused_by_name() -> None:
    done = command("run", ".", "--backend", "jail")
    assert done.returncode == 2
    assert "unknown sandbox 'jail'; choose auto, docker or bubblewrap" in done.stderr


def test_sweep_on_a_clean_host_says_so(python_packages: Path) -> None:
    assert "bubblewrap: nothing was left over" in command("sweep", "--backend", "bubblewrap").stdout
