"""The loop that a Python bot runs: write `choose`, hand the bot to `run`.

```python
from bots_sdk.bot import Bot, run

class Lowest(Bot):
    def choose(self, view):
        return min(view.legal, key=view.cost)

if __name__ == "__main__":
    run(Lowest())
```

Cards are two characters, rank and suit: `"8S"`, `"TD"`. The standard library is all that this
module needs. While a bot runs, `print` goes to its log (stderr): stdout belongs to the protocol.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable, Iterable
from typing import Any, BinaryIO, Final, NamedTuple

RANKS: Final = "23456789TJQKA"
SUITS: Final = "SHDC"

_MOVE = re.compile(r"([ats])((?:[2-9TJQKA][SHDC])+)|b([2-9TJQKA][SHDC]):([2-9TJQKA][SHDC])|(take|pass)")
_KINDS: Final = {"a": "attack", "t": "transfer", "s": "show"}


class Move(NamedTuple):
    """One move: `kind` is attack, beat, transfer, show, take or pass; `target` is what a beat beats."""

    kind: str
    cards: tuple[str, ...] = ()
    target: str | None = None

    @classmethod
    def parse(cls, text: str) -> Move:
        """Read the short form: `a8S8H`, `b8S:JS`, `t8H`, `s8H`, `take`, `pass`.

        Raises:
            ValueError: the text is no move.

        """
        found = _MOVE.fullmatch(text)
        if found is None:
            raise ValueError(f"{text!r} is no move; moves are a8S, a8S8H, b8S:JS, t8H, s8H, take and pass")
        letter, cards, target, card, word = found.groups()
        if word:
            return cls(word)
        if target:
            return cls("beat", (card,), target)
        return cls(_KINDS[letter], tuple(cards[i : i + 2] for i in range(0, len(cards), 2)))

    def __str__(self) -> str:
        if not self.cards:
            return self.kind
        target = "" if self.target is None else f"{self.target}:"
        return self.kind[0] + target + "".join(self.cards)


def rank(card: str) -> int:
    """The rank as a number, 2 to 14 (the ace)."""
    return RANKS.index(card[0]) + 2


class View:
    """What a bot may see at its turn; `raw` is the protocol's message with everything in it.

    `events` are those since the bot was last told anything, `history` all of the deal so far;
    `trumps` are the suits that are trump for this seat.
    """

    def __init__(self, raw: dict[str, Any], history: list[dict[str, Any]], *, own_trump: bool = False) -> None:
        self.raw = raw
        self.events: list[dict[str, Any]] = raw["events"]
        self.history = history
        self.seat: int = raw["seat"]
        self.seats: int = raw["seats"]
        self.hand: list[str] = raw["hand"]
        self.talon: int = raw["talon"]
        self.hand_sizes: list[int] = raw["hand_sizes"]
        self.legal = [Move(m["move"], tuple(m.get("cards", ())), m.get("target")) for m in raw.get("legal", ())]
        trumps: list[str] = raw["trump"]
        self.trumps = [trumps[self.seat]] if own_trump else trumps

    def __getattr__(self, name: str) -> Any:
        """Everything else that the message holds: `view.table`, `view.attacker`, `view.discarded`, ..."""
        raw = self.__dict__.get("raw", {})  # a copy that is being made has nothing yet
        try:
            return raw[name]
        except KeyError:
            raise AttributeError(f"the view has no {name!r}; it has {', '.join(sorted(raw))}") from None

    def is_trump(self, card: str) -> bool:
        """Whether the card is of a suit that is trump for this seat."""
        return card[1] in self.trumps

    def value(self, card: str) -> int:
        """A card's worth: its rank, and every trump above every other card."""
        return rank(card) + (20 if self.is_trump(card) else 0)

    def cost(self, move: Move) -> float:
        """What a move gives away: the worth of its cards; taking costs more than any, passing nothing."""
        if move.kind == "take":
            return 1_000.0
        if move.kind == "show":
            return 0.5
        return float(sum(self.value(card) for card in move.cards))


class Bot:
    """A bot: override `choose`, and the other hooks where they help."""

    def on_hello(self, hello: dict[str, Any]) -> None:
        """The match begins; `hello` has the rules, the seats and the clock."""

    def on_deal(self, view: View) -> None:
        """A deal begins; the view has no legal moves yet."""

    def choose(self, view: View) -> Move | str:
        """Return a move of `view.legal`, or its short text."""
        raise NotImplementedError("a bot needs a method choose(self, view)")

    def on_deal_over(self, over: dict[str, Any]) -> None:
        """A deal has ended; `over` has the durak, all hands, the seed and the last events."""

    def on_match_over(self, over: dict[str, Any]) -> None:
        """The match has ended; the process should leave."""


class Loop:
    """Answers the protocol's lines for a bot, one at a time."""

    def __init__(self, bot: Bot) -> None:
        self.bot = bot
        self.is_over = False
        self._history: list[dict[str, Any]] = []
        self._own_trump = False
        self._handlers: dict[str, Callable[[dict[str, Any]], dict[str, Any] | None]] = {
            "hello": self._hello,
            "deal": self._deal,
            "turn": self._turn,
            "deal_over": self._deal_over,
            "match_over": self._match_over,
        }

    def answer(self, line: bytes) -> bytes | None:
        """Handle one line and return the answer without its newline; unknown messages have none.

        Raises:
            ValueError: the bot chose something that is no move.

        """
        message = json.loads(line)
        handler = self._handlers.get(message["type"])
        reply = handler(message) if handler else None
        return None if reply is None else json.dumps(reply, separators=(",", ":")).encode()

    def _hello(self, message: dict[str, Any]) -> dict[str, Any]:
        self._own_trump = message["rules"]["game"] == "svoi_kozyri"
        self.bot.on_hello(message)
        return {"type": "ready"}

    def _deal(self, message: dict[str, Any]) -> None:
        self._history = list(message["events"])
        self.bot.on_deal(self._view(message))

    def _turn(self, message: dict[str, Any]) -> dict[str, Any]:
        self._history += message["events"]
        chosen = self.bot.choose(self._view(message))
        move = Move.parse(chosen) if isinstance(chosen, str) else chosen
        if not isinstance(move, Move):
            words = f"choose returned {chosen!r}; it must return a move of view.legal or its text"
            raise ValueError(words)  # noqa: TRY004 - as for a text that is no move
        reply: dict[str, Any] = {"type": "move", "turn": message["turn"], "move": move.kind, "cards": move.cards}
        if move.target is not None:
            reply["target"] = move.target
        return reply

    def _view(self, message: dict[str, Any]) -> View:
        return View(message, self._history, own_trump=self._own_trump)

    def _deal_over(self, message: dict[str, Any]) -> None:
        self._history += message["events"]
        self.bot.on_deal_over(message)

    def _match_over(self, message: dict[str, Any]) -> None:
        self.is_over = True
        self.bot.on_match_over(message)


def run(bot: Bot | type[Bot]) -> None:
    """Speak the protocol on stdin and stdout until the match is over or the input ends."""
    loop = Loop(bot() if isinstance(bot, type) else bot)
    with _protected_stdout() as out:
        _serve(loop, sys.stdin.buffer, out)


def _serve(loop: Loop, lines: Iterable[bytes], out: BinaryIO) -> None:
    for line in lines:
        if not line.strip():
            continue
        reply = loop.answer(line)
        if reply is not None:
            out.write(reply + b"\n")
            out.flush()
        if loop.is_over:
            return


def _protected_stdout() -> BinaryIO:
    """Keep stdout for the protocol, and send whatever else writes there to stderr."""
    sys.stdout.flush()
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return out
