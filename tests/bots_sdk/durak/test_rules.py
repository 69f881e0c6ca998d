"""Rule sets: options, what cannot be, JSON, presets and the rules in words (R1, R11)."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

import pytest

from bots_sdk.durak import DurakError, RuleError, RuleSet
from tests.bots_sdk.durak.tables import PRESETS, rules

LONG: dict[str, Any] = {
    "multi_open": False,
    "throwers": "all",
    "after_take": "same_attacker",
    "out_when": "immediate",
    "end_check": "immediate",
    "throw_on_take": False,
    "next_first": "lowest_trump",
}
APP: dict[str, Any] = {
    "multi_open": False,
    "throwers": "all",
    "first_limit": "first_bout",
    "next_first": "lowest_trump",
}
DIFFERENCES: dict[str, dict[str, Any]] = {
    "podkidnoy": {},
    "podkidnoy-long": LONG,
    "podkidnoy-app": APP,
    "podkidnoy-swedish": {"throw_when": "any_time"},
    "duel": {
        "game": "duel",
        "max_seats": 2,
        "first": "dealer",
        "next_first": "dealer",
        "multi_open": False,
        "max_attack": 1,
        "throw_on_take": False,
        "after_take": "same_attacker",
        "end_check": "immediate",
        "both_empty": "defender",
        "max_bouts": 1000,
    },
    "perevodnoy": {"transfer": "perevodnoy"},
    "perevodnoy-long": {**LONG, "transfer": "perevodnoy", "transfer_last_card": False},
    "perevodnoy-app": {**APP, "transfer": "perevodnoy"},
    "proyezdnoy": {"transfer": "proyezdnoy"},
    "siberian": {"max_attack": 3},
    "mini": {"deck": 24},
    "full": {"deck": 52},
    "two-packs": {"packs": 2, "min_seats": 6},
    "neighbours": {"throwers": "neighbours"},
    "first-five": {"first_limit": "first_bout"},
    "pairs": {"teams": "opposite", "min_seats": 4, "max_seats": 4},
    "trios": {"teams": "opposite", "min_seats": 6, "max_seats": 6},
    "pairs-adjacent": {"teams": "adjacent", "min_seats": 4, "max_seats": 4},
    "prostoy": {"game": "prostoy", "hand_size": 5, "max_attack": 5, "throw_on_take": False},
    "severny": {"second_trump": True, "last_card_trump": True},
    "svoi-kozyri": {
        "game": "svoi_kozyri",
        "max_seats": 4,
        "first": "left_of_dealer",
        "multi_open": False,
        "max_attack": 1,
        "throw_on_take": False,
    },
    "ladder": {"transfer": "perevodnoy", "ladder": True},
}
"""R11: what each preset differs in from the defaults."""

SEAT_COUNTS = {
    "podkidnoy": (2, 3, 4, 5, 6),
    "duel": (2,),
    "mini": (2, 3, 4),
    "full": (2, 3, 4, 5, 6, 7, 8),
    "two-packs": (6, 7, 8, 9, 10, 11, 12),
    "pairs": (4,),
    "trios": (6,),
    "pairs-adjacent": (4,),
    "prostoy": (2, 3, 4, 5, 6, 7),
    "svoi-kozyri": (2, 3, 4),
    "ladder": (2, 3, 4),
}


def test_r11_there_are_exactly_the_presets_of_the_table() -> None:
    assert list(PRESETS) == list(DIFFERENCES)


@pytest.mark.parametrize("name", PRESETS)
def test_r11_each_preset_differs_from_the_defaults_in_just_what_the_table_says(name: str) -> None:
    preset, default = RuleSet.preset(name), RuleSet()
    differing = {
        option.name: getattr(preset, option.name)
        for option in dataclasses.fields(RuleSet)
        if option.name not in ("name", "summary") and getattr(preset, option.name) != getattr(default, option.name)
    }
    assert differing == DIFFERENCES[name]
    assert preset.name == name
    assert preset.summary.endswith(".")


@pytest.mark.parametrize(("name", "counts"), SEAT_COUNTS.items())
def test_r1_the_seats_that_a_preset_can_be_played_with_are_known(name: str, counts: tuple[int, ...]) -> None:
    assert PRESETS[name].seat_counts == counts


@pytest.mark.parametrize(
    ("name", "options", "seats", "reason"),
    [
        ("podkidnoy", {}, 7, "7 seats of 6 cards need 42, but there are 36"),
        ("ladder", {}, 5, "5 seats of 8 cards need 40, but there are 36"),
        ("duel", {}, 3, "rules 'duel': 3 seats, but they are played by 2"),
        ("podkidnoy", {"teams": "opposite"}, 5, "opposite teams are two and two or three and three"),
        ("podkidnoy", {"teams": "adjacent"}, 6, "adjacent teams are two and two"),
    ],
)
def test_r1_r8_r9_5_seats_that_rules_cannot_be_played_with_are_refused_with_the_reason(
    name: str, options: dict[str, Any], seats: int, reason: str
) -> None:
    with pytest.raises(RuleError, match=reason):
        rules(name, **options).check_seats(seats)


def test_an_unknown_preset_names_the_nearest_one() -> None:
    with pytest.raises(RuleError, match="did you mean podkidnoy"):
        RuleSet.preset("podkidnoi")
    with pytest.raises(RuleError, match="there are: podkidnoy, "):
        RuleSet.preset("bridge")


def test_an_unknown_option_names_the_nearest_one() -> None:
    with pytest.raises(RuleError, match="no option 'max_atack'; did you mean max_attack"):
        RuleSet().replace(max_atack=3)


WRONG_VALUES = [
    (option.name, value)
    for option in dataclasses.fields(RuleSet)
    if option.name not in ("name", "summary")
    for value in ("nonsense", -1, None, 1.5, True if option.metadata.get("span") else "True")
]


@pytest.mark.parametrize(("option", "value"), WRONG_VALUES)
def test_a_value_that_an_option_does_not_take_is_refused_with_what_it_takes(option: str, value: object) -> None:
    with pytest.raises(RuleError, match=rf"rules: {option} = .*R\d.*it is (one of|a whole number)"):
        RuleSet(**{option: value})


@pytest.mark.parametrize("value", [1, 0])
def test_a_number_is_not_taken_for_a_switch(value: int) -> None:
    with pytest.raises(RuleError, match="multi_open"):
        RuleSet(multi_open=value)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"min_seats": 5, "max_seats": 3}, "min_seats is more than max_seats"),
        ({"game": "duel"}, "a duel is for two players"),
        ({"game": "duel", "min_seats": 2, "max_seats": 2}, "never drawn"),
        ({"game": "svoi_kozyri"}, "max_seats must be 4"),
        ({"game": "svoi_kozyri", "max_seats": 4}, "first left_of_dealer"),
        ({"game": "svoi_kozyri", "max_seats": 4, "first": "left_of_dealer", "deck": 52}, "deck must be 36"),
        ({"game": "prostoy", "transfer": "perevodnoy"}, "transfer is not part of the game prostoy"),
        ({"game": "prostoy", "teams": "opposite"}, "teams are not part of the game prostoy"),
        ({"game": "prostoy", "out_when": "immediate"}, "out_when immediate is not part of"),
        ({"cross_trump": True}, "cross_trump needs second_trump"),
        ({"hand_size": 20}, "no number of seats from 2 to 12 fits: 2 seats of 20 cards need 40"),
        ({"name": ""}, "name"),
        ({"name": "two\nlines"}, "name"),
        ({"summary": 3}, "summary"),
    ],
)
def test_options_that_cannot_go_together_are_refused_with_the_reason(options: dict[str, Any], reason: str) -> None:
    with pytest.raises(RuleError, match=reason):
        RuleSet(**options)


@pytest.mark.parametrize("name", PRESETS)
def test_rules_read_back_from_json_equal_and_alike(name: str) -> None:
    preset = PRESETS[name]
    assert RuleSet.from_json(preset.to_json()) == preset
    assert RuleSet.from_json(preset.to_json().encode()).to_json() == preset.to_json()
    assert set(json.loads(preset.to_json())) == {option.name for option in dataclasses.fields(RuleSet)}
    assert hash(RuleSet.from_json(preset.to_json())) == hash(preset)


def test_what_json_leaves_out_has_its_default() -> None:
    assert RuleSet.from_json('{"max_attack": 3}') == RuleSet(max_attack=3)


@pytest.mark.parametrize(("text", "reason"), [("[", "not JSON"), ("[1]", "a JSON list"), ('{"decks": 36}', "deck")])
def test_json_that_is_no_rule_set_is_refused_with_the_reason(text: str, reason: str) -> None:
    with pytest.raises(RuleError, match=reason):
        RuleSet.from_json(text)


def test_every_refusal_is_a_value_error() -> None:
    assert issubclass(RuleError, DurakError)
    assert issubclass(DurakError, ValueError)


def test_a_rule_set_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        RuleSet().deck = 52  # type: ignore[misc]


UNSAID = {"min_seats", "max_seats", "game"}


def _other_values() -> list[tuple[str, str, Any]]:
    base = {"prostoy_take": "prostoy", "svoi_pickup": "svoi-kozyri", "cross_trump": "severny"}
    base |= dict.fromkeys(("transfer_last_card", "transfer_first_bout", "transfer_lead", "show_limit"), "proyezdnoy")
    base |= {"teams": "pairs"}
    return [
        (preset, option.name, value)
        for option in dataclasses.fields(RuleSet)
        for preset in [base.get(option.name, "podkidnoy")]
        for value in option.metadata.get("values") or (option.metadata.get("span") and (1, 5)) or ()
        if option.name not in UNSAID and value != getattr(PRESETS[preset], option.name)
    ]


@pytest.mark.parametrize(("preset", "option", "value"), _other_values())
def test_the_rules_in_words_change_with_every_option(preset: str, option: str, value: Any) -> None:
    changed = PRESETS[preset].replace(**{option: value}, **({"min_seats": 2} if option == "teams" else {}))
    assert changed.explain() != PRESETS[preset].explain()


@pytest.mark.parametrize("name", PRESETS)
def test_the_rules_in_words_are_headed_paragraphs_that_begin_with_the_summary(name: str) -> None:
    text = PRESETS[name].explain()
    paragraphs = text.split("\n\n")
    assert all(len(paragraph.splitlines()) == 2 for paragraph in paragraphs)
    assert PRESETS[name].summary in paragraphs[0]
    assert "The end" in text
