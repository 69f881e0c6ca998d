"""Random rule sets of the common core, and random endgames, for the two referees to differ on."""

from __future__ import annotations

import random
from typing import Any

from bots_sdk.durak import RuleSet
from tests.bots_sdk.durak.slow_cards import RANKS, SUITS

CHOICES: dict[str, tuple[Any, ...]] = {
    "deck": (24, 36, 36, 52),
    "multi_open": (True, False),
    "max_attack": (6, 6, 3, 4),
    "first_limit": ("none", "first_bout", "until_discard"),
    "throwers": ("all", "neighbours", "attacker"),
    "throw_when": ("all_beaten", "any_time"),
    "throw_on_take": (True, False),
    "after_take": ("left_of_defender", "same_attacker"),
    "out_when": ("talon_empty", "immediate"),
    "end_check": ("bout_end", "immediate"),
    "no_trump": ("redeal", "lowest_card"),
    "transfer": ("none", "perevodnoy", "perevodnoy", "proyezdnoy"),
}
TRANSFERS: dict[str, tuple[Any, ...]] = {
    "transfer_last_card": (True, False),
    "transfer_first_bout": (True, False),
    "transfer_lead": ("original", "transferrer"),
}


def random_rules(rng: random.Random) -> tuple[RuleSet, int]:
    """A rule set with each option drawn by itself, and a number of seats that fits it."""
    options = {name: rng.choice(values) for name, values in CHOICES.items()}
    if options["transfer"] != "none":
        options |= {name: rng.choice(values) for name, values in TRANSFERS.items()}
    if options["transfer"] == "proyezdnoy":
        options["show_limit"] = rng.choice(("deal", "bout"))
    seats = rng.randint(2, options["deck"] // 6 if options["deck"] < 52 else 7)
    if seats == 4 and rng.random() < 0.3:
        options["teams"] = "opposite"
    if seats == 6 and rng.random() < 0.3:
        options["teams"] = "opposite"
    if options["deck"] == 36 and rng.random() < 0.1:
        options["packs"] = 2
        seats = 6
    return RuleSet.preset("podkidnoy").replace(**options), seats


def random_endgame(rng: random.Random, rules: RuleSet, seats: int) -> dict[str, Any]:
    """A position at the start of a bout with few cards left, the talon empty or nearly so."""
    lowest = {24: 7, 36: 4, 52: 0}[rules.deck]
    cards = [rank + suit for suit in SUITS for rank in RANKS[lowest:]] * rules.packs
    rng.shuffle(cards)
    hands: list[list[str]] = []
    for _ in range(seats):
        size = min(rng.choice((0, 1, 1, 2, 3, 4, 7)), len(cards) - 2)
        hands.append([cards.pop() for _ in range(size)])
    holders = [seat for seat in range(seats) if hands[seat]]
    if len(holders) < 2:
        return random_endgame(rng, rules, seats)
    talon = [cards.pop() for _ in range(min(rng.choice((0, 0, 0, 0, 1, 2, 5)), len(cards) - 1))]
    if talon and len(holders) < seats:
        cards += talon
        talon = []
    if len(cards) % 2:  # what is in nobody's hands was beaten, and beaten cards come in pairs
        hands[holders[0]].append(cards.pop())
    trump: str | list[str] = talon[-1][1] if talon else rng.choice(SUITS)
    if rules.second_trump and len(talon) > 1:
        trump = [suit for suit in SUITS if (suit in "SC") == (trump in "SC")]
    return {
        "rules": rules.to_dict(),
        "hands": hands,
        "talon": talon,
        "trump": trump,
        "attacker": rng.choice(holders),
        "discarded": len(cards),
        "bout": rng.choice((1, 2, 2, 2, 2, 297)),
    }
