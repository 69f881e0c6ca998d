"""docs/protocol.md: its transcript is a real one, and its tables are complete."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path
from typing import Any

import pytest

import bots_sdk
from bots_sdk.bot import Bot, Loop, Move, View
from bots_sdk.durak import EVENT_KINDS, RuleSet
from bots_sdk.referee import TimeControl, Verdict
from bots_sdk.referee.local import InProcessPlayer
from tests.bots_sdk.referee.players import Lowest, good, sit, spec

PAGE = Path(bots_sdk.__file__).parent.parent / "docs" / "protocol.md"
TURNS = 2
TEAM_GAMES = ("pairs", "trios", "pairs-adjacent")


def page() -> str:
    return PAGE.read_text(encoding="utf-8")


class Ticking:
    """A clock of which every look costs an eighth of a millisecond."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 0.000125
        return self.now


def transcript() -> str:
    """What seat 0 is told and answers in the first deal of a sitting, shortened where `...` stands."""
    loop = Loop(Lowest())
    lines: list[str] = []
    turns = 0

    def answer(line: bytes) -> bytes | None:
        nonlocal turns
        reply = loop.answer(line)
        message = json.loads(line)
        turns += message["type"] == "turn"
        if turns <= TURNS or message["type"] != "turn":
            lines.append("<- " + shortened(message))
            if reply is not None:
                lines.append("-> " + json.dumps(json.loads(reply)))
        elif turns == TURNS + 1:
            lines.append("   ...")
        return reply

    clock = TimeControl(startup_ms=5_000, move_ms=200, bank_ms=3_000)
    sit([InProcessPlayer(answer), good()], spec(1, time_control=clock, commitment="9f86d0..."), clock=Ticking())
    return "\n".join(lines)


def shortened(message: dict[str, Any]) -> str:
    if message["type"] == "hello":
        message["rules"] = {"name": message["rules"]["name"], "...": "every option"}
    if message["type"] == "deal_over":
        message["events"] = ["...", *message["events"][-2:]]
    return json.dumps(message)


def test_the_transcript_on_the_page_is_what_the_referee_says() -> None:
    block = re.search(r"```transcript\n(.*?)\n```", page(), re.DOTALL)
    assert block is not None
    assert block[1] == transcript()


@pytest.mark.parametrize("verdict", Verdict)
def test_every_verdict_is_explained(verdict: Verdict) -> None:
    assert f"| `{verdict.value}` |" in page()


PRESETS = RuleSet.presets()
PLAYED = [
    *((rules, seats) for rules in PRESETS.values() for seats in rules.seat_counts if seats <= 6),
    *((PRESETS[name].replace(transfer="proyezdnoy"), PRESETS[name].min_seats) for name in TEAM_GAMES),
    (PRESETS["svoi-kozyri"].replace(svoi_pickup="top"), 3),
    (PRESETS["prostoy"].replace(prostoy_take="unbeaten"), 3),
]
"""Every preset with every number of seats, and the options that no preset has and that tell a bot something."""


class Lively(Bot):
    """Plays anything legal, and passes attacks on wherever it may."""

    def __init__(self, seed: str) -> None:
        self._chance = random.Random(seed)

    def choose(self, view: View) -> Move:
        weights = [{"take": 0.3, "transfer": 8, "show": 8}.get(move.kind, 1) for move in view.legal]
        return self._chance.choices(view.legal, weights)[0]


@pytest.fixture(scope="module")
def told() -> list[dict[str, Any]]:
    """All that bots are told in a deal at every table, and in one that ends by a fault."""
    messages: list[dict[str, Any]] = []

    def listening(bot: Bot) -> InProcessPlayer:
        loop = Loop(bot)

        def answer(line: bytes) -> bytes | None:
            messages.append(json.loads(line))
            return loop.answer(line)

        return InProcessPlayer(answer)

    for number, (rules, seats) in enumerate(PLAYED):
        sit([listening(Lively(f"{number} {seat}")) for seat in range(seats)], spec(1, seats, rules))
    sit([listening(Bot()), listening(Lowest())], spec(1))
    return messages


def rows(heading: str) -> list[list[str]]:
    """The cells of all tables below a heading, but for their header rows."""
    section = page().split(f"\n{heading}\n")[1].split("\n### ")[0].split("\n## ")[0]
    return [[cell.strip() for cell in line[1:].split("|")] for line in section.splitlines() if line[:3] == "| `"]


def names(cell: str) -> set[str]:
    return set(re.findall(r"`(\w+)`", cell))


def fields_of(told: list[dict[str, Any]], *kinds: str) -> set[str]:
    return {field for message in told if message["type"] in kinds for field in message}


def test_the_tables_list_each_field_of_a_deal_or_a_turn_at_any_table_and_no_other(told: list[dict[str, Any]]) -> None:
    listed = set().union(*(names(row[0]) for row in rows("### `deal` and `turn`")))
    assert listed == fields_of(told, "deal", "turn")


def test_the_table_lists_each_field_of_a_hello_and_no_other(told: list[dict[str, Any]]) -> None:
    assert set().union(*(names(row[0]) for row in rows("### `hello`"))) == fields_of(told, "hello") - {"type"}


def test_the_fields_of_the_ends_are_told(told: list[dict[str, Any]]) -> None:
    words = page().split("### `deal_over` and `match_over`")[1].split("\n## ")[0]
    for field in fields_of(told, "deal_over", "match_over") - {"type", "deal"}:
        assert f"`{field}`" in words, field


def test_the_table_of_events_lists_each_kind_and_what_it_has(told: list[dict[str, Any]]) -> None:
    listed = {next(iter(names(row[0]))): names(row[1]) for row in rows("### Events")}
    assert set(listed) == set(EVENT_KINDS)
    events = [event for message in told for event in message.get("events", ())]
    assert set(EVENT_KINDS) - {event["kind"] for event in events} <= {"redeal"}
    for event in events:
        assert set(event) - {"kind", "seat", "count", "cards"} == listed[event["kind"]], event


def test_the_table_of_events_says_how_a_bout_can_be_over(told: list[dict[str, Any]]) -> None:
    ways = {event["how"] for message in told for event in message.get("events", ()) if event["kind"] == "bout_over"}
    (row,) = [row for row in rows("### Events") if row[0] == "`bout_over`"]
    for how in ways:
        assert f"`{how}`:" in row[2], how
        assert how in EVENT_KINDS["bout_over"], how


def test_the_example_bots_on_the_page_play(tmp_path: Path) -> None:
    import sys

    from bots_sdk.referee.local import SubprocessPlayer

    blocks = re.findall(r"```python\n(.*?)\n```", page(), re.DOTALL)
    assert blocks
    for block in blocks:
        (tmp_path / "bot.py").write_text(block)
        outcome = sit([SubprocessPlayer([sys.executable, "-I", "bot.py"], cwd=tmp_path), good()], spec(2))
        assert outcome.faults == ()
