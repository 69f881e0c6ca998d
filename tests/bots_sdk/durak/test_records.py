"""Records: they read back, replay to their result anywhere, and refuse what is not one (R13)."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from shutil import which

import pytest

from bots_sdk.durak import Chronicle, DealRecord, Fault, Move, RecordError, RuleSet, deal
from tests.bots_sdk.durak.tables import PRESETS, TABLES

ROOT = Path(__file__).parents[3]
REPLAY = """
import sys
from bots_sdk.durak import Chronicle, DealRecord
for text in sys.stdin.read().split("\\n\\n"):
    record = DealRecord.parse(text)
    print(record.to_text())
    print(Chronicle.of(record).seen_by("all"))
    print(record.replay().to_position())
"""


def played(name: str, seats: int, seed: bytes, dealer: int = 0) -> DealRecord:
    """A deal of random moves."""
    choose = random.Random(seed)
    state = deal(PRESETS[name], seats, seed, dealer)
    moves = []
    while not state.is_over:
        moves.append(choose.choice(state.legal_moves()))
        state.play(moves[-1])
    return DealRecord(PRESETS[name], seed, seats, dealer, tuple(moves), state.result)


def replays(records: list[DealRecord], python: str, **environment: str) -> str:
    """What another process makes of the records."""
    done = subprocess.run(
        [python, "-c", REPLAY],
        input="\n\n".join(record.to_text().strip() for record in records),
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1", **environment},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def other_pythons() -> list[str]:
    """Every other supported Python that this machine has, on the path or among pyenv's."""
    found: dict[tuple[int, ...], str] = {}
    for minor in range(11, 16):
        candidates = [which(f"python3.{minor}"), *map(str, Path.home().glob(f".pyenv/versions/3.{minor}*/bin/python3"))]
        for candidate in candidates:
            if candidate is not None and (3, minor) != sys.version_info[:2]:
                asked = subprocess.run(
                    [candidate, "-c", "import sys; print(*sys.version_info[:2])"],
                    capture_output=True,
                    text=True,
                    check=False,
                )
                if asked.stdout.split() == ["3", str(minor)]:
                    found.setdefault((3, minor), candidate)
    return list(found.values())


@pytest.fixture(scope="module")
def records() -> list[DealRecord]:
    return [played(name, seats, f"{name:>20} {seats}".encode()) for name, seats in TABLES]


def test_a_record_replays_byte_for_byte_under_every_hash_seed(records: list[DealRecord]) -> None:
    outputs = {replays(records, sys.executable, PYTHONHASHSEED=seed) for seed in ("0", "1", "4242")}
    assert len(outputs) == 1
    for record in records:
        assert record.to_text() in next(iter(outputs))


def test_a_record_replays_byte_for_byte_under_every_other_python_of_this_machine(records: list[DealRecord]) -> None:
    here = replays(records, sys.executable, PYTHONHASHSEED="7")
    for python in other_pythons():
        assert replays(records, python, PYTHONHASHSEED="8") == here, python


def test_a_record_holds_a_later_deal_and_its_extra_cards() -> None:
    rules = PRESETS["ladder"]
    state = deal(rules, 3, bytes(16), 1, later=True, extra=(0, 1, 2))
    moves = []
    while not state.is_over:
        moves.append(state.legal_moves()[0])
        state.play(moves[-1])
    record = DealRecord(rules, bytes(16), 3, 1, tuple(moves), state.result, later=True, extra=(0, 1, 2))
    assert "\nlater\nextra 0 1 2\n" in record.to_text()
    assert DealRecord.parse(record.to_text()) == record
    assert record.replay().to_position() == state.to_position()


def test_a_record_that_ends_by_a_fault_replays_to_it() -> None:
    chronicle = Chronicle(deal(PRESETS["pairs"], 4, bytes(16)))
    for _ in range(5):
        chronicle.play(chronicle.state.legal_moves()[0])
    chronicle.fault(2, "timeout")
    record = DealRecord(
        PRESETS["pairs"], bytes(16), 4, 0, tuple(chronicle.moves), chronicle.state.result, Fault(2, "timeout")
    )
    assert "\nfault seat 2 timeout\n" in record.to_text()
    assert DealRecord.parse(record.to_text()) == record
    assert record.replay().result == chronicle.state.result
    assert Chronicle.of(record).events == chronicle.events
    assert chronicle.state.result is not None
    assert chronicle.state.result.duraks == {0, 2}


def test_a_record_of_a_deal_in_play_has_no_result_yet() -> None:
    record = replace(played("podkidnoy", 2, bytes(16)), result=None)
    half = replace(record, moves=record.moves[:5])
    assert "result" not in half.to_text().replace("rules", "")
    assert DealRecord.parse(half.to_text()) == half
    assert not half.replay().is_over


def test_stepping_through_a_record_gives_the_state_before_each_move_and_the_end() -> None:
    record = played("podkidnoy", 3, bytes(16))
    seats = [state.seat_to_move for state in record.states()]
    assert len(seats) == len(record.moves) + 1
    assert None not in seats[:-1]
    assert seats[-1] is None


def test_a_move_that_the_rules_forbid_is_named_with_its_number_and_reason() -> None:
    record = played("podkidnoy", 2, bytes(16))
    wrong = replace(record, moves=(*record.moves[:3], Move.parse("s8H"), *record.moves[3:]))
    with pytest.raises(RecordError, match=r"record: move 4, s8H: .*\(R"):
        wrong.replay()


def test_a_result_that_does_not_come_out_is_refused_with_both() -> None:
    record = played("podkidnoy", 2, bytes(16))
    assert record.result is not None
    other = replace(record.result, duraks=frozenset([0, 1]) - record.result.duraks)
    with pytest.raises(RecordError, match=r"it says durak . by last_holder .* it plays to durak"):
        replace(record, result=other).replay()
    with pytest.raises(RecordError, match="it plays to no result yet"):
        replace(record, moves=record.moves[:-1]).replay()


def test_a_record_that_cannot_be_dealt_is_refused() -> None:
    with pytest.raises(RecordError, match=r"it cannot be dealt: .*7 seats"):
        DealRecord(RuleSet(), bytes(16), 7).replay()


GOOD = played("podkidnoy", 2, bytes(16)).to_text()


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("durak deal 1", "durak deal 2", "line 1 is not 'durak deal 1'"),
        ("seats 2", "seats two", "line 4: seats"),
        ("seats 2", "chairs 2", "line 4 begins with 'chairs'"),
        ("dealer 0", "dealer 0\ndealer 0", "line 6: dealer is there twice"),
        ("dealer 0\n", "", "there is no line dealer"),
        ("seed ", "seed x", "line 3: seed"),
        ("moves a", "moves xx a", "line 6: moves: 'xx' is not a move"),
        ('"deck":36', '"deck":37', "line 2: rules: .*deck = 37"),
        (" by last_holder", " by luck", "is not a result"),
        ("result durak", "result winner", "begins neither with draw nor with durak"),
        ("dealer 0", "dealer 0\nfault seat two", "is not a fault"),
        ("dealer 0", "dealer 0\nlater on", "nothing may follow it"),
        ("dealer 0", "dealer 0\nextra one", "line 6: extra"),
    ],
)
def test_a_text_that_is_no_record_is_refused_with_its_line_and_the_reason(old: str, new: str, reason: str) -> None:
    assert old in GOOD
    with pytest.raises(RecordError, match=reason):
        DealRecord.parse(GOOD.replace(old, new, 1))


def test_an_empty_text_is_no_record() -> None:
    with pytest.raises(RecordError, match="line 1"):
        DealRecord.parse("")
