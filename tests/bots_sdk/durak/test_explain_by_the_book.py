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


SAID: tuple[tuple[str, str], ...] = (
    ("trios", "Teams of three are seated alternately"),
    ("trios", "The defender's nearest opponents on both sides may throw in"),
    ("pairs", "Teams of two are seated alternately"),
    ("pairs", "Every opponent of the defender may throw in"),
    *((name, "one team alone holds cards, it has lost") for name in ("pairs", "trios", "pairs-adjacent")),
    *((name, "Everybody but the defender may throw in") for name in ("mini", "ladder", "podkidnoy-app")),
    ("podkidnoy", "Everybody but the defender (from five players on, only the defender's two neighbours) may throw in"),
    ("two-packs", "For six to twelve players"),
    ("two-packs", "The defender's two neighbours may throw in"),
    ("perevodnoy", "or, if it has come back to him, whoever passed it on last"),
    ("podkidnoy-long", "As soon as one player alone holds cards, even in the middle of a bout, he is the durak"),
    ("duel", "In every deal the dealer begins"),
    ("severny", "from the next bout on its suit alone is trump"),
    ("ladder", "starts with seven cards"),
    ("svoi-kozyri", "when the same hands with the same leader come up"),
)
UNSAID: tuple[tuple[str, str], ...] = (
    ("svoi-kozyri", "talon"),
    ("svoi-kozyri", "bout"),
    ("duel", "after a draw"),
    *((name, "five players") for name in ("mini", "ladder", "pairs", "trios", "two-packs")),
    *((name, "he is the durak") for name in ("pairs", "trios", "pairs-adjacent")),
    *((name, "Everybody but the defender") for name in ("pairs", "trios", "pairs-adjacent")),
    *((name, "In later deals") for name in ("duel", "svoi-kozyri", "podkidnoy-long")),
    ("prostoy", "never more cards than the defender holds"),
)


@pytest.mark.parametrize(("preset", "words"), SAID)
def test_a_preset_is_explained_by_what_holds_for_it(preset: str, words: str) -> None:
    assert words in RuleSet.preset(preset).explain()


@pytest.mark.parametrize(("preset", "words"), UNSAID)
def test_a_preset_is_not_explained_by_what_it_has_not(preset: str, words: str) -> None:
    assert words not in RuleSet.preset(preset).explain()


def test_no_two_presets_are_explained_alike() -> None:
    assert len({rules.explain() for rules in RuleSet.presets().values()}) == len(RuleSet.presets())
