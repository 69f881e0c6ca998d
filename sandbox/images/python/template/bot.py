"""A Durak bot that plays the lowest card it may. Your own idea goes into `choose`.

The arena's own package `bots_sdk` and NumPy are installed. What you print is your bot's log: only you can
read it.
"""

from bots_sdk.bot import Bot, Move, View, run


class MyBot(Bot):
    """One object plays a whole sitting, so it may remember what it has seen."""

    def on_deal(self, view: View) -> None:
        """A new deal begins; `view.hand` and `view.trumps` are known."""

    def choose(self, view: View) -> Move:
        """YOUR IDEA GOES HERE.

        `view` is all that your seat can see (hand, table, trumps, talon, hand_sizes, events, history, ...);
        `view.legal` holds every legal move: return one of them.
        """
        # Moves without cards (take, pass) only if there is nothing else.
        with_cards = [move for move in view.legal if move.cards] or view.legal
        return min(with_cards, key=view.cost)


if __name__ == "__main__":
    run(MyBot())
