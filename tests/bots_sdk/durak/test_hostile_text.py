"""Whatever a stranger sends, parsing answers with a ValueError that can be read, soon, or with a value."""

from __future__ import annotations

import copy
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bots_sdk.durak import Card, DealRecord, GameState, Move, RuleSet, deal

HOSTILE: tuple[Any, ...] = (
    *(None, True, -1, 0, 1, 7, 10**40, 1.5, float("nan"), float("inf"), "", "8S", "♠", "\x00", "x" * 100_000),
    *([], [[]], [None], ["8S"], ["8S", "8S"], [["8S", None, "9S"]], [1, 2], {}, {"8S": 1}, [[[[[]]]]], b"8S", {"S"}),
)
MOVES = ("attack", "a8S", "a8S8S", "a8S8H9D", "b8S:JS", "t8H", "s8H", "take", "pass")
HOSTILE_MOVES = (
    *("", "a", "b", "t", "s", "x8S", "a8", "a8S8", "a8s", "A8S", "aXX", "a8S ", " a8S", "a8S\n", "b8S", "b8S:", "b:JS"),
    *(
        "b8S:JS:QS",
        "b8S:JS9S",
        "b8S9S:JS",
        "takes",
        "TAKE",
        "pass!",
        "a10S",
        "a8♠",
        "a8S,8H",
        "t",
        "s",
        "a" + "8S" * 60_000,
    ),
    *("take" * 50_000, "\x00", "a\ud800", "b8S\uff1aJS", "a\uff18S", "null", "{}", "a8S8S"),
)


def position() -> dict[str, Any]:
    return deal(RuleSet.preset("perevodnoy"), seats=3, seed=bytes(16)).to_position()


def accepts_or_says_why(parse: Any, value: Any) -> Any:
    """The parsed value, or None for a ValueError with words in it; anything else is an error."""
    began = time.perf_counter()
    result = None
    said = "it was accepted"
    try:
        result = parse(value)
    except ValueError as error:
        said = str(error)
    assert said.strip()
    assert len(said) < 2_000, "an error must not repeat all of a hostile input"
    assert time.perf_counter() - began < 2
    return result


@pytest.mark.parametrize("text", HOSTILE_MOVES)
def test_a_malformed_move_is_a_value_error(text: str) -> None:
    parsed = accepts_or_says_why(Move.parse, text)
    assert parsed is None or str(parsed) == text


NO_TEXTS = tuple(value for value in HOSTILE if not isinstance(value, str))


@pytest.mark.parametrize("parse", [Card.parse, Move.parse, RuleSet.from_json, RuleSet.preset, DealRecord.parse])
@pytest.mark.parametrize("value", NO_TEXTS, ids=repr)
def test_what_is_not_even_text_is_a_type_or_value_error(parse: Any, value: Any) -> None:
    with pytest.raises((TypeError, ValueError, AttributeError)):
        parse(value)


@pytest.mark.parametrize("parse", [Card.parse, Move.parse, RuleSet.from_json, RuleSet.preset, DealRecord.parse])
@pytest.mark.parametrize(
    "value", [*HOSTILE_MOVES, "[" * 100_000, "9" * 100_000, '{"self": 1}', '{"max_attack": 1e999}']
)
def test_hostile_text_is_a_value_error_or_a_value(parse: Any, value: str) -> None:
    accepts_or_says_why(parse, value)


@given(st.text(max_size=12))
def test_whatever_text_parses_as_a_move_prints_as_itself(text: str) -> None:
    parsed = accepts_or_says_why(Move.parse, text)
    assert parsed is None or str(parsed) == text


@given(st.text(alphabet="abts:8S9HTDpake", max_size=12))
def test_whatever_resembles_a_move_prints_as_itself_but_for_the_order_of_its_cards(text: str) -> None:
    parsed = accepts_or_says_why(Move.parse, text)
    if parsed is not None:
        assert sorted(str(parsed)) == sorted(text)
        assert Move.parse(str(parsed)) == parsed


