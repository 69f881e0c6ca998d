"""Nobody learns a hidden card: not from a view, an event, a name, a size or an order."""

from __future__ import annotations

import json
import random
import re
from typing import Any

import pytest

from bots_sdk.durak import Chronicle, GameState, RuleSet, deal
from bots_sdk.referee import DealSpec, SittingSpec, play_sitting
from bots_sdk.referee.local import InProcessPlayer
from tests.bots_sdk.durak.slow_deal import PRESETS, SEATS
from tests.bots_sdk.referee.players import HandClock

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


HANDS_OF_THE_PASSER = {True: ["8S", "JD", "QD"], False: ["8S", "8H", "QD"]}
"""By whether he has nothing to throw in once his 8S is beaten; alike in all that the others know."""


class Overhearing(InProcessPlayer):
    """A bot that takes an eighth of a second to decide, passes where it may, and notes what it is told when."""

    def __init__(self, clock: HandClock) -> None:
        self.told: list[tuple[float, dict[str, Any]]] = []

        def answer(line: bytes) -> bytes | None:
            message = json.loads(line)
            self.told.append((clock.now, message))
            if message["type"] == "hello":
                return b'{"type":"ready"}'
            if message["type"] != "turn":
                return None
            clock.now += 0.125
            choice = message["legal"][-1 if {"move": "pass"} in message["legal"] else 0]
            return json.dumps({"type": "move", "turn": message["turn"], **choice}).encode()

        super().__init__(answer)


def overheard(*, forced: bool) -> list[list[tuple[float, dict[str, Any]]]]:
    """What seats 0 and 1 are told, and when, to the end of a bout in which seat 2 leads and then passes."""
    position = {"hands": [["9S", "9C", "KC"], ["7C", "7D", "AC"], HANDS_OF_THE_PASSER[forced]], "trump": "C"}
    state = GameState.from_position({**position, "attacker": 2, "defender": 0})
    clock = HandClock()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("bots_sdk.referee.dealing.deal", lambda *_: state)
        patch.setattr("bots_sdk.referee.table.time.sleep", lambda nap: setattr(clock, "now", clock.now + nap))
        players = [Overhearing(clock) for _ in range(3)]
        outcome = play_sitting(SittingSpec(state.rules, 3, (DealSpec(0, 0, bytes(16)),)), players, clock=clock)
    assert next((event.kind, event.seat) for event in outcome.deals[0].events if event.kind == "pass") == ("pass", 2)
    assert (3 in {decision.turn for decision in outcome.deals[0].decisions}) is not forced
    return [to_the_end_of_the_bout(player.told) for player in players[:2]]


def to_the_end_of_the_bout(told: list[tuple[float, dict[str, Any]]]) -> list[tuple[float, dict[str, Any]]]:
    """The messages up to the first that tells of the bout's end."""
    over = [any(event["kind"] == "bout_over" for event in message.get("events", [])) for _, message in told]
    return told[: over.index(True) + 1]


def test_the_others_are_told_of_a_forced_pass_what_they_are_told_of_a_chosen_one_and_no_sooner() -> None:
    forced, chosen = overheard(forced=True), overheard(forced=False)
    assert forced == chosen
    passes = [event for _, message in forced[0] for event in message.get("events", []) if event["kind"] == "pass"]
    assert [event["seat"] for event in passes] == [2, 1]
