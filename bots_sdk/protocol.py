"""The messages of the bot protocol, version 1: JSON Lines over a bot's stdin and stdout.

The referee's side. A bot needs none of this: `bots_sdk.bot` speaks the same lines with the
standard library alone, and so can any language. `docs/protocol.md` is the specification.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Annotated, Any, Final

import msgspec

from bots_sdk.durak import Card, Move

PROTOCOL: Final = 1

Json = dict[str, Any]


class ClockTerms(msgspec.Struct, frozen=True):
    """The time control, in milliseconds, and how many faults put a bot out of the match."""

    startup_ms: int
    move_ms: int
    bank_ms: int
    fault_limit: int


class Hello(msgspec.Struct, frozen=True, tag="hello", tag_field="type"):
    """The first line; the bot answers `{"type":"ready"}`.

    `rules` spells out every option; `commitment` is the SHA-256 of the match's seed, in hex.
    """

    rules: Json
    seat: int
    seats: int
    deals: int
    clock: ClockTerms
    commitment: str
    protocol: int = PROTOCOL


class TurnClock(msgspec.Struct, frozen=True):
    """What this decision may take: `move_ms`, then the match's `bank_ms`; and the last one took."""

    move_ms: int
    bank_ms: float
    last_ms: float


class DealOver(msgspec.Struct, frozen=True, tag="deal_over", tag_field="type"):
    """A deal has ended; no answer.

    `durak` is a seat, a list of seats (a team), or null for a draw; `reason` says how the deal
    ended; `fault` names the seat and the verdict when a bot's fault ended it; `hands` are all
    final hands and `seed` the deal's seed in hex.
    """

    deal: int
    durak: int | list[int] | None
    reason: str
    fault: Json | None
    hands: list[list[str]]
    seed: str
    events: list[Json]


class MatchOver(msgspec.Struct, frozen=True, tag="match_over", tag_field="type"):
    """The last line: how often each seat of this sitting was durak, and in how many deals."""

    deals: int
    duraks: list[int]


class Reply(msgspec.Struct, frozen=True):
    """Whatever a bot may answer, before it is judged."""

    type: str
    turn: Annotated[int, msgspec.Meta(ge=0, le=2**53)] | None = None
    move: str | None = None
    cards: list[str] = []
    target: str | None = None


class MalformedLine(ValueError):
    """A line that is not a protocol message; the message says what was expected."""


class UnfinishedLine(MalformedLine):
    """The beginning of a line of JSON, whose rest is missing."""


_ENDS_TOO_SOON: Final = "Input data was truncated"
_encoder = msgspec.json.Encoder()
_reply_decoder = msgspec.json.Decoder(Reply)


def encode(message: msgspec.Struct | Json) -> bytes:
    """One line, without its newline."""
    return _encoder.encode(message)


def decode_reply(line: bytes) -> Reply:
    """Read a bot's line, which may hold anything at all.

    Raises:
        MalformedLine: not JSON, not UTF-8, too deep, a number too large, or not an object
            with the fields of a reply.
        UnfinishedLine: JSON as far as it goes, but it ends too soon.

    """
    try:
        return _reply_decoder.decode(line)
    except msgspec.ValidationError as error:
        raise MalformedLine(f"the JSON is not a protocol message: {error}") from error
    except RecursionError as error:
        raise MalformedLine("the JSON is nested too deeply") from error
    except (msgspec.MsgspecError, ValueError, OverflowError) as error:
        kind = UnfinishedLine if str(error) == _ENDS_TOO_SOON else MalformedLine
        raise kind(f"the line is not valid JSON in UTF-8: {error}") from error


def reply_move(reply: Reply) -> Move:
    """The move that a reply names.

    Raises:
        NotationError: no such move: an unknown kind, something that is no card, or a part
            missing or too many.

    """
    cards = tuple(Card.parse(shorten(card)) for card in reply.cards)
    target = None if reply.target is None else Card.parse(shorten(reply.target))
    return Move(shorten(reply.move or ""), cards, target)


def deal_message(deal: int, first: int, view: Json, events: list[Json]) -> bytes:
    """The line that begins a deal: the seat's `view`, who attacks `first`, and what has happened."""
    return encode({"type": "deal", "deal": deal, "first": first, **view, "events": events})


def turn_message(
    turn: int, deal: int, view: Json, legal: Sequence[Move], events: list[Json], clock: TurnClock
) -> bytes:
    """The line that asks for a decision, with all that the seat may see and do."""
    offered = [_offer(move) for move in legal]
    line = {"type": "turn", "turn": turn, "deal": deal, **view, "legal": offered, "events": events, "clock": clock}
    return encode(line)


@lru_cache(maxsize=20_000)
def _offer(move: Move) -> msgspec.Raw:
    """A move as it is offered to a bot, who may send it back with `type` and `turn` added."""
    offer: Json = {"move": move.kind}
    if move.cards:
        offer["cards"] = [str(card) for card in move.cards]
    if move.target is not None:
        offer["target"] = str(move.target)
    return msgspec.Raw(_encoder.encode(offer))


def shorten(text: str, limit: int = 40) -> str:
    """Foreign text made safe and short enough to quote in a message."""
    safe = text.encode("unicode_escape").decode("ascii")
    return safe if len(safe) <= limit else safe[: limit - 3] + "..."
