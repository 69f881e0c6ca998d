"""`durak explain`, `legal`, `why` and `perft`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bots_sdk.durak import RuleSet, deal, perft
from tests.bots_sdk.cli.running import Durak

POSITION = {
    "rules": "podkidnoy",
    "hands": [["6S", "9S", "KD"], ["8S", "JS"]],
    "trump": "H",
    "table": [["7S", None]],
    "attacker": 0,
    "defender": 1,
}


@pytest.fixture
def position(durak: Durak) -> Path:
    path = Path("position.json")
    path.write_text(json.dumps(POSITION))
    return path


def test_legal_lists_the_moves_of_a_position(durak: Durak, position: Path) -> None:
    assert durak("legal", position).out.split() == ["b7S:8S", "b7S:JS", "take"]
    assert json.loads(durak("legal", position, "--json").out) == ["b7S:8S", "b7S:JS", "take"]


def test_why_gives_the_rule_that_forbids_a_move(durak: Durak, position: Path) -> None:
    ran = durak("why", position, "pass")
    assert ran.code == 1
    assert "(R" in ran.out
    ran = durak("why", position, "b7S:8S")
    assert (ran.code, ran.out.strip()) == (0, "b7S:8S is legal for seat 1.")


def test_why_refuses_what_is_no_move_at_all(durak: Durak, position: Path) -> None:
    ran = durak("why", position, "castle")
    assert (ran.code, ran.out) == (2, "")
    assert "castle" in ran.err


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "is not JSON"),
        ("[" * 100_000, "nested too deeply"),
        ("[1]", "position"),
        ('{"rules":"podkidnoy"}', "hands"),
        ('{"rules":"chess","hands":[["6S"],["7S"]],"trump":"H"}', "chess"),
        ("\x00", "is not JSON"),
    ],
)
def test_a_file_that_is_no_position_is_refused_with_what_is_wrong(durak: Durak, text: str, words: str) -> None:
    Path("bad.json").write_text(text)
    ran = durak("legal", "bad.json")
    assert (ran.code, ran.out) == (1, "")
    assert words in ran.err


def test_a_file_that_is_not_there_is_named(durak: Durak) -> None:
    ran = durak("legal", "missing.json")
    assert ran.code == 1
    assert "cannot read missing.json: No such file" in ran.err


def test_a_position_may_come_from_stdin(durak: Durak, monkeypatch: pytest.MonkeyPatch) -> None:
    import io

    monkeypatch.setattr("sys.stdin", io.StringIO(json.dumps(POSITION)))
    assert durak("legal", "-").out.split() == ["b7S:8S", "b7S:JS", "take"]


def test_explain_lists_every_preset_and_explains_one(durak: Durak) -> None:
    listing = durak("explain").out
    for name in RuleSet.presets():
        assert name in listing
        assert durak("explain", name).code == 0
    assert json.loads(durak("explain", "siberian", "--json").out)["max_attack"] == 3
    assert set(json.loads(durak("explain", "--json").out)) == set(RuleSet.presets())


def test_an_unknown_preset_is_refused_with_the_nearest(durak: Durak) -> None:
    ran = durak("explain", "siberia")
    assert ran.code == 2
    assert "siberian" in ran.err


def test_perft_counts_what_the_engine_counts(durak: Durak) -> None:
    seed = bytes(range(16))
    expected = perft(deal(RuleSet.preset("perevodnoy"), 3, seed), 3)
    ran = durak("perft", "perevodnoy", "--seats", 3, "--seed", seed.hex(), "--depth", 3)
    assert (ran.code, ran.out.strip()) == (0, str(expected))
    assert durak("perft", "podkidnoy", "--seed", "xyz").code == 2
    assert durak("perft", "podkidnoy", "--seats", 9).code == 2
