"""docs/protocol.md: its transcript is a real one, and its tables are complete."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import bots_sdk
from bots_sdk.bot import Loop
from bots_sdk.durak import EVENT_KINDS
from bots_sdk.referee import TimeControl, Verdict
from bots_sdk.referee.local import InProcessPlayer
from tests.bots_sdk.referee.players import Lowest, good, sit, spec

PAGE = Path(bots_sdk.__file__).parent.parent / "docs" / "protocol.md"
TURNS = 2


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


@pytest.mark.parametrize("kind", EVENT_KINDS)
def test_every_kind_of_event_is_listed(kind: str) -> None:
    assert f"`{kind}`" in page()


def test_every_field_of_every_message_is_listed() -> None:
    fields: set[str] = set()

    def answer(line: bytes) -> bytes | None:
        message = json.loads(line)
        fields.update(message)
        return loop.answer(line)

    loop = Loop(Lowest())
    sit([InProcessPlayer(answer), good()], spec(1))
    for field in fields:
        assert f"`{field}`" in page(), field


def test_the_example_bots_on_the_page_play(tmp_path: Path) -> None:
    import sys

    from bots_sdk.referee.local import SubprocessPlayer

    blocks = re.findall(r"```python\n(.*?)\n```", page(), re.DOTALL)
    assert blocks
    for block in blocks:
        (tmp_path / "bot.py").write_text(block)
        outcome = sit([SubprocessPlayer([sys.executable, "-I", "bot.py"], cwd=tmp_path), good()], spec(2))
        assert outcome.faults == ()