@pytest.mark.parametrize("value", HOSTILE, ids=lambda value: repr(value)[:30])
@pytest.mark.parametrize("key", sorted(position()))
def test_a_position_with_one_bad_field_is_a_value_error_or_a_playable_position(key: str, value: Any) -> None:
    bad = {**position(), key: copy.deepcopy(value)}
    state = accepts_or_says_why(GameState.from_position, bad)
    if state is not None and not state.is_over:
        assert state.legal_moves()
        state.view(0)
        assert GameState.from_position(state.to_position()).to_position() == state.to_position()


@pytest.mark.parametrize("value", HOSTILE, ids=lambda value: repr(value)[:30])
@pytest.mark.parametrize("place", ["hand", "card in hand", "pair", "talon card"])
def test_a_position_with_something_bad_deep_inside_is_a_value_error_or_playable(place: str, value: Any) -> None:
    bad = position()
    if place == "hand":
        bad["hands"][1] = copy.deepcopy(value)
    elif place == "card in hand":
        bad["hands"][1][0] = copy.deepcopy(value)
    elif place == "pair":
        bad["table"] = [copy.deepcopy(value)]
    else:
        bad["talon"][3] = copy.deepcopy(value)
    state = accepts_or_says_why(GameState.from_position, bad)
    if state is not None and not state.is_over:
        assert state.legal_moves()


@pytest.mark.parametrize("missing", sorted(position()))
def test_a_position_without_one_field_has_a_default_or_says_what_is_missing(missing: str) -> None:
    less = {key: value for key, value in position().items() if key != missing}
    state = accepts_or_says_why(GameState.from_position, less)
    assert state is None or state.legal_moves()


def test_an_unknown_field_of_a_position_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match="talom"):
        GameState.from_position({**position(), "talom": []})


def test_the_same_card_in_two_places_is_refused_by_name() -> None:
    bad = position()
    card = bad["hands"][0][0]
    bad["hands"][1][0] = card
    with pytest.raises(ValueError, match=card):
        GameState.from_position(bad)


@pytest.mark.parametrize("value", HOSTILE, ids=lambda value: repr(value)[:30])
def test_each_option_of_a_rule_set_with_a_bad_value_is_a_value_error_that_names_it(value: Any) -> None:
    options = RuleSet.preset("podkidnoy").to_dict()
    for name, good in options.items():
        if value == good and type(value) is type(good):
            continue
        rules = accepts_or_says_why(RuleSet.from_dict, {**options, name: copy.deepcopy(value)})
        if rules is not None:
            hash(rules)
            assert RuleSet.from_json(rules.to_json()) == rules


def test_an_unknown_option_and_an_unknown_preset_are_refused_by_name_with_the_nearest() -> None:
    with pytest.raises(ValueError, match=r"max_atack.*max_attack"):
        RuleSet.from_dict({**RuleSet.preset("podkidnoy").to_dict(), "max_atack": 3})
    with pytest.raises(ValueError, match=r"podkidnoi.*podkidnoy"):
        RuleSet.preset("podkidnoi")


def record_text() -> str:
    state = deal(RuleSet.preset("podkidnoy"), seats=2, seed=bytes(16))
    moves = []
    while not state.is_over:
        move = state.legal_moves()[0]
        moves.append(move)
        state.play(move)
    assert state.result is not None
    return DealRecord(
        rules=RuleSet.preset("podkidnoy"), seed=bytes(16), seats=2, dealer=0, moves=tuple(moves), result=state.result
    ).to_text()


RECORD = record_text()


@given(st.integers(0, len(RECORD)), st.integers(0, 40), st.text(max_size=20))
def test_a_damaged_record_is_a_value_error_or_replays_or_refuses(start: int, length: int, text: str) -> None:
    damaged = RECORD[:start] + text + RECORD[start + length :]
    record = accepts_or_says_why(DealRecord.parse, damaged)
    if record is not None:
        accepts_or_says_why(lambda record: record.replay(), record)
        assert DealRecord.parse(record.to_text()) == record


