"""Hoards its trumps: takes rather than spend one early, and gives nothing good to a player who takes."""

from bots_sdk.bot import Bot, Move, View, rank, run

TRUMP_EXTRA = 9
DEAREST_THROW = 14
DEAREST_GIFT = 9
DEAREST_EARLY_BEAT = 15
LATE = 6
"""With no more cards than this in the talon it holds on and beats what it can."""


class Hoarder(Bot):
    """A player's rules of thumb, without memory."""

    def choose(self, view: View) -> Move:
        """The cheapest play; taking or passing instead where it would cost too much."""
        plays = [move for move in view.legal if move.cards]
        others = [move for move in view.legal if not move.cards]
        best = min(plays, key=lambda move: self.price(view, move), default=None)
        if best is None or (others and self.price(view, best) > self.limit(view, best)):
            return others[0]
        return best

    def price(self, view: View, move: Move) -> float:
        """What is given away, in ranks; getting rid of several cards at once is worth something."""
        if move.kind == "show":
            return 0.0
        cards = [rank(card) + (TRUMP_EXTRA if view.is_trump(card) else 0) for card in move.cards]
        price = sum(cards) / len(cards) - 0.75 * (len(cards) - 1)
        if move.kind == "beat" and self.is_on_table(view, move.cards[0][0]):
            price -= 1
        return price

    def is_on_table(self, view: View, letter: str) -> bool:
        """Whether a rank lies there already, so that one more of it lets nobody throw in more."""
        return any(card and card[0] == letter for pair in view.raw.get("table", []) for card in pair)

    def limit(self, view: View, move: Move) -> float:
        """The dearest price at which the move still is better than to take or pass."""
        if not view.talon:
            return 99.0
        if move.kind == "attack":
            return DEAREST_GIFT if view.raw.get("taking") else DEAREST_THROW
        return DEAREST_EARLY_BEAT if view.talon > LATE else 99.0


if __name__ == "__main__":
    run(Hoarder())
