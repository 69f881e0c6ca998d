"""Plays the lowest card that it may; takes and passes only when no card can be played."""

from bots_sdk.bot import Bot, Move, View, run


class Lowest(Bot):
    """Gets rid of low cards as fast as it can."""

    def choose(self, view: View) -> Move:
        """The cheapest move with cards."""
        with_cards = [move for move in view.legal if move.cards] or view.legal
        return min(with_cards, key=view.cost)


if __name__ == "__main__":
    run(Lowest())
