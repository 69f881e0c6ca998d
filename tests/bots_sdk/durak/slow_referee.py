"""A second referee of the common core, slow and plain, written from RULES.md alone.

Cards are two-letter strings, hands and the table are lists, and nothing is remembered that can be
counted again. It exists to be compared with ``bots_sdk.durak`` at every decision, so it shares no
code with it and has no other use. It starts from cards already dealt (`slow_deal.py` deals them).

It plays podkidnoy, perevodnoy and proyezdnoy with every option of R1 to R7, teams (R8) and the two
trumps of severny (R9.3). Duel, prostoy and svoi kozyri have a shape of their own and are not here.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import Any

from tests.bots_sdk.durak.slow_cards import beats, cards_of, move_text

Options = dict[str, Any]


class SlowReferee:
    """One deal. `to_move` is the seat to decide, `legal()` its moves in text, `play()` makes one."""

    def __init__(
        self,
        options: Options,
        hands: list[list[str]],
        talon: list[str],
        trumps: list[str],
        first: int,
        bout: int = 1,
        discarded: int = 0,
    ) -> None:
        self.options = options
        self.seats = len(hands)
        self.hands = [list(hand) for hand in hands]
        self.talon = list(talon)  # drawn from the front; the turn-up is last
        self.trumps = list(trumps)
        self.discarded = discarded
        self.bout = bout - 1
        self.shown_this_deal: list[str] = []
        self.starts: Counter[tuple[Any, ...]] = Counter()
        self.over = False
        self.reason = ""
        self.duraks: list[int] = []
        self.to_move: int | None = None
        self._start_bout(first)

    def copy(self) -> SlowReferee:
        """A referee in the same position that shares nothing that changes."""
        twin = SlowReferee.__new__(SlowReferee)
        twin.__dict__.update(self.__dict__)
        twin.hands = [list(hand) for hand in self.hands]
        twin.talon = list(self.talon)
        twin.table = [list(pair) for pair in self.table]
        twin.passed = list(self.passed)
        twin.shown_this_deal = list(self.shown_this_deal)
        twin.shown_this_bout = list(self.shown_this_bout)
        twin.starts = Counter(self.starts)
        return twin

    # ---- who is where -------------------------------------------------------------------------

    def is_out(self, seat: int) -> bool:
        """R6.1: without cards, once the talon is empty, or at once."""
        if self.hands[seat]:
            return False
        return self.options["out_when"] == "immediate" or not self.talon

    def clockwise_from(self, seat: int) -> list[int]:
        """Every seat once, clockwise, beginning with `seat`."""
        return [(seat + step) % self.seats for step in range(self.seats)]

    def next_in_play(self, seat: int) -> int:
        """The next seat clockwise after `seat` that is not out; `seat` itself if it is alone."""
        for other in self.clockwise_from((seat + 1) % self.seats):
            if not self.is_out(other):
                return other
        return seat

    def team_of(self, seat: int) -> int:
        """R8: seated alternately, or 0, 1 against 2, 3; without teams each is alone."""
        if self.options["teams"] == "opposite":
            return seat % 2
        if self.options["teams"] == "adjacent":
            return seat // 2
        return seat

    def partners(self, seat: int) -> list[int]:
        """The other members of the team, clockwise from `seat`."""
        return [
            other for other in self.clockwise_from(seat) if other != seat and self.team_of(other) == self.team_of(seat)
        ]

    def player_at(self, place: int) -> int:
        """Who plays for this place: R5.4 the next in play; R8.1 in teams a partner."""
        if not self.is_out(place):
            return place
        if self.options["teams"] == "none":
            return self.next_in_play(place)
        for partner in self.partners(place):
            if not self.is_out(partner):
                return partner
        raise AssertionError("a team without cards has won already")

    def attacked_from(self, place: int) -> int:
        """R4.1, R8: the place that this one attacks."""
        if self.options["teams"] == "none":
            return self.next_in_play(place)
        for other in self.clockwise_from(place):
            if self.team_of(other) != self.team_of(place):
                return other
        raise AssertionError("there are always opponents")

    # ---- the bout -----------------------------------------------------------------------------

    def _start_bout(self, place: int) -> None:
        """R4.1: `place` should attack. R6.4 is looked at first."""
        self.table: list[list[str | None]] = []
        self.passed: list[int] = []
        self.taking = False
        self.helping = False  # R8.3: the defender's partner is deciding
        self.shown_this_bout: list[str] = []
        self.attack_place = self.original_place = place
        if self._deal_has_ended():
            return
        self.attacker = self.original = self.player_at(place)
        if self.options["teams"] == "none":
            self.attack_place = self.original_place = self.attacker
        if not self.talon:
            start = (self.attacker, *(tuple(sorted(hand)) for hand in self.hands))
            self.starts[start] += 1
            if self.starts[start] == 3:
                self._end([], "repetition")
                return
        if self.bout == self.options["max_bouts"]:
            self._end([], "max_bouts")
            return
        self.bout += 1
        self._defend(self.attacked_from(self.attack_place))
        self.to_move = self.attacker

    def _defend(self, place: int) -> None:
        """Somebody becomes defender: R4.3 counts his hand at this moment."""
        self.defence_place = place
        self.defender = self.player_at(place)
        self.defender_had = len(self.hands[self.defender])

    def limit(self) -> int:
        """R4.3: how many attack cards this bout may have in all."""
        most = min(self.options["max_attack"], self.defender_had)
        first_limit = self.options["first_limit"]
        if first_limit == "first_bout" and self.bout == 1:
            most = min(most, 5)
        if first_limit == "until_discard" and self.discarded == 0:
            most = min(most, 5)
        return most

    def unbeaten(self) -> list[str]:
        """The attack cards that nothing lies on."""
        return [str(attack) for attack, answer in self.table if answer is None]

    def ranks_on_table(self) -> set[str]:
        """R4.4: of attack and defence cards alike."""
        return {card[0] for pair in self.table for card in pair if card is not None}

    def throwers(self) -> list[int]:
        """R4.4 who, R4.6 in which order; only seats that hold cards are asked."""
        who = self.options["throwers"]
        if who not in ("all", "neighbours", "attacker"):
            who = "all" if self.seats <= 4 else "neighbours"
        if who == "all":
            allowed = list(range(self.seats))
        elif who == "neighbours":
            allowed = self._neighbours_of_defender()
        else:
            allowed = [self.attacker]
        return [
            seat
            for seat in self.clockwise_from(self.attacker)
            if seat in allowed and self.team_of(seat) != self.team_of(self.defender) and self.hands[seat]
        ]

    def _neighbours_of_defender(self) -> list[int]:
        """R4.4: the nearest in play on either side; partners, who never throw in (R8.1), left out.

        Were a partner a neighbour in this sense, a main attacker who plays for an empty place
        beyond the partner could not throw in to his own attack.
        """
        clockwise = [
            seat
            for seat in self.clockwise_from(self.defender)
            if self.team_of(seat) != self.team_of(self.defender) and not self.is_out(seat)
        ]
        return [clockwise[0], clockwise[-1]] if clockwise else []

    def _ask_next(self) -> None:
        """After a move: find out who decides next, or end the bout (R4.6, R4.7)."""
        if self.options["end_check"] == "immediate" and self._deal_has_ended():
            return
        waiting = []
        if len(self.table) < self.limit():
            waiting = [seat for seat in self.throwers() if seat not in self.passed]
        if self.taking:
            if waiting and self.options["throw_on_take"]:
                self.to_move = waiting[0]
            else:
                self._end_bout(taken=True)
        elif not self.unbeaten():
            if waiting and self.hands[self.defender]:
                self.to_move = waiting[0]
            else:
                self._end_bout(taken=False)
        elif self.helping:
            self.to_move = self.partners(self.defender)[0]
        elif waiting and self.options["throw_when"] == "any_time":
            self.to_move = waiting[0]
        else:
            self.to_move = self.defender

    # ---- what is legal ------------------------------------------------------------------------

    def legal(self) -> set[str]:
        """Every legal move of the seat to move, in text."""
        if self.over or self.to_move is None:
            return set()
        if self.helping:
            return self._beating_moves(self.hands[self.to_move]) | {"pass"}
        if self.to_move == self.defender:
            hand = self.hands[self.defender]
            return self._beating_moves(hand) | self._transfer_moves(hand) | {"take"}
        if not self.table:
            return self._opening_moves(self.hands[self.attacker])
        ranks = self.ranks_on_table()
        return {"a" + card for card in self.hands[self.to_move] if card[0] in ranks} | {"pass"}

    def _opening_moves(self, hand: list[str]) -> set[str]:
        """R4.1: one card, or several of one rank."""
        most = self.limit() if self.options["multi_open"] else 1
        moves = set()
        for rank in {card[0] for card in hand}:
            same = [card for card in hand if card[0] == rank]
            for count in range(1, min(most, len(same)) + 1):
                moves.update(move_text("attack", list(some)) for some in combinations(same, count))
        return moves

    def _beating_moves(self, hand: list[str]) -> set[str]:
        """R4.2, R1."""
        cross = bool(self.options.get("cross_trump", False))
        return {
            move_text("beat", [card], target)
            for target in self.unbeaten()
            for card in hand
            if beats(card, target, self.trumps, cross)
        }

    def _transfer_moves(self, hand: list[str]) -> set[str]:
        """R7."""
        options = self.options
        if options["transfer"] == "none" or len(self.unbeaten()) < len(self.table):
            return set()
        if self.bout == 1 and not options["transfer_first_bout"]:
            return set()
        if len(hand) == 1 and not options["transfer_last_card"]:
            return set()
        place = self._place_after_defender()
        if all(self.is_out(seat) for seat in [place, *self.partners(place)]):
            return set()
        successor = self.player_at(place)
        if successor == self.defender:
            return set()
        room_for = min(len(self.hands[successor]), self._limit_without_hand())
        rank = str(self.table[0][0])[0]
        same = [card for card in hand if card[0] == rank]
        moves = set()
        if len(self.table) + 1 <= room_for:
            moves.update(move_text("transfer", [card]) for card in same)
        if options["transfer"] == "proyezdnoy" and len(self.table) <= room_for:
            shown = self.shown_this_deal
            if options["show_limit"] == "bout":
                shown = self.shown_this_bout
            moves.update(move_text("show", [card]) for card in same if card[1] in self.trumps and card not in shown)
        return moves

    def _limit_without_hand(self) -> int:
        """R4.3 for a defender with any number of cards."""
        had, self.defender_had = self.defender_had, 1000
        most = self.limit()
        self.defender_had = had
        return most

    def _place_after_defender(self) -> int:
        """R7.1: the place a transfer goes to."""
        if self.options["teams"] == "none":
            return self.next_in_play(self.defender)
        return self.attacked_from(self.defence_place)

    # ---- making a move ------------------------------------------------------------------------

    def play(self, text: str) -> None:
        """Make a move that `legal()` lists; no other is looked at twice."""
        seat = self.to_move
        assert seat is not None, "the deal is over"
        if text == "pass":
            if self.helping:
                self.helping = False
                self._take()
            else:
                self.passed.append(seat)
        elif text == "take":
            partner = self.partners(self.defender)[:1]
            if self.options["teams"] == "adjacent" and self.hands[partner[0]]:
                self.helping = True
            else:
                self._take()
        elif text[0] == "a":
            for card in cards_of(text[1:]):
                self.hands[seat].remove(card)
                self.table.append([card, None])
        elif text[0] == "b":
            target, card = text[1:].split(":")
            self.hands[seat].remove(card)
            pair = next(pair for pair in self.table if pair == [target, None])
            pair[1] = card
            self.passed = []
            self.helping = self.helping and bool(self.unbeaten()) and bool(self.hands[seat])
        else:
            self._transfer(seat, text)
        self._ask_next()

    def _take(self) -> None:
        """R4.7: from here on cards are added to what the defender takes."""
        self.taking = True
        self.passed = []

    def _transfer(self, seat: int, text: str) -> None:
        """R7: with a card played, or a trump shown.

        R7.3 of the original attacker who becomes defender himself; R8.1 makes it hold for his
        partners too, since nobody attacks a partner.
        """
        card = text[1:]
        place = self._place_after_defender()
        if text[0] == "t":
            self.hands[seat].remove(card)
            self.table.append([card, None])
        else:
            self.shown_this_deal.append(card)
            self.shown_this_bout.append(card)
        place_of_transferrer = self.defence_place
        self._defend(place)
        self.attacker, self.attack_place = self.original, self.original_place
        own = self.team_of(self.original) == self.team_of(self.defender)
        if own or self.options["transfer_lead"] == "transferrer":
            self.attacker, self.attack_place = seat, place_of_transferrer
        self.passed = []

    # ---- after the bout -----------------------------------------------------------------------

    def _end_bout(self, *, taken: bool) -> None:
        cards = [card for pair in self.table for card in pair if card is not None]
        self.table = []
        if taken:
            self.hands[self.defender] += cards
            if self.options["after_take"] == "same_attacker":
                place = self.attack_place
            else:
                place = (self.defence_place + 1) % self.seats
        else:
            self.discarded += len(cards)
            place = self.defence_place
        self._refill()
        self._start_bout(place)

    def _refill(self) -> None:
        """R5.3; R9.3: the last face-down card of the talon, when drawn, names the only trump."""
        others = [seat for seat in self.clockwise_from(self.attacker) if seat != self.defender]
        for seat in [*others, self.defender]:
            if self.is_out(seat):
                continue
            while self.talon and len(self.hands[seat]) < self.options["hand_size"]:
                card = self.talon.pop(0)
                self.hands[seat].append(card)
                if len(self.trumps) == 2 and len(self.talon) == 1:
                    self.trumps = [card[1]]

    def _deal_has_ended(self) -> bool:
        """R6.3, R8.2. Ends the deal if so."""
        left = {self.team_of(seat) for seat in range(self.seats) if not self.is_out(seat)}
        if len(left) > 1:
            return False
        losers = [seat for seat in range(self.seats) if self.team_of(seat) in left]
        if not left:
            self._end([], "both_empty")
        elif self.options["teams"] == "none":
            self._end(losers, "last_holder")
        else:
            self._end(losers, "team")
        return True

    def _end(self, duraks: list[int], reason: str) -> None:
        self.over = True
        self.duraks = duraks
        self.reason = reason
        self.to_move = None
