"""The rules in words ("How to play") say something of every option: change one and the words change."""

from __future__ import annotations

from typing import Any

import pytest

from bots_sdk.durak import RuleSet

CHANGES: tuple[tuple[str, str, Any], ...] = (
    *(("podkidnoy", "deck", value) for value in (24, 52)),
    *(("podkidnoy", "first", value) for value in ("dealer", "left_of_dealer")),
    *(("podkidnoy", "first_limit", value) for value in ("first_bout", "until_discard")),
    *(("podkidnoy", "throwers", value) for value in ("all", "neighbours", "attacker")),
    *(("podkidnoy", "transfer", value) for value in ("perevodnoy", "proyezdnoy")),
    *(("podkidnoy", "teams", value) for value in ("opposite", "adjacent")),
    *(("podkidnoy", "double_durak", value) for value in ("counts_double", "deals_twice")),
    ("podkidnoy", "packs", 2),
    ("podkidnoy", "hand_size", 5),
    ("podkidnoy", "no_trump", "lowest_card"),
    ("podkidnoy", "next_first", "lowest_trump"),
    ("podkidnoy", "multi_open", False),
    ("podkidnoy", "max_attack", 3),
    ("podkidnoy", "throw_when", "any_time"),
    ("podkidnoy", "throw_on_take", False),
    ("podkidnoy", "after_take", "same_attacker"),
    ("podkidnoy", "out_when", "immediate"),
    ("podkidnoy", "end_check", "immediate"),
    ("podkidnoy", "both_empty", "defender"),
    ("podkidnoy", "max_bouts", 50),
    ("podkidnoy", "second_trump", True),
    ("podkidnoy", "last_card_trump", True),
    ("podkidnoy", "ladder", True),
    ("proyezdnoy", "transfer_last_card", False),
    ("proyezdnoy", "transfer_first_bout", False),
    ("proyezdnoy", "transfer_lead", "transferrer"),
    ("proyezdnoy", "show_limit", "bout"),
    ("severny", "cross_trump", True),
    ("prostoy", "prostoy_take", "unbeaten"),
    ("svoi-kozyri", "svoi_pickup", "top"),
)


@pytest.mark.parametrize(("preset", "option", "value"), CHANGES)
def test_a_changed_option_changes_the_explanation(preset: str, option: str, value: Any) -> None:
    rules = RuleSet.preset(preset)
    assert getattr(rules, option) != value
    assert rules.replace(**{option: value}).explain() != rules.explain()


def test_every_option_is_among_the_changes() -> None:
    words_or_seats = {"name", "summary", "game", "min_seats", "max_seats"}
    assert {option for _, option, _ in CHANGES} == set(RuleSet.preset("podkidnoy").to_dict()) - words_or_seats


def test_no_two_presets_are_explained_alike() -> None:
    assert len({rules.explain() for rules in RuleSet.presets().values()}) == len(RuleSet.presets())
