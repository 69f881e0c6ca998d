"""A session: several deals at one table, who deals, and the scores (R10)."""

from __future__ import annotations

from bots_sdk.durak.dealing import deal
from bots_sdk.durak.errors import DurakError
from bots_sdk.durak.result import Result
from bots_sdk.durak.rules import LADDER_STEPS, RuleSet
from bots_sdk.durak.state import GameState


class Session:
    """The deals of one table, one after the other.

    ``next_deal(seed)`` deals, ``finish(result)`` scores. ``times`` counts how often each seat was durak,
    ``points`` the same with double duraks counted twice where the rules say ``counts_double``, ``doubles``
    the double duraks and ``chips`` what each seat has won or, negative, paid.
    """

    def __init__(self, rules: RuleSet, seats: int, dealer: int = 0) -> None:
        rules.check_seats(seats)
        self.rules = rules
        self.seats = seats
        self.dealer = dealer
        self.deals = 0
        self.draws = 0
        self.times = [0] * seats
        self.points = [0] * seats
        self.doubles = [0] * seats
        self.chips = [0] * seats
        self._bound = 0
        self._open = False

    @property
    def extra(self) -> tuple[int, ...]:
        """The cards that each seat starts the next deal with over the hand size (R9.5); empty for none."""
        if not self.rules.ladder:
            return ()
        steps = tuple(LADDER_STEPS[min(times, len(LADDER_STEPS) - 1)] for times in self.times)
        return steps if any(steps) else ()

    @property
    def champions(self) -> tuple[int, ...]:
        """Who was durak least often; ties stand (R10.2)."""
        return tuple(seat for seat in range(self.seats) if self.points[seat] == min(self.points))

    def next_deal(self, seed: bytes) -> GameState:
        """Deal the next deal: the first by the rules for a first deal, the others by ``next_first`` (R3)."""
        if self._open:
            raise DurakError("a deal of this session is not finished: its result is needed before the next one")
        self._open = True
        return deal(self.rules, self.seats, seed, self.dealer, later=self.deals > 0, extra=self.extra)

    def finish(self, result: Result) -> None:
        """Count a deal's result and name the next dealer.

        The durak deals next, after a draw the old dealer again (R3.3); of a team it is the next one
        clockwise from the old dealer. Each durak pays each other player one chip (R10.3).
        """
        if not self._open:
            raise DurakError("no deal of this session is in play")
        self._open = False
        self.deals += 1
        self._bound -= self._bound > 0
        if result.is_draw:
            self.draws += 1
            return
        stake = 2 if result.double and self.rules.double_durak == "counts_double" else 1
        for seat in range(self.seats):
            if seat in result.duraks:
                self.times[seat] += 1
                self.points[seat] += stake
                self.doubles[seat] += result.double
                self.chips[seat] -= stake * (self.seats - len(result.duraks))
            else:
                self.chips[seat] += stake * len(result.duraks)
        durak = min(result.duraks, key=lambda seat: (seat - self.dealer - 1) % self.seats)
        if result.double and self.rules.double_durak == "deals_twice":
            self.dealer, self._bound = durak, 2
        elif self._bound == 0:
            self.dealer = durak
