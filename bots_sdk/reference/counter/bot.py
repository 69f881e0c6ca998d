"""Counts every card, and plays the end of a deal between two by search."""

from __future__ import annotations

from typing import Any

from endgame import Endgame

from bots_sdk.bot import RANKS, SUITS, Bot, Move, View, rank, run

TRUMP_EXTRA = 9
DEAREST_THROW = 14.0
DEAREST_GIFT = 9.0
DEAREST_EARLY_BEAT = 15.0
LATE = 6
NEW_RANK = 2.0
FEW_CARDS = 16


class Counter(Bot):
    """Knows which cards are gone, and so which may still come."""

    def on_hello(self, hello: dict[str, Any]) -> None:
        """Keep the rules."""
        self.rules = hello["rules"]
        self.endgame = Endgame(self.rules)
        lowest = 13 - self.rules["deck"] // 4
        self.deck = {r + s for r in RANKS[lowest:] for s in SUITS}
        self.gone: set[str] = set()

    def on_deal(self, view: View) -> None:
        """A fresh deck."""
        self.gone = set()

    def choose(self, view: View) -> Move:
        """The move that wins by force if there is one; else the best by the rules of thumb."""
        for event in view.events:
            if event["kind"] == "bout_over" and event["how"] == "beaten":
                self.gone.update(event["cards"])
        moves = sorted(view.legal, key=lambda move: self.price(view, move))
        return self.endgame.best(self.position(view), view.seat, moves) or moves[0]

    def position(self, view: View) -> dict[str, Any] | None:
        """The whole position, where counting tells it: two with cards, and nothing hidden in the talon."""
        others = [s for s, size in enumerate(view.hand_sizes) if size and s != view.seat]
        if len(others) != 1 or view.talon > 1 or self.rules["packs"] != 1:
            return None
        table = self.on_table(view)
        bottom = {view.turn_up} if view.talon else set()
        theirs = self.deck - self.gone - table - bottom - set(view.hand)
        if len(theirs) != view.hand_sizes[others[0]] or len(theirs) + len(view.hand) > FEW_CARDS:
            return None
        hands: list[list[str]] = [[] for _ in range(view.seats)]
        hands[view.seat], hands[others[0]] = view.hand, sorted(theirs)
        return self.endgame.position(view.raw, hands, sorted(bottom))

    def on_table(self, view: View) -> set[str]:
        """All cards that lie open in this bout."""
        pairs = [card for pair in view.raw.get("table", []) for card in pair if card]
        return {*pairs, *view.raw.get("pile", [])}

    def unseen(self, view: View) -> set[str]:
        """Cards that others may hold or draw."""
        return self.deck - self.gone - self.on_table(view) - set(view.hand)

    def price(self, view: View, move: Move) -> float:
        """What a move gives away, in ranks; the lowest price is played."""
        if move.kind == "pass":
            gift = DEAREST_GIFT if view.raw.get("taking") else DEAREST_THROW
            return gift if view.talon else 99.0
        if move.kind == "take":
            return DEAREST_EARLY_BEAT if view.talon > LATE else 99.0
        if move.kind == "show":
            return 0.0
        worths = [self.worth(view, card) for card in move.cards]
        price = sum(worths) / len(worths) - 0.75 * (len(worths) - 1)
        if move.kind == "beat" and move.cards[0][0] not in {card[0] for card in self.on_table(view)}:
            price += NEW_RANK * self.left(view, move.cards[0][0])
        return price

    def worth(self, view: View, card: str) -> float:
        """A card's rank, trumps above all."""
        return rank(card) + (TRUMP_EXTRA if view.is_trump(card) else 0)

    def left(self, view: View, letter: str) -> float:
        """How many of a rank are still about, as a share of all four."""
        return sum(card[0] == letter for card in self.unseen(view)) / 4


if __name__ == "__main__":
    run(Counter())