@pytest.mark.parametrize("value", ["", "[" * 100_000, RECORD * 200, RECORD + "\n" + RECORD], ids=lambda v: repr(v)[:30])
def test_what_is_no_record_is_a_value_error(value: Any) -> None:
    assert accepts_or_says_why(DealRecord.parse, value) is None


def test_a_record_whose_move_is_illegal_says_which_and_why() -> None:
    record = DealRecord.parse(RECORD)
    broken = DealRecord(
        rules=record.rules,
        seed=record.seed,
        seats=record.seats,
        dealer=record.dealer,
        moves=(record.moves[0], record.moves[0], *record.moves[2:]),
        result=record.result,
    )
    with pytest.raises(ValueError, match=str(record.moves[0])):
        broken.replay()


def test_a_record_that_claims_another_result_is_refused() -> None:
    lines = RECORD.replace("last_holder", "both_empty")
    assert lines != RECORD
    parsed = accepts_or_says_why(DealRecord.parse, lines)
    if parsed is not None:
        with pytest.raises(ValueError, match=r"both_empty.*last_holder"):
            parsed.replay()


@pytest.mark.parametrize(
    "arguments",
    [
        {"seats": 7},
        {"seats": 1},
        {"seats": 0},
        {"seats": -2},
        {"seats": True},
        {"seats": 10**30},
        {"dealer": 2},
        {"dealer": -1},
        {"seed": b""},
        {"seed": bytes(15)},
    ],
    ids=str,
)
def test_a_deal_with_a_bad_argument_is_a_value_error_that_says_what(arguments: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(iter(arguments))):
        deal(RuleSet.preset("podkidnoy"), **{"seats": 2, "seed": bytes(16), "dealer": 0, **arguments})


def test_a_record_of_rules_with_an_odd_name_is_read_back_or_the_name_is_refused() -> None:
    for name in ("a\u2028b", "a\x85b", "a\rb", "a\x1cb", "\ud800", "Свои козыри", "x" * 1000):
        rules = accepts_or_says_why(lambda name: RuleSet.preset("podkidnoy").replace(name=name), name)
        if rules is not None:
            record = DealRecord(rules=rules, seed=bytes(16), seats=2)
            assert DealRecord.parse(record.to_text()) == record
            assert record.to_text().encode()


@pytest.mark.parametrize(
    ("line", "sloppy"),
    [("seats 2", "seats +2"), ("seats 2", "seats 02"), ("seats 2", "seats \u0662"), ("dealer 0", "dealer 0 ")],
)
def test_a_record_is_read_in_its_one_form_only(line: str, sloppy: str) -> None:
    with pytest.raises(ValueError, match=line.split(maxsplit=1)[0]):
        DealRecord.parse(RECORD.replace(line, sloppy))


def test_a_card_named_three_times_in_a_hand_of_two_packs_is_refused() -> None:
    position = {"rules": "two-packs", "hands": [["8S"] * 3, *([["9S"]] * 5)], "trump": "H"}
    with pytest.raises(ValueError, match="8S"):
        GameState.from_position(position)


def test_a_trump_is_a_suit_or_a_card_of_it() -> None:
    hands = {"hands": [["8S"], ["9S", "9C"]]}
    for trump in ("H", "6H"):
        assert GameState.from_position({**hands, "trump": trump}).to_position()["trump"] == "H"
    for trump in ("HD", "hH", "", "HH", "SHDC", "1H"):
        with pytest.raises(ValueError, match="trump"):
            GameState.from_position({**hands, "trump": trump})


@pytest.mark.parametrize(
    ("rules", "field"),
    [
        ("podkidnoy", {"pile": ["9C"]}),
        ("duel", {"taking": True}),
        ("svoi-kozyri", {"passed": [0]}),
        ("duel", {"pile": []}),
    ],
)
def test_a_field_of_another_game_is_refused_by_name(rules: str, field: dict[str, Any]) -> None:
    trump = ["S", "H"] if rules == "svoi-kozyri" else "H"
    with pytest.raises(ValueError, match=next(iter(field))):
        GameState.from_position({"rules": rules, "hands": [["8S"], ["9S"]], "trump": trump, **field})
