"""Answers that come too early, too late, in parts or twice, and what the clocks charge for them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from bots_sdk.bot import Loop
from bots_sdk.referee import TimeControl, Verdict
from bots_sdk.referee.local import InProcessPlayer
from bots_sdk.referee.player import MAX_LINE, StdinBlocked, Timeout
from tests.bots_sdk.referee.players import (
    HandClock,
    Lowest,
    going_wrong,
    good,
    misbehaving,
    reply,
    sit,
    spec,
)


def test_a_line_before_the_prompt_is_a_fault_and_never_the_answer() -> None:
    # One write, so that both lines are there before the next turn is asked, however busy the machine is.
    eager = misbehaving(
        """
        lines = [
            {"type": "move", "turn": message["turn"], **message["legal"][0]},
            {"type": "move", "turn": message["turn"] + 2, "move": "take"},
        ]
        os.write(1, "".join(json.dumps(line) + "\\n" for line in lines).encode())
        """
    )
    outcome = sit([eager, good()], spec(1))
    assert outcome.faults[0].verdict is Verdict.UNASKED
    assert '"move": "take"' in outcome.faults[0].line


def test_an_answer_given_twice_is_a_fault() -> None:
    twice = misbehaving("reply(message); reply(message)")
    outcome = sit([twice, good()], spec(1))
    assert outcome.faults[0].verdict in (Verdict.UNASKED, Verdict.WRONG_TURN)


def test_a_partial_line_before_the_prompt_is_a_fault_too() -> None:
    outcome = sit(
        [misbehaving("reply(message); sys.stdout.write('{\"ty'); sys.stdout.flush(); time.sleep(0.05)"), good()],
        spec(1),
    )
    assert outcome.faults[0].verdict in (Verdict.UNASKED, Verdict.MALFORMED)


def test_an_answer_after_the_deadline_is_charged_once_and_never_taken_for_the_next() -> None:
    late = misbehaving(
        """
        if turns == 1:
            time.sleep(2.5)
        reply(message)
        """
    )
    outcome = sit([late, good()], spec(4, time_control=TimeControl(20_000, 2_000, 0)))
    assert [fault.verdict for fault in outcome.faults] == [Verdict.TIMEOUT]
    assert outcome.deals[0].result.duraks == {0}
    assert all(played.result.reason != "fault" for played in outcome.deals[1:])
    assert outcome.excluded == (False, False)


@pytest.mark.parametrize("written", [1, 20, -1])
def test_a_late_answer_of_which_a_part_was_there_before_the_next_prompt_is_charged_once(written: int) -> None:
    late = misbehaving(
        f"""
        if turns == 1:
            line = json.dumps({{"type": "move", "turn": message["turn"], **message["legal"][0]}}) + "\\n"
            os.write(1, line[:{written}].encode())
            time.sleep(2)
            os.write(1, line[{written}:].encode())
        else:
            reply(message)
        """
    )
    outcome = sit([late, good()], spec(4, time_control=TimeControl(20_000, 1_500, 0)))
    assert [fault.verdict for fault in outcome.faults] == [Verdict.TIMEOUT]


@pytest.mark.parametrize("before_the_prompt", [True, False])
def test_a_late_answer_to_a_prompt_that_was_not_read_in_time_is_charged_once(before_the_prompt: bool) -> None:
    class ReadsLate(InProcessPlayer):
        unread: bytes | None = None
        blocked = False

        def send(self, line: bytes, deadline: float) -> None:
            if self.unread is not None and (b'"turn"' in line or before_the_prompt):
                unread, self.unread = self.unread, None
                super().send(unread, deadline)
            if json.loads(line)["type"] == "turn" and not self.blocked:
                self.blocked, self.unread = True, line
                raise StdinBlocked("the bot does not read its stdin, and the pipe is full")
            super().send(line, deadline)

    outcome = sit([ReadsLate(Loop(Lowest()).answer), good()], spec(3))
    assert [fault.verdict for fault in outcome.faults] == [Verdict.STDIN_BLOCKED]


def test_one_missed_turn_excuses_one_part_of_a_line_only() -> None:
    class Babbling(InProcessPlayer):
        said = 0

        def receive(self, deadline: float, max_line: int = MAX_LINE) -> bytes:
            if self.said:
                raise Timeout("no complete line came in time")
            return super().receive(deadline, max_line)

        def stray(self) -> bytes | None:
            self.said += 1
            return b'{"type":' if self.said > 1 else None

    outcome = sit([Babbling(Loop(Lowest()).answer), good()], spec(2))
    assert [fault.verdict for fault in outcome.faults] == [Verdict.TIMEOUT, Verdict.UNASKED]


def test_only_time_over_the_move_time_drains_the_bank() -> None:
    clock = HandClock()
    seen: list[dict[str, float]] = []
    taken = [0.019, 0.030, 0.020, 0.520]

    def note(message: dict[str, Any]) -> bytes:
        seen.append(message["clock"])
        clock.now += taken[len(seen) - 1] if len(seen) <= len(taken) else 0
        return reply(message)

    sitting = spec(1, time_control=TimeControl(5_000, 20, 1_000))
    outcome = sit([going_wrong(note), good()], sitting, clock=clock)
    assert outcome.faults == ()
    assert [told["bank_ms"] for told in seen[:5]] == [1_000, 1_000, 990, 990, 490]
    assert [told["last_ms"] for told in seen[:5]] == [0, 19, 30, 20, 520]


def test_an_answer_that_comes_when_move_time_and_bank_are_used_up_is_too_late() -> None:
    clock = HandClock()

    def late(message: dict[str, Any]) -> bytes:
        clock.now += 1.0205
        return reply(message)

    sitting = spec(1, time_control=TimeControl(5_000, 20, 1_000))
    (fault,) = sit([going_wrong(late), good()], sitting, clock=clock).faults
    assert fault.verdict is Verdict.TIMEOUT
    assert "20 ms of a move and the 1000 ms" in fault.reason
    assert '"turn": 1' in fault.line


def test_a_bot_is_not_charged_for_the_others_thinking() -> None:
    clock = HandClock()

    def slow(message: dict[str, Any]) -> bytes:
        clock.now += 0.5
        return reply(message)

    sitting = spec(1, time_control=TimeControl(10_000, 2_000, 0))
    outcome = sit([going_wrong(slow), good()], sitting, clock=clock)
    assert {round(d.ms) for d in outcome.deals[0].decisions if d.seat == 0} == {500}
    assert {round(d.ms) for d in outcome.deals[0].decisions if d.seat == 1} == {0}
