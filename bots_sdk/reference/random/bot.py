"""Plays any legal move."""

import random

from bots_sdk.bot import Bot, Move, View, run


class Chance(Bot):
    """Every legal move is as good as another."""

    def choose(self, view: View) -> Move:
        """Draw one."""
        return random.choice(view.legal)


if __name__ == "__main__":
    run(Chance())
