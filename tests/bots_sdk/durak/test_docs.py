"""The documentation says what the engine does: its examples run, its tables and vectors are true."""

from __future__ import annotations

import dataclasses
import doctest
import json
import re
from hashlib import sha256
from pathlib import Path

import pytest

from bots_sdk.durak import EVENT_KINDS, DealRecord, RuleSet, deal
from bots_sdk.durak.cards import NAMES, deck_faces
from bots_sdk.durak.positions import KEYS
from bots_sdk.durak.result import REASONS
from bots_sdk.durak.shuffle import Shuffler
from tests.bots_sdk.durak.tables import PRESETS

DOCS = Path(__file__).parents[3] / "docs"
RULES = (DOCS / "rules.md").read_text(encoding="utf-8")
ENGINE = (DOCS / "engine.md").read_text(encoding="utf-8")
SOURCES = sorted((Path(__file__).parents[3] / "bots_sdk" / "durak").glob("*.py"))


def test_the_examples_of_the_engine_s_page_run() -> None:
    test = doctest.DocTestParser().get_doctest(ENGINE, {}, "docs/engine.md", "docs/engine.md", 0)
    assert len(test.examples) > 40
    runner = doctest.DocTestRunner(optionflags=doctest.FAIL_FAST)
    runner.run(test)
    assert runner.failures == 0


def rows(text: str, heading: str) -> list[list[str]]:
    """The cells of the table under a heading."""
    part = text.split(f"{heading}\n", 1)[1].split("\n\n#", 1)[0]
    lines = [line for line in part.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def test_the_table_of_options_is_the_rule_set_s() -> None:
    expected = []
    for option in dataclasses.fields(RuleSet):
        meta = option.metadata
        if not meta:
            continue
        if "span" in meta:
            values = f"{option.default}; {meta['span'][0]} to {meta['span'][1]}"
        else:
            ordered = [option.default, *[value for value in meta["values"] if value != option.default]]
            values = ", ".join(f"`{value if isinstance(value, str) else json.dumps(value)}`" for value in ordered)
        expected.append([f"`{option.name}`", meta["section"], values, meta["meaning"]])
    assert rows(RULES, "## Options") == expected


def test_the_table_of_presets_is_the_presets() -> None:
    default = RuleSet()
    expected = []
    for name, rules in PRESETS.items():
        differing = [
            f"`{option.name}` {value if isinstance(value, str) else json.dumps(value)}"
            for option in dataclasses.fields(RuleSet)
            if option.name not in ("name", "summary", "min_seats", "max_seats")
            and (value := getattr(rules, option.name)) != getattr(default, option.name)
        ]
        counts = rules.seat_counts
        seats = str(counts[0]) if len(counts) == 1 else f"{counts[0]} to {counts[-1]}"
        expected.append([f"`{name}`", seats, ", ".join(differing) or "nothing"])
    assert rows(RULES, "## Presets (R11)") == expected


def test_the_worked_shuffle_comes_out_as_printed() -> None:
    found = re.search(r"seed `([0-9a-f]{32})`", RULES)
    assert found is not None
    seed = bytes.fromhex(found[1])
    [block] = re.findall(r"^block 0 +([0-9a-f]{64})$", RULES, re.MULTILINE)
    assert sha256(b"durak-deal-1" + seed + bytes(8)).hexdigest() == block
    [printed] = re.findall(r"^36 cards +(.*)$", RULES, re.MULTILINE)
    deck = deck_faces(36, 1)
    Shuffler(seed).shuffle(deck)
    assert [NAMES[face] for face in deck] == printed.split()
    state = deal(PRESETS["podkidnoy"], 3, seed, 0)
    position = state.to_position()
    for seat in range(3):
        [hand] = re.findall(rf"^seat {seat} +(.*)$", RULES, re.MULTILINE)
        assert sorted(hand.split()) == sorted(position["hands"][seat])
    [talon] = re.findall(r"^talon +(.*)$", RULES, re.MULTILINE)
    [turn_up] = re.findall(r"^turn-up (.*)$", RULES, re.MULTILINE)
    assert position["talon"] == [*talon.split(), turn_up]
    assert (state.first, str(state.deal_info.lowest_trump)) == (0, "6C")


def test_every_field_of_a_position_is_in_the_table() -> None:
    named = {name for row in rows(RULES, "### Positions") for name in re.findall(r"`(\w+)`", row[0])}
    assert named == set(KEYS)


def test_every_reason_of_a_result_is_named() -> None:
    assert all(f"`{reason}`" in RULES for reason in REASONS)


def test_the_record_s_lines_are_as_described() -> None:
    state = deal(PRESETS["podkidnoy"], 2, bytes(16))
    state.fault(1)
    record = DealRecord(PRESETS["podkidnoy"], bytes(16), 2, 0, (), state.result)
    words = [line.split()[0] for line in record.to_text().splitlines()]
    assert words == ["durak", "rules", "seed", "seats", "dealer", "result"]
    assert all(f"\n{word} " in RULES for word in words)


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.name)
def test_every_section_that_the_code_cites_is_in_the_rules(source: Path) -> None:
    for section in set(re.findall(r"\bR\d+(?:\.\d+)?\b", source.read_text(encoding="utf-8"))):
        assert f"**{section}" in RULES or f"## {section} " in RULES or f"({section})" in RULES, section


def test_every_key_of_a_view_is_described() -> None:
    described = set(re.findall(r"`(\w+)`", ENGINE.split("## What a seat may know")[1].split("## Positions")[0]))
    for name, rules in PRESETS.items():
        state = deal(rules, rules.seat_counts[0], bytes(16))
        assert set(state.view(0)) <= described, name


def test_every_kind_of_event_has_a_meaning_that_cites_its_section_or_its_data() -> None:
    assert all("(R" in meaning or "data." in meaning for meaning in EVENT_KINDS.values())
