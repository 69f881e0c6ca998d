"""`durak replay`: a recorded deal in text, move by move."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from bots_sdk.cli.console import out
from bots_sdk.cli.errors import UsageError
from bots_sdk.cli.rules import reading
from bots_sdk.durak import Chronicle, DealRecord

SYMBOLS = str.maketrans("SHDC", "♠♥♦♣")

WORDS = {
    "redeal": "{count} deals thrown in: nobody held a trump",
    "deal": "seat {seat} is dealt {what}",
    "turn_up": "{what} is turned up: trump is {trump}",
    "own_trump": "seat {seat} has its own trump, {suit}",
    "show_lowest_trump": "seat {seat} shows {what}, the lowest trump, and begins",
    "attack": "seat {seat} plays {what}",
    "beat": "seat {seat} beats {target} with {what}",
    "transfer": "seat {seat} passes the attack on with {what}",
    "show": "seat {seat} shows {what} and passes the attack on",
    "take": "seat {seat} takes",
    "pass": "seat {seat} passes",
    "draw": "seat {seat} draws {what}",
    "trump_change": "{what}: its suit is now the only trump",
    "out": "seat {seat} is out",
    "hand": "seat {seat} is left with {what}",
    "fault": "seat {seat} is at fault: {verdict}",
}


def replay(
    record: Annotated[Path, typer.Argument(metavar="RECORD", help="a deal's record, as the arena or --save gives it")],
    seat: Annotated[int | None, typer.Option(help="see only what this seat could see")] = None,
) -> None:
    """Print a recorded deal move by move, having checked that it replays to its result."""
    with reading(record):
        deal = DealRecord.parse(record.read_text(encoding="utf-8"))
        deal.replay()
        chronicle = Chronicle.of(deal)
    if seat is not None and not 0 <= seat < deal.seats:
        raise UsageError(f"there is no seat {seat}; the seats are 0 to {deal.seats - 1}")
    out.print(f"{deal.rules.name}, {deal.seats} seats, seed {deal.seed.hex()}")
    for line in story(chronicle.seen_by("all" if seat is None else seat)):
        out.print(line, markup=False)


def story(events: list[dict[str, Any]]) -> Iterator[str]:
    """The events in words, a blank line after each bout."""
    move = 0
    for event in events:
        kind = event["kind"]
        prefix = "     "
        if kind in ("attack", "beat", "transfer", "show", "take", "pass"):
            move += 1
            prefix = f"{move:4} "
        if kind == "bout_over":
            yield f"{prefix}{_bout(event)}\n"
        elif kind == "deal_over":
            yield f"{prefix}{_result(event['result'])}"
        else:
            yield prefix + WORDS[kind].format_map(_Fields(event))


class _Fields(dict[str, Any]):
    """An event's fields for a sentence: `what` are its cards, or how many there are."""

    def __missing__(self, name: str) -> str:
        if name == "what" and "cards" in self:
            return " ".join(map(_card, self["cards"]))
        return f"{self.get('count', 0)} cards" if name == "what" else "?"

    def __getitem__(self, name: str) -> Any:
        if name in ("trump", "suit", "target") and name in self:
            value = super().__getitem__(name)
            return " and ".join(map(_card, value)) if isinstance(value, list) else _card(value)
        return super().__getitem__(name)


def _card(text: str) -> str:
    """`TS` as `10♠`, a suit letter as its symbol."""
    return text.translate(SYMBOLS).replace("T", "10")


def _bout(event: dict[str, Any]) -> str:
    cards = f"{event.get('count', 0)} cards"
    return f"beaten: {cards} discarded" if event["how"] == "beaten" else f"seat {event['seat']} picks up {cards}"


def _result(result: dict[str, Any]) -> str:
    duraks = result["duraks"]
    if not duraks:
        return f"a draw ({result['reason']})"
    who = f"seat {duraks[0]} is" if len(duraks) == 1 else f"seats {' and '.join(map(str, duraks))} are"
    return f"{who} durak ({result['reason']})"
