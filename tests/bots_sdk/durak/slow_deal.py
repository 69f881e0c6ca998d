"""R2, R3 and R11 once more: the presets and what lies where after the deal, written from RULES.md."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256

from tests.bots_sdk.durak.slow_cards import RANKS, SUITS
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


@dataclass
class Dealt:
    """What lies where before the first move."""

    hands: list[list[str]]
    talon: list[str]  # as it will be drawn
    trumps: list[str]
    first: int
    redeals: int


def stream(seed: bytes) -> Iterator[int]:
    """R2.3: the bytes of SHA-256 over a prefix, the seed and a counter of eight bytes from 0."""
    counter = 0
    while True:
        yield from sha256(b"durak-deal-1" + seed + counter.to_bytes(8, "big")).digest()
        counter += 1


def below(bound: int, numbers: Iterator[int]) -> int:
    """A number under `bound`, each as likely: bytes past the last whole multiple are thrown away."""
    while True:
        number = next(numbers)
        if number < 256 // bound * bound:
            return number % bound


def shuffled(options: Options, numbers: Iterator[int]) -> list[str]:
    """The deck, by rank and then suit, one pack after the other, shuffled from its end (Fisher-Yates)."""
    ranks = {24: RANKS[7:], 36: RANKS[4:], 52: RANKS}[options["deck"]]
    deck = [rank + suit for rank in ranks for suit in SUITS] * options["packs"]
    for last in range(len(deck) - 1, 0, -1):
        other = below(last + 1, numbers)
        deck[last], deck[other] = deck[other], deck[last]
    return deck


def deal_slowly(
    options: Options, seats: int, seed: bytes, dealer: int, *, later: bool = False, extra: tuple[int, ...] = ()
) -> Dealt:
    """R2 and R3; `later` deals are begun as R3.3 says, `extra` are R9.5's cards over the hand size."""
    numbers = stream(seed)
    redeals = 0
    while True:
        deck = shuffled(options, numbers)
        order = [(dealer + 1 + step) % seats for step in range(seats)]
        if options["game"] == "svoi_kozyri":
            dealt = _own_trumps(deck, seats, order)
        else:
            sizes = [options["hand_size"] + more for more in extra or (0,) * seats]
            dealt = _hands_and_turn_up(options, deck, sizes, order)
        begins = options["next_first" if later else "first"]
        if begins == "dealer":
            dealt.first = dealer
        elif begins == "left_of_dealer":
            dealt.first = order[0]
        else:
            dealt.first = _holder_of_lowest(dealt, order, options)
        dealt.redeals = redeals
        if dealt.first >= 0:
            return dealt
        redeals += 1


def _hands_and_turn_up(options: Options, deck: list[str], sizes: list[int], order: list[int]) -> Dealt:
    hands: list[list[str]] = [[] for _ in sizes]
    while any(len(hand) < size for hand, size in zip(hands, sizes, strict=True)):
        for seat in order:
            if len(hands[seat]) < sizes[seat]:
                hands[seat].append(deck.pop(0))
    if deck:
        turned = deck.pop(0)
        deck.append(turned)
    else:
        turned = hands[order[-1]][-1]
    trumps = [turned[1]]
    if options["second_trump"]:
        trumps.append({"S": "C", "C": "S", "H": "D", "D": "H"}[turned[1]])
    return Dealt(hands, deck, trumps, -1, 0)


def _own_trumps(deck: list[str], seats: int, order: list[int]) -> Dealt:
    """R9.4."""
    sixes = ["6" + SUITS[seat] for seat in range(seats)]
    hands = [[six] for six in sixes]
    rest = [card for card in deck if card not in sixes]
    for number, card in enumerate(rest):
        hands[order[number % seats]].append(card)
    return Dealt(hands, [], list(SUITS[:seats]), -1, 0)


def _holder_of_lowest(dealt: Dealt, order: list[int], options: Options) -> int:
    """R3.1, R3.2; of equal ranks the turn-up's suit, then the first seat from the dealer's left."""
    held = [
        (RANKS.index(card[0]), dealt.trumps.index(card[1]), place, seat)
        for place, seat in enumerate(order)
        for card in dealt.hands[seat]
        if card[1] in dealt.trumps
    ]
    if held:
        return min(held)[-1]
    if options["no_trump"] == "redeal":
        return -1
    return min((RANKS.index(card[0]), place, seat) for place, seat in enumerate(order) for card in dealt.hands[seat])[
        -1
    ]
