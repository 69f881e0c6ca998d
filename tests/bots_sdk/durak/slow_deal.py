"""R2, R3 and R11 once more: the presets and what lies where after the deal, written from RULES.md."""

from __future__ import annotations

from tests.bots_sdk.durak.slow_referee import Options

DEFAULTS: Options = {
    "deck": 36,
    "packs": 1,
    "hand_size": 6,
    "no_trump": "redeal",
    "next_first": "left_of_dealer",
    "multi_open": True,
    "max_attack": 6,
    "first_limit": "none",
    "throwers": "auto",
    "throw_when": "all_beaten",
    "throw_on_take": True,
    "after_take": "left_of_defender",
    "out_when": "talon_empty",
    "end_check": "bout_end",
    "both_empty": "draw",
    "max_bouts": 300,
    "transfer": "none",
    "transfer_last_card": True,
    "transfer_first_bout": True,
    "transfer_lead": "original",
    "show_limit": "deal",
    "teams": "none",
}

_LONG: Options = {
    "multi_open": False,
    "throwers": "all",
    "after_take": "same_attacker",
    "out_when": "immediate",
    "end_check": "immediate",
    "throw_on_take": False,
    "next_first": "lowest_trump",
}
_APP: Options = {
    "multi_open": False,
    "throwers": "all",
    "first_limit": "first_bout",
    "next_first": "lowest_trump",
}

PRESETS: dict[str, Options] = {
    "podkidnoy": {},
    "podkidnoy-long": _LONG,
    "podkidnoy-app": _APP,
    "podkidnoy-swedish": {"throw_when": "any_time"},
    "perevodnoy": {"transfer": "perevodnoy"},
    "perevodnoy-long": {**_LONG, "transfer": "perevodnoy", "transfer_last_card": False},
    "perevodnoy-app": {**_APP, "transfer": "perevodnoy"},
    "proyezdnoy": {"transfer": "proyezdnoy"},
    "siberian": {"max_attack": 3},
    "mini": {"deck": 24},
    "full": {"deck": 52},
    "two-packs": {"packs": 2},
    "neighbours": {"throwers": "neighbours"},
    "first-five": {"first_limit": "first_bout"},
    "pairs": {"teams": "opposite"},
    "trios": {"teams": "opposite"},
    "pairs-adjacent": {"teams": "adjacent"},
    "severny": {},
    "ladder": {"transfer": "perevodnoy"},
}
"""What R11 says each preset of the common core changes. (Severny's two trumps are in the deal.)"""

SEATS: dict[str, tuple[int, ...]] = {
    **dict.fromkeys(PRESETS, (2, 3, 4, 5, 6)),
    "mini": (2, 3, 4),
    "ladder": (2, 3, 4),
    "full": (2, 3, 4, 5, 6, 7, 8),
    "two-packs": (6, 7, 8),
    "pairs": (4,),
    "trios": (6,),
    "pairs-adjacent": (4,),
}
