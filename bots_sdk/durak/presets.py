"""The named rule sets (R11): each is the defaults but for what its row says."""

from __future__ import annotations

from typing import Any, Final

from bots_sdk.durak.rules import RuleSet

_LONG: Final[dict[str, Any]] = {
    "multi_open": False,
    "throwers": "all",
    "throw_on_take": False,
    "after_take": "same_attacker",
    "out_when": "immediate",
    "end_check": "immediate",
    "next_first": "lowest_trump",
}
_APP: Final[dict[str, Any]] = {
    "multi_open": False,
    "throwers": "all",
    "first_limit": "first_bout",
    "next_first": "lowest_trump",
}
_TABLE: Final[dict[str, tuple[str, dict[str, Any]]]] = {
    "podkidnoy": ("Throw-in durak, the classic game and the arena's main rules.", {}),
    "podkidnoy-long": (
        "Throw-in durak of the long rules: one opening card, out at once, ended by the last holder.",
        _LONG,
    ),
    "podkidnoy-app": ("Throw-in durak as the app plays it: five cards in the very first bout.", _APP),
    "podkidnoy-swedish": (
        "Throw-in durak of the Swedish rules: cards may be thrown in at any time.",
        {"throw_when": "any_time"},
    ),
    "duel": (
        "Two players, one card a bout, nothing thrown in, no draws.",
        {
            "game": "duel",
            "min_seats": 2,
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
    ),
    "perevodnoy": ("Transfer durak: an attack may be passed on with a card of its rank.", {"transfer": "perevodnoy"}),
    "perevodnoy-long": (
        "Transfer durak of the long rules: the last card may not pass an attack on.",
        {**_LONG, "transfer": "perevodnoy", "transfer_last_card": False},
    ),
    "perevodnoy-app": ("Transfer durak on the app's rules.", {**_APP, "transfer": "perevodnoy"}),
    "proyezdnoy": (
        "Transfer durak in which showing the trump of the attack's rank is enough.",
        {"transfer": "proyezdnoy"},
    ),
    "siberian": ("Throw-in durak with at most three attack cards a bout.", {"max_attack": 3}),
    "mini": ("Throw-in durak with 24 cards, nine to ace.", {"deck": 24}),
    "full": ("Throw-in durak with 52 cards, two to ace.", {"deck": 52}),
    "two-packs": ("Throw-in durak for six or more with two packs of 36.", {"packs": 2, "min_seats": 6}),
    "neighbours": ("Throw-in durak in which only the defender's neighbours throw in.", {"throwers": "neighbours"}),
    "first-five": (
        "Throw-in durak with at most five attack cards in the first bout.",
        {"first_limit": "first_bout"},
    ),
    "pairs": (
        "Two against two, partners opposite each other.",
        {"teams": "opposite", "min_seats": 4, "max_seats": 4},
    ),
    "trios": ("Three against three, seated alternately.", {"teams": "opposite", "min_seats": 6, "max_seats": 6}),
    "pairs-adjacent": (
        "Two against two, partners side by side and beating for each other.",
        {"teams": "adjacent", "min_seats": 4, "max_seats": 4},
    ),
    "prostoy": (
        "Simple durak: five cards each, attacks of one, three or five cards, nothing thrown in.",
        {"game": "prostoy", "hand_size": 5, "max_attack": 5, "throw_on_take": False},
    ),
    "severny": (
        "Northern durak: two trump suits, then the last hidden card's suit alone.",
        {"second_trump": True, "last_card_trump": True},
    ),
    "svoi-kozyri": (
        "Own trumps: a game of beating in which every seat has a trump suit of its own.",
        {
            "game": "svoi_kozyri",
            "max_seats": 4,
            "first": "left_of_dealer",
            "multi_open": False,
            "max_attack": 1,
            "throw_on_take": False,
        },
    ),
    "ladder": (
        "A session of transfer durak in which frequent duraks start with more cards.",
        {"transfer": "perevodnoy", "ladder": True},
    ),
}

PRESETS: Final[dict[str, RuleSet]] = {
    name: RuleSet(name=name, summary=summary, **options) for name, (summary, options) in _TABLE.items()
}
