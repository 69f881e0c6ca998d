"""Whole positions as JSON values (R13): written with all hidden cards, read with sensible defaults."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bots_sdk.durak import fields
from bots_sdk.durak.cards import CARDS, FACES, NAMES, SUITS, Card, faces_of, names_of
from bots_sdk.durak.errors import NotationError, PositionError, RuleError, quoted
from bots_sdk.durak.games import new_state
from bots_sdk.durak.result import REASONS, Result
from bots_sdk.durak.rules import RuleSet
from bots_sdk.durak.state import GameState

KEYS = [
    "rules",
    "hands",
    "talon",
    "trump",
    "turn_up",
    "turn_up_in_hand",
    "table",
    "attacker",
    "defender",
    "taking",
    "passed",
    "limit",
    "opener",
    "attack_place",
    "defend_place",
    "opener_place",
    "shown",
    "helping",
    "pile",
    "added",
    "dealer",
    "first",
    "lowest_trump",
    "redeals",
    "discarded",
    "bout",
    "known",
    "history",
    "result",
]


BOUT_KEYS = ["taking", "passed", "limit", "opener", "attack_place", "defend_place", "opener_place", "shown", "helping"]
FOREIGN_KEYS = {
    "bout": ["pile", "added"],
    "prostoy": ["pile", "added"],
    "duel": ["pile", "added", *BOUT_KEYS],
    "svoi_kozyri": BOUT_KEYS,
}
"""For each game, the fields that only other games have."""


def write(state: GameState) -> dict[str, Any]:
    """The position of a state."""
    position: dict[str, Any] = {
        "rules": state.rules.to_dict(),
        "hands": [names_of(hand) for hand in state.hands],
        "talon": [NAMES[face] for face in reversed(state.talon)],
        "trump": _trump_text(state.trumps),
        "turn_up": _name(state.turn_up),
        **state.describe(),
        "dealer": state.dealer,
        "first": state.first,
        "discarded": state.discarded,
        "bout": state.bout,
    }
    if state.turn_up_in_hand:
        position["turn_up_in_hand"] = True
    if state.lowest_trump >= 0:
        position["lowest_trump"] = _name(state.lowest_trump)
    if state.redeals:
        position["redeals"] = state.redeals
    if any(state.known):
        position["known"] = [names_of(known) for known in state.known]
    if state.history:
        position["history"] = [
            {"attacker": key[0], "hands": [names_of(hand) for hand in key[1:]], "times": times}
            for key, times in state.history.items()
        ]
    if state.result is not None:
        position["result"] = state.result.to_dict()
    return position


def read(position: Mapping[str, Any]) -> GameState:
    """The state of a position. Raises ``PositionError``."""
    if not isinstance(position, Mapping):
        raise PositionError(f"a position is an object, not {quoted(position)}")
    rules = _rules(position.get("rules", "podkidnoy"))
    _check_names(position, rules)
    hands = position.get("hands")
    if not isinstance(hands, list | tuple):
        raise PositionError("position: hands is needed: a list with each seat's list of cards")
    try:
        state = new_state(rules, len(hands))
    except RuleError as error:
        raise PositionError(f"position: {error}") from error
    state.hands = [fields.hand(hand, f"hands of seat {seat}") for seat, hand in enumerate(hands)]
    state.talon = list(reversed(fields.faces(position, "talon")))
    _read_trump(state, position)
    state.dealer = fields.seat(position, "dealer", state.seats, 0)
    state.first = fields.seat(position, "first", state.seats, fields.seat(position, "attacker", state.seats, 0))
    if position.get("lowest_trump") is not None:
        state.lowest_trump = fields.face(position["lowest_trump"], "lowest_trump")
    state.redeals = fields.whole(position, "redeals", 0, 0)
    state.bout = fields.whole(position, "bout", 1, 1, rules.max_bouts)
    _read_memory(state, position)
    on_table = _count_cards(state, position)
    lying = sum(hand.bit_count() for hand in state.hands) + len(state.talon) + on_table
    state.discarded = fields.whole(position, "discarded", max(rules.cards - lying, 0), 0)
    if lying + state.discarded != rules.cards:
        raise PositionError(
            f"position: hands, talon and table hold {lying} cards and {state.discarded} are discarded, "
            f"but there are {rules.cards} in play"
        )
    if position.get("result") is not None:
        _read_result(state, position["result"])
    state.resume(position)
    return state


def _check_names(position: Mapping[str, Any], rules: RuleSet) -> None:
    for name in position:
        if name not in KEYS:
            raise PositionError(f"position: there is no field {quoted(name)}; the fields are {', '.join(KEYS)}")
        if name in FOREIGN_KEYS[rules.game]:
            raise PositionError(f"position: there is no field {name!r} in the game {rules.game}")


def _rules(value: object) -> RuleSet:
    try:
        if isinstance(value, RuleSet):
            return value
        if isinstance(value, str):
            return RuleSet.preset(value)
        if isinstance(value, Mapping):
            return RuleSet.from_dict(value)
    except RuleError as error:
        raise PositionError(f"position: {error}") from error
    raise PositionError(f"position: rules = {quoted(value)}; it is a preset's name or an object of options")


def _read_trump(state: GameState, position: Mapping[str, Any]) -> None:
    turn_up = position.get("turn_up")
    if turn_up is None and state.talon:
        state.turn_up = state.talon[0]
    elif turn_up is not None:
        state.turn_up = fields.face(turn_up, "turn_up")
    if state.talon and state.turn_up != state.talon[0]:
        raise PositionError(
            f"position: turn_up is {quoted(turn_up)}, but the talon's last card {NAMES[state.talon[0]]}"
        )
    state.turn_up_in_hand = fields.flag(position, "turn_up_in_hand")
    if state.talon and state.turn_up_in_hand:
        raise PositionError("position: turn_up_in_hand is true, but there is a talon, whose last card it is")
    own = state.rules.game == "svoi_kozyri"
    default: object = SUITS[state.turn_up & 3] if state.turn_up >= 0 else None
    if own:
        default = list(SUITS[: state.seats])
    value = position.get("trump", default)
    if value is None:
        raise PositionError("position: trump is needed where there is no talon: a suit, one of S, H, D, C")
    letters = list(value) if isinstance(value, list | tuple) else [value]
    suits = [_suit(letter) for letter in letters]
    if not all(suit >= 0 for suit in suits):
        raise PositionError(f"position: trump = {quoted(value)}; it is a suit, one of S, H, D, C, or a list of suits")
    needed = state.seats if own else 2 if state.rules.second_trump else 1
    if state.rules.second_trump and "trump" not in position:
        suits.append(3 - suits[0])
    if len(set(suits)) != len(suits) or len(suits) not in (needed, needed if own else 1):
        raise PositionError(f"position: trump = {quoted(value)}; these rules have {needed} different trump suits")
    state.set_trumps(suits)


def _suit(letter: object) -> int:
    """The number of a suit that is written as itself or as a card of it, or -1."""
    if not isinstance(letter, str):
        return -1
    if len(letter) == 1:
        return SUITS.find(letter)
    try:
        return Card.parse(letter).index & 3
    except NotationError:
        return -1


def _read_memory(state: GameState, position: Mapping[str, Any]) -> None:
    known = position.get("known", [[] for _ in state.hands])
    if not isinstance(known, list | tuple) or len(known) != state.seats:
        raise PositionError(f"position: known = {quoted(known)}; it is a list of {state.seats} lists of cards")
    for seat, cards in enumerate(known):
        state.known[seat] = fields.hand(cards, f"known cards of seat {seat}")
        if state.known[seat] & ~state.hands[seat]:
            raise PositionError(f"position: known cards of seat {seat} are not all in its hand")
    history = position.get("history", [])
    if not isinstance(history, list | tuple):
        raise PositionError(f"position: history = {quoted(history)}; it is a list")
    if history and state.talon:
        raise PositionError("position: history counts bouts once the talon is gone (R6.4), but there is a talon")
    # The third time ends the deal.
    most = 3 if position.get("result") is not None else 2
    for entry in history:
        if not isinstance(entry, Mapping) or not isinstance(entry.get("hands"), list | tuple):
            raise PositionError(f"position: history holds {quoted(entry)}; each has an attacker, hands and times")
        hands = [fields.hand(hand, "history") for hand in entry["hands"]]
        if len(hands) != state.seats:
            raise PositionError(
                f"position: history has an entry with {len(hands)} hands; there are {state.seats} seats"
            )
        key = (fields.seat(entry, "attacker", state.seats, 0), *hands)
        state.history[key] = fields.whole(entry, "times", 1, 1, most)


def _count_cards(state: GameState, position: Mapping[str, Any]) -> int:
    """How many cards lie on the table; no card may be there more often than it is in the deck."""
    table = [face for pair in fields.table(position) for face in pair if face >= 0]
    table += fields.faces(position, "pile")
    everywhere = table + state.talon + [face for hand in state.hands for face in faces_of(hand)]
    for face in everywhere:
        if face < FACES - state.rules.deck:
            raise PositionError(f"position: {CARDS[face]} is not in a deck of {state.rules.deck}")
        times = everywhere.count(face)
        if times > state.rules.packs:
            raise PositionError(f"position: {CARDS[face]} is there {times} times")
    return len(table)


def _read_result(state: GameState, value: object) -> None:
    reason = value.get("reason") if isinstance(value, Mapping) else None
    if not isinstance(value, Mapping) or not isinstance(reason, str) or reason not in REASONS:
        raise PositionError(f"position: result = {quoted(value)}; it has duraks, reason, cards_left and double")
    left = [hand.bit_count() for hand in state.hands]
    if value.get("cards_left", left) != left:
        raise PositionError(f"position: result leaves cards {quoted(value['cards_left'])}, the hands have {left}")
    state.result = Result(
        duraks=frozenset(fields.seats(value, "duraks", state.seats)),
        reason=reason,
        cards_left=tuple(left),
        double=fields.flag(value, "double"),
    )
    state.is_over = True


def _trump_text(trumps: list[int]) -> str | list[str]:
    letters = [SUITS[suit] for suit in trumps]
    return letters[0] if len(letters) == 1 else letters


def _name(face: int) -> str | None:
    return NAMES[face] if face >= 0 else None
