"""Players for the referee's tests: well-behaved ones, and ones that go wrong at a chosen turn."""

from __future__ import annotations

import json
import random
import sys
import textwrap
from collections.abc import Callable, Sequence
from typing import Any

from bots_sdk.bot import Bot, Loop, Move, View
from bots_sdk.durak import RuleSet
from bots_sdk.referee import (
    DealSpec,
    Player,
    SittingOutcome,
    SittingSpec,
    TimeControl,
    play_sitting,
)
from bots_sdk.referee.local import InProcessPlayer, SubprocessPlayer

PODKIDNOY = RuleSet.preset("podkidnoy")
PATIENT = TimeControl(startup_ms=20_000, move_ms=5_000, bank_ms=5_000)
SEEDS = [bytes([n]) * 16 for n in range(1, 30)]


class Lowest(Bot):
    """Plays what costs least."""

    def choose(self, view: View) -> Move:
        return min(view.legal, key=view.cost)


class Chance(Bot):
    """Plays anything legal."""

    def __init__(self, seed: int = 0) -> None:
        self._chance = random.Random(seed)

    def choose(self, view: View) -> str:
        return str(self._chance.choice(view.legal))


def good() -> InProcessPlayer:
    return InProcessPlayer(Loop(Lowest()).answer)


class HandClock:
    """A clock that stands still until it is put forward, in seconds."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def reply(message: dict[str, Any], **changes: Any) -> bytes:
    """The first legal answer to a prompt, with changes."""
    answer = {"type": "move", "turn": message["turn"], **message["legal"][0]}
    answer.update(changes)
    return json.dumps(answer).encode()


def going_wrong(wrong: Callable[[dict[str, Any]], bytes | None], at: int = 1) -> InProcessPlayer:
    """A good bot that answers its `at`-th turn (from 1), and all later ones, by `wrong(message)`."""
    loop = Loop(Lowest())
    turns = 0

    def answer(line: bytes) -> bytes | None:
        nonlocal turns
        message = json.loads(line)
        turns += message["type"] == "turn"
        if message["type"] == "turn" and turns >= at:
            return wrong(message)
        return loop.answer(line)

    return InProcessPlayer(answer)


def program(source: str) -> SubprocessPlayer:
    """A bot as a bare process, in Python without the SDK."""
    return SubprocessPlayer([sys.executable, "-I", "-c", textwrap.dedent(source)])


HONEST = """
import json, sys, os, time

def say(message):
    sys.stdout.write(json.dumps(message) + "\\n")
    sys.stdout.flush()

def reply(message):
    say({"type": "move", "turn": message["turn"], **message["legal"][0]})

def wrong(message):
    reply(message)

turns = 0
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        say({"type": "ready"})
    elif message["type"] == "turn":
        turns += 1
        if turns < WHEN:
            reply(message)
        else:
            wrong(message)
"""


def misbehaving(wrong: str, when: int = 1) -> SubprocessPlayer:
    """An honest program whose `when`-th turn and later ones are answered by the body `wrong`."""
    body = textwrap.indent(textwrap.dedent(wrong), "    ")
    source = HONEST.replace("def wrong(message):\n    reply(message)\n", f"def wrong(message):\n{body}\n")
    return program(source.replace("WHEN", str(when)))


def spec(
    deals: int = 3,
    seats: int = 2,
    rules: RuleSet = PODKIDNOY,
    time_control: TimeControl = PATIENT,
    **options: Any,
) -> SittingSpec:
    dealt = tuple(DealSpec(index, index, SEEDS[index]) for index in range(deals))
    options.setdefault("mask_forced", False)
    return SittingSpec(rules, seats, dealt, time_control, **options)


def sit(players: Sequence[Player], sitting: SittingSpec | None = None, **options: Any) -> SittingOutcome:
    return play_sitting(sitting or spec(seats=len(players)), players, **options)
