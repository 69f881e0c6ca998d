"""docs/operating.md and docs/organisers.md say what the code does."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml
from django.conf import settings
from django.core.management import get_commands

from arena.ladders import matchmaking
from arena.ladders.models import Ladder
from bots_sdk.referee import TimeControl

ROOT = Path(__file__).parents[3]
OPERATING = (ROOT / "docs/operating.md").read_text()
ORGANISERS = (ROOT / "docs/organisers.md").read_text()
SOURCE = (ROOT / "arena/settings.py").read_text()
ROW = re.compile(r"^\| `([A-Z_]+)` \| (.*?) \|", re.MULTILINE)
READ = re.compile(r'\benv(_flag|_list)?\(\s*"([A-Z_]+)"(?:,\s*(.+?))?\)', re.DOTALL)


def documented() -> dict[str, str]:
    return dict(ROW.findall(OPERATING))


def test_every_variable_that_the_settings_read_is_listed_and_no_other():
    read = {f"ARENA_{name}" for _, name, _ in READ.findall(SOURCE)}
    of_compose = {"ARENA_WORKERS", "ARENA_WEB_WORKERS", "ARENA_LISTEN", "ARENA_VERSION"}
    assert {name for name in documented() if name.startswith("ARENA_")} - of_compose == read


@pytest.mark.parametrize("name", sorted(re.findall(r'env\("([A-Z_]+)", "[^"]+"\)', SOURCE)))
def test_a_listed_default_is_the_real_one(name):
    real = re.search(rf'env\("{name}", "([^"]+)"\)', SOURCE)[1]
    shown = documented()[f"ARENA_{name}"]
    assert shown == f"`{real}`" or (name == "EMAIL_BACKEND" and "console" in shown and "console" in real)


def test_the_largest_upload_is_the_real_one():
    assert documented()["ARENA_UPLOAD_MAX_BYTES"] == f"`{settings.UPLOAD_MAX_BYTES}`"


def test_every_variable_that_the_sandbox_reads_is_listed():
    read = set()
    for path in (ROOT / "sandbox").rglob("*.py"):
        if "template" not in path.parts:
            read |= set(re.findall(r'environ(?:\.get\(|\[)"((?:DURAK_SANDBOX|DOCKER)_[A-Z]+)"', path.read_text()))
    assert read <= set(documented())


def test_every_variable_that_compose_wants_is_listed():
    text = (ROOT / "compose.yaml").read_text()
    wanted = set(re.findall(r"\$\{([A-Z_]+)", text))
    assert wanted <= set(documented())


def test_what_runs_by_itself_is_listed_with_its_period():
    rows = re.findall(r"^\| (\d+) s \|", OPERATING, re.MULTILINE)
    periods = [entry["schedule"] for entry in settings.CELERY_BEAT_SCHEDULE.values()]
    assert sorted(map(int, rows)) == sorted(periods)


@pytest.mark.parametrize("text", [OPERATING, ORGANISERS], ids=["operating", "organisers"])
def test_the_commands_that_are_named_exist(text):
    named = set(re.findall(r"manage\.py ([a-z_]+)", text))
    assert named
    assert named <= set(get_commands())


def test_the_services_that_are_named_are_composes():
    services = yaml.safe_load((ROOT / "compose.yaml").read_text())["services"]
    named = set(re.findall(r"docker compose (?:run --rm|exec(?: -T)?) ([a-z-]+)", OPERATING))
    assert named <= set(services)


def test_organisers_are_told_the_real_numbers():
    clock = TimeControl()
    assert f"| {clock.move_ms}, {clock.bank_ms}, {clock.startup_ms} |" in ORGANISERS
    assert f"| `sets` | {Ladder._meta.get_field('sets').default} |" in ORGANISERS
    assert f"{matchmaking.NEW_DEALS} deals" in ORGANISERS
    assert matchmaking.NEW_PENDING == 2
    assert matchmaking.horizon(11) == 5 * 10
    assert settings.LADDER_FAULTY_LIMIT == 3
