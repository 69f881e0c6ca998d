"""Hoards its trumps: plays its low cards first, and never throws a trump in while there is a talon."""

from bots_sdk.bot import Bot, Move, View, rank, run

TRUMP_EXTRA = 9
DEAREST_THROW = 13


class Hoarder(Bot):
    """A player's rules of thumb, without memory."""

    def choose(self, view: View) -> Move:
        """The cheapest play; passing instead where throwing in would cost too much."""
        plays = [move for move in view.legal if move.cards]
        others = [move for move in view.legal if not move.cards]
        best = min(plays, key=lambda move: self.price(view, move), default=None)
        if best is None or (others and best.kind == "attack" and self.price(view, best) > self.limit(view)):
            return others[0]
        return best

    def price(self, view: View, move: Move) -> float:
        """What is given away, in ranks; getting rid of several cards at once is worth something."""
        if move.kind == "show":
            return 0.0
        cards = [rank(card) + (TRUMP_EXTRA if view.is_trump(card) else 0) for card in move.cards]
        return sum(cards) / len(cards) - 0.75 * (len(cards) - 1)

    def limit(self, view: View) -> float:
        """The dearest card worth throwing in: any at all when there is nothing more to draw."""
        return DEAREST_THROW if view.talon else 99.0


if __name__ == "__main__":
    run(Hoarder())
