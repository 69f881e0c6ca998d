"""Nobody learns a hidden card: not from a view, an event, a name, a size or an order."""

from __future__ import annotations

import json
import random
import re
from typing import Any

import pytest

from bots_sdk.durak import Chronicle, GameState, RuleSet, deal
from tests.bots_sdk.durak.slow_deal import PRESETS, SEATS

ALL = {**{preset: SEATS[preset][-1] for preset in PRESETS}, "duel": 2, "prostoy": 4, "svoi-kozyri": 3}
CARD = re.compile(r"\b[2-9TJQKA][SHDC]\b")


def cards_in(value: Any) -> set[str]:
    """Every card that is written anywhere in a JSON value, alone or inside a move's text."""
    text = json.dumps(value)
    found = set(CARD.findall(text))
    for move in re.findall(r'"(?:[abts](?:[2-9TJQKA][SHDC])+(?::[2-9TJQKA][SHDC])?)"', text):
        found.update(re.findall(r"[2-9TJQKA][SHDC]", move))
    return found


def one_pack(preset: str) -> bool:
    return RuleSet.preset(preset).packs == 1


def rearranged(position: dict[str, Any], seat: int | None, rng: random.Random) -> dict[str, Any]:
    """The same position with all that `seat` has never seen dealt differently.

    Only right at the start of a deal, when nothing but the position's `known` cards and the
    turn-up has been seen.
    """
    twin = json.loads(json.dumps(position))
    twin.setdefault("known", [[] for _ in twin["hands"]])
    bottom = len(twin["talon"]) - 1 if twin["talon"] else 0
    others = [other for other in range(len(twin["hands"])) if other != seat]
    hidden = twin["talon"][:bottom]
    for other in others:
        hidden += [card for card in twin["hands"][other] if card not in twin["known"][other]]
    rng.shuffle(hidden)
    for other in others:
        known = twin["known"][other]
        twin["hands"][other] = known + [hidden.pop() for _ in twin["hands"][other][len(known) :]]
    twin["talon"][:bottom] = hidden
    return twin


def shown_at_the_deal(state: GameState) -> set[str]:
    """What everybody saw: the turn-up, the lowest trump of who begins, and R9.4's sixes."""
    position, info = state.to_position(), state.deal_info
    shown = {str(card) for card in (info.turn_up, info.lowest_trump) if card is not None}
    if state.rules.name == "svoi-kozyri":
        shown |= {"6" + suit for suit in position["trump"]}
    return shown


@pytest.mark.parametrize("preset", [preset for preset in ALL if preset != "svoi-kozyri"])
def test_a_view_at_the_start_does_not_depend_on_what_its_seat_cannot_know(preset: str) -> None:
    rng = random.Random(1)
    for number in range(10):
        state = deal(RuleSet.preset(preset), seats=ALL[preset], seed=number.to_bytes(16, "big"))
        position = state.to_position()
        for seat in (*range(state.seats), None):
            if seat == state.seat_to_move:
                continue
            one, two = (GameState.from_position(rearranged(position, seat, rng)) for _ in range(2))
            assert one.view(seat) == two.view(seat)


@pytest.mark.parametrize("preset", sorted(ALL))
def test_a_view_holds_no_card_that_its_seat_has_not_seen(preset: str) -> None:
    if not one_pack(preset):
        pytest.skip("with two packs a name does not tell which card it is")
    rng = random.Random(preset)
    for _ in range(2):
        state = deal(RuleSet.preset(preset), seats=ALL[preset], seed=rng.randbytes(16))
        seen: dict[int | None, set[str]] = {seat: cards_in(state.view(seat)) for seat in (None, *range(state.seats))}
        start = state.to_position()
        public = shown_at_the_deal(state)
        for seat, cards in seen.items():
            own = set() if seat is None else set(start["hands"][seat])
            assert cards <= own | public, (preset, seat, cards - own - public)
        while not state.is_over:
            before = state.to_position()
            move = rng.choice(state.legal_moves())
            state.play(move)
            after = state.to_position()
            public |= {str(card) for card in move.cards} | set(drawn_openly(before, after, preset))
            for seat in (None, *range(state.seats)):
                own = set() if seat is None else set(after["hands"][seat])
                assert cards_in(state.view(seat)) <= own | public, (preset, seat, str(move))


def drawn_openly(before: dict[str, Any], after: dict[str, Any], preset: str) -> list[str]:
    """R9.3: the last face-down card of severny's talon is shown to all when it is drawn."""
    if preset == "severny" and len(before["talon"]) >= 2 > len(after["talon"]):
        return [before["talon"][-2]]
    return []


@pytest.mark.parametrize("preset", sorted(ALL))
def test_events_show_a_card_to_nobody_who_has_not_seen_it(preset: str) -> None:
    if not one_pack(preset):
        pytest.skip("with two packs a name does not tell which card it is")
    rng = random.Random(preset)
    state = deal(RuleSet.preset(preset), seats=ALL[preset], seed=rng.randbytes(16))
    start = state.to_position()
    chronicle = Chronicle(state)
    public = shown_at_the_deal(state)
    held = [set(hand) for hand in start["hands"]]
    told = 0
    while True:
        for event in chronicle.events[told:]:
            for seat in (None, *range(state.seats)):
                own = set() if seat is None else held[seat]
                seen = event.seen_by(seat)
                json.dumps(seen)
                if state.is_over and event.kind in ("hand", "deal_over"):
                    continue  # the hands are laid open at the end
                assert cards_in(seen) <= own | public, (preset, seat, event.kind, seen)
        told = len(chronicle.events)
        if state.is_over:
            break
        before = state.to_position()
        move = rng.choice(state.legal_moves())
        chronicle.play(move)
        after = state.to_position()
        public |= {str(card) for card in move.cards} | set(drawn_openly(before, after, preset))
        for seat, hand in enumerate(after["hands"]):
            held[seat] |= set(hand)


@pytest.mark.parametrize("preset", sorted(ALL))
def test_what_others_are_told_does_not_tell_a_forced_pass_from_a_chosen_one(preset: str) -> None:
    rng = random.Random(preset)
    state = deal(RuleSet.preset(preset), seats=ALL[preset], seed=rng.randbytes(16))
    chronicle = Chronicle(state)
    shapes: dict[bool, set[str]] = {True: set(), False: set()}
    while not state.is_over:
        seat, legal = state.seat_to_move, state.legal_moves()
        move = rng.choice(legal)
        told = len(chronicle.events)
        chronicle.play(move)
        if move.kind == "pass":
            event = chronicle.events[told]
            seen = event.seen_by(None)
            assert event.kind == "pass"
            shapes[len(legal) == 1].add(json.dumps(sorted(set(seen) - {"seat"})))
            assert seat == seen["seat"]
    assert len(shapes[True] | shapes[False]) <= 1
