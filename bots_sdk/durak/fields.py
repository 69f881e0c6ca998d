"""Reading the fields of a written position; every refusal names the field and what it takes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bots_sdk.durak.cards import CARDS, Card, hand_of
from bots_sdk.durak.errors import NotationError, PositionError, quoted


def whole(position: Mapping[str, Any], name: str, default: int, least: int, most: int | None = None) -> int:
    """A whole number, at least so much and, where it is said, at most so much."""
    value = position.get(name, default)
    if type(value) is not int or value < least or (most is not None and value > most):
        to = "" if most is None else f" to {most}"
        raise PositionError(f"position: {name} = {quoted(value)}; it is a whole number from {least}{to}")
    return value


def seat(position: Mapping[str, Any], name: str, seats: int, default: int) -> int:
    """A seat's number."""
    value = position.get(name, default)
    if type(value) is not int or not 0 <= value < seats:
        raise PositionError(f"position: {name} = {quoted(value)}; it is a seat, 0 to {seats - 1}")
    return value


def seats(position: Mapping[str, Any], name: str, count: int) -> list[int]:
    """A list of seats."""
    value = position.get(name, [])
    if not isinstance(value, list) or not all(type(item) is int and 0 <= item < count for item in value):
        raise PositionError(f"position: {name} = {quoted(value)}; it is a list of seats, 0 to {count - 1}")
    return value


def flag(position: Mapping[str, Any], name: str) -> bool:
    """True or false, by default false."""
    value = position.get(name, False)
    if not isinstance(value, bool):
        raise PositionError(f"position: {name} = {quoted(value)}; it is true or false")
    return value


def face(text: object, name: str) -> int:
    """A card's face."""
    if not isinstance(text, str):
        raise PositionError(f"position: {name} holds {quoted(text)}; a card is a text like 8S")
    try:
        return Card.parse(text).index
    except NotationError as error:
        raise PositionError(f"position: {name}: {error}") from error


def faces(position: Mapping[str, Any], name: str) -> list[int]:
    """A list of cards, as faces."""
    return face_list(position.get(name, []), name)


def face_list(value: object, name: str) -> list[int]:
    """A list of cards, as faces."""
    if not isinstance(value, list | tuple):
        raise PositionError(f"position: {name} = {quoted(value)}; it is a list of cards")
    return [face(text, name) for text in value]


def hand(value: object, name: str) -> int:
    """A list of cards, as a hand; two packs have a card twice at most."""
    named = face_list(value, name)
    for once in set(named):
        if named.count(once) > 2:
            raise PositionError(f"position: {name} holds {CARDS[once]} {named.count(once)} times")
    return hand_of(named)


def table(position: Mapping[str, Any]) -> list[tuple[int, int]]:
    """The pairs on the table: the attack card's face and the defence's, or -1."""
    value = position.get("table", [])
    if not isinstance(value, list | tuple):
        raise PositionError(f'position: table = {quoted(value)}; it is a list of pairs, ["8S", "JS"] or ["8S", null]')
    pairs = []
    for pair in value:
        if not isinstance(pair, list | tuple) or len(pair) != 2:
            raise PositionError(f'position: table holds {quoted(pair)}; a pair is ["8S", "JS"] or ["8S", null]')
        pairs.append((face(pair[0], "table"), -1 if pair[1] is None else face(pair[1], "table")))
    return pairs
