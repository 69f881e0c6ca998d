"""What holds at every decision of every preset with every number of seats."""

from __future__ import annotations

import json
import random
from collections import Counter

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from bots_sdk.durak import Chronicle, DealRecord, GameState, IllegalMove, Move, RuleSet, deal
from bots_sdk.durak.bout import BoutState
from bots_sdk.durak.cards import deck_faces
from tests.bots_sdk.durak.conceivable import all_cards, conceivable, remixed
from tests.bots_sdk.durak.tables import TABLES

OPTIONS = {
    "first": ["lowest_trump", "dealer", "left_of_dealer"],
    "no_trump": ["redeal", "lowest_card"],
    "multi_open": [True, False],
    "max_attack": [1, 2, 3, 6, 8],
    "first_limit": ["none", "first_bout", "until_discard"],
    "throwers": ["auto", "all", "neighbours", "attacker"],
    "throw_when": ["all_beaten", "any_time"],
    "throw_on_take": [True, False],
    "after_take": ["left_of_defender", "same_attacker"],
    "out_when": ["talon_empty", "immediate"],
    "end_check": ["bout_end", "immediate"],
    "both_empty": ["draw", "defender"],
    "max_bouts": [300, 7],
    "transfer": ["none", "perevodnoy", "proyezdnoy"],
    "transfer_last_card": [True, False],
    "transfer_first_bout": [True, False],
    "transfer_lead": ["original", "transferrer"],
    "show_limit": ["deal", "bout"],
    "teams": ["none", "opposite", "adjacent"],
    "second_trump": [True, False],
    "last_card_trump": [True, False],
    "hand_size": [6, 3, 1],
    "packs": [1, 2],
    "deck": [36, 24, 52],
}
mixed_rules = st.fixed_dictionaries({}, optional={name: st.sampled_from(values) for name, values in OPTIONS.items()})


def verified(state: GameState, moves: set[Move]) -> set[Move]:
    """Those of the moves that ``verify`` allows; a refusal must say its rule and its reason."""
    allowed = set()
    for move in moves:
        try:
            state.verify(move)
            allowed.add(move)
        except IllegalMove as refused:
            if not refused.rule.startswith("R") or not refused.message:
                pytest.fail(f"{move} is refused without a rule or a reason: {refused!r}")
    return allowed


class Deal(RuleBasedStateMachine):
    """A deal played at random, looked at from all sides at every decision."""

    state: GameState
    chronicle: Chronicle

    def start(self, rules: RuleSet, seats: int, seed: bytes, dealer: int) -> None:
        self.choose = random.Random(seed)
        self.seed, self.dealer = seed, dealer
        self.chronicle = Chronicle(deal(rules, seats, seed, dealer))
        self.state = self.chronicle.state
        self.deck = Counter(deck_faces(rules.deck, rules.packs))

    @initialize(at=st.sampled_from(TABLES), seed=st.binary(min_size=16, max_size=20), dealer=st.integers(0, 20))
    def deal_a_preset(self, at: tuple[str, int], seed: bytes, dealer: int) -> None:
        name, seats = at
        self.start(RuleSet.preset(name), seats, seed, dealer % seats)

    @precondition(lambda self: not self.state.is_over)
    @rule(number=st.integers(0, 10**6), times=st.integers(1, 12))
    def play_on(self, number: int, times: int) -> None:
        for step in range(times):
            if self.state.is_over:
                return
            moves = self.state.legal_moves()
            self.chronicle.play(moves[(number + step * 7919) % len(moves)])

    @precondition(lambda self: not self.state.is_over)
    @rule(number=st.integers(0, 10**6))
    def refuse_a_conceivable_move_without_a_change(self, number: int) -> None:
        wrong = sorted(conceivable(self.state) - set(self.state.legal_moves()), key=str)
        move = wrong[number % len(wrong)]
        before = self.state.to_position()
        with pytest.raises(IllegalMove):
            self.state.play(move)
        assert self.state.to_position() == before

    @precondition(lambda self: not self.state.is_over)
    @rule()
    def legal_moves_and_verify_agree_on_every_conceivable_move(self) -> None:
        legal = self.state.legal_moves()
        assert len(set(legal)) == len(legal)
        candidates = conceivable(self.state)
        if self.state.rules.game != "prostoy":
            assert set(legal) <= candidates
        assert verified(self.state, candidates) == set(legal) & candidates
        assert verified(self.state, set(legal)) == set(legal)

    @rule()
    def a_view_does_not_depend_on_what_its_seat_cannot_know(self) -> None:
        for viewer in [None, *range(self.state.seats)]:
            other = remixed(self.state, viewer, self.choose)
            assert other.view(viewer) == self.state.view(viewer)

    @rule()
    def positions_and_copies_are_the_same_deal(self) -> None:
        position = json.loads(json.dumps(self.state.to_position()))
        again = GameState.from_position(position)
        twin = self.state.copy()
        assert again.to_position() == position == twin.to_position()
        assert again.legal_moves() == self.state.legal_moves() == twin.legal_moves()

    @invariant()
    def cards_are_conserved(self) -> None:
        state = self.state
        there = Counter(card.index for card in all_cards(state))
        assert not there - self.deck
        assert sum(there.values()) + state.discarded == state.rules.cards
        assert state.rules.game == "svoi_kozyri" or state.discarded % 2 == 0

    @invariant()
    def unbeaten_cards_never_outnumber_the_defender_s(self) -> None:
        state = self.state
        if isinstance(state, BoutState) and not state.is_over:
            assert state.unbeaten <= state.hands[state.defender].bit_count()
            assert len(state.attacks) <= state.rules.max_attack

    @invariant()
    def exactly_the_decisions_of_a_deal_in_play_are_offered(self) -> None:
        state = self.state
        assert (state.result is not None) == state.is_over == (state.seat_to_move is None)
        assert bool(state.legal_moves()) != state.is_over
        if state.seat_to_move is not None:
            assert state.hands[state.seat_to_move], "a seat without cards is never asked"

    def teardown(self) -> None:
        if not hasattr(self, "chronicle"):
            return
        while not self.state.is_over:
            moves = self.state.legal_moves()
            self.chronicle.play(self.choose.choice(moves))
        state = self.state
        assert state.result is not None
        assert state.result.cards_left == tuple(hand.bit_count() for hand in state.hands)
        record = DealRecord(state.rules, self.seed, state.seats, self.dealer, tuple(self.chronicle.moves), state.result)
        assert record.replay().to_position() == state.to_position()
        assert DealRecord.parse(record.to_text()) == record


class MixedDeal(Deal):
    """The same for rule sets that nobody has named, put together from all options."""

    @initialize(
        options=mixed_rules,
        seats=st.integers(2, 6),
        seed=st.binary(min_size=16, max_size=20),
        dealer=st.integers(0, 5),
    )
    def deal_a_preset(self, options: dict[str, object], seats: int, seed: bytes, dealer: int) -> None:  # type: ignore[override]
        if options.get("teams", "none") != "none":
            seats = 4
        rules = RuleSet().replace(**options)
        if seats not in rules.seat_counts:
            rules = rules.replace(hand_size=3)
        self.start(rules, seats, seed, dealer % seats)


budget = settings(
    max_examples=25,
    stateful_step_count=14,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
TestDeal = Deal.TestCase
TestDeal.settings = budget
TestMixedDeal = MixedDeal.TestCase
TestMixedDeal.settings = budget
