"""The one log of a deal: events, each of which says who may see its cards.

A seat's view of what happened, the spectator's and the full reveal are filters over this log.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final, Literal

from bots_sdk.durak.cards import CARDS, Card, cards_of
from bots_sdk.durak.moves import Move
from bots_sdk.durak.record import DealRecord
from bots_sdk.durak.state import GameState

EVENT_KINDS: Final = {
    "deal": "a seat is dealt its cards (R2.1)",
    "redeal": "count deals were thrown in: nobody held a trump (R3.2)",
    "turn_up": "the trump card is turned up, or shown by the seat that keeps it; data.trump are the suits (R2.2)",
    "own_trump": "data.suit is this seat's own trump, its lowest card is dealt to it openly (R9.4)",
    "show_lowest_trump": "the first attacker shows the lowest trump (R3.1)",
    "attack": "cards are led or thrown in (R4.1, R4.4)",
    "beat": "a card beats data.target (R4.2, R8.3)",
    "transfer": "a card is added and the attack passed on (R7.1)",
    "show": "a trump is shown and the attack passed on (R7.4)",
    "take": "the seat takes: what lies there (R4.2, R9.1), in svoi kozyri the pile or its top (R9.4)",
    "pass": "the seat throws in nothing, or does not help (R4.6, R8.3)",
    "bout_over": (
        "data.how is beaten, taken or, with the bout going on, top_taken; cards are those discarded or taken (R5, R9.4)"
    ),
    "draw": "a seat draws from the talon (R5.3)",
    "trump_change": "the card shown makes its suit, data.trump, the only trump (R9.3)",
    "out": "a seat has no cards and draws no more (R6.1)",
    "hand": "a seat shows the cards that it is left with when the deal is over (R6.3)",
    "fault": "data.verdict says why the seat could not be asked any more",
    "deal_over": "data.result is the end",
}
"""Every kind of event and what it tells."""

Viewer = int | None | Literal["all"]


@dataclass(frozen=True)
class Event:
    """Something that happened.

    ``cards`` may be seen by the seats in ``visible_to``, ``None`` is everybody; who may not see them is told
    their ``count``.
    """

    kind: str
    seat: int | None = None
    cards: tuple[Card, ...] = ()
    count: int = 0
    visible_to: frozenset[int] | None = None
    data: dict[str, Any] = field(default_factory=dict, hash=False)

    def __reduce__(self) -> tuple[type[Event], tuple[Any, ...]]:
        # A compiled frozen class cannot be filled in after it is made, as copying and unpickling would.
        return (Event, (self.kind, self.seat, self.cards, self.count, self.visible_to, self.data))

    def seen_by(self, viewer: Viewer) -> dict[str, Any]:
        """The event as JSON values for a seat, for a spectator (``None``) or with everything (``"all"``)."""
        seen: dict[str, Any] = {"kind": self.kind}
        if self.seat is not None:
            seen["seat"] = self.seat
        if self.count:
            seen["count"] = self.count
        if self.cards and (viewer == "all" or self.visible_to is None or viewer in self.visible_to):
            seen["cards"] = [str(card) for card in self.cards]
        seen.update(self.data)
        return seen


class Chronicle:
    """Plays a state from its first decision on and keeps the log of all that happens."""

    def __init__(self, state: GameState) -> None:
        self.state = state
        self.events: tuple[Event, ...] = ()
        self.moves: list[Move] = []
        self._out: set[int] = set()
        state.notes = []
        self._log(_opening_events(state))
        self._follow_up()

    @classmethod
    def of(cls, record: DealRecord) -> Chronicle:
        """The chronicle of a recorded deal. Raises ``IllegalMove`` for a record that does not replay."""
        chronicle = cls(record.deal())
        for move in record.moves:
            chronicle.play(move)
        if record.fault is not None:
            chronicle.fault(record.fault.seat, record.fault.verdict)
        return chronicle

    def play(self, move: Move) -> tuple[Event, ...]:
        """Make a move and return the new events. Raises ``IllegalMove``, and changes nothing."""
        seat = self.state.seat_to_move
        before = len(self.events)
        self.state.play(move)
        self.moves.append(move)
        data = {} if move.target is None else {"target": str(move.target)}
        self._log([Event(move.kind, seat, move.cards, len(move.cards), data=data)])
        self._follow_up()
        return self.events[before:]

    def fault(self, seat: int, verdict: str) -> tuple[Event, ...]:
        """End the deal by this seat's fault and return the new events."""
        before = len(self.events)
        self.state.fault(seat)
        self._log([Event("fault", seat, data={"verdict": verdict})])
        self._follow_up()
        return self.events[before:]

    def seen_by(self, viewer: Viewer) -> list[dict[str, Any]]:
        """The whole log as this viewer may see it."""
        return [event.seen_by(viewer) for event in self.events]

    def _log(self, events: list[Event]) -> None:
        self.events += tuple(events)

    def _follow_up(self) -> None:
        state = self.state
        notes, state.notes = state.notes or [], []
        self._log([_noted(what, seat, faces) for what, seat, faces in notes])
        for seat in range(state.seats):
            if seat not in self._out and not state.in_play(seat):
                self._out.add(seat)
                self._log([Event("out", seat)])
        if state.result is not None:
            for seat in range(state.seats):
                cards = tuple(cards_of(state.hands[seat]))
                self._log([Event("hand", seat, cards, len(cards))] if cards else [])
            self._log([Event("deal_over", data={"result": state.result.to_dict()})])


def _opening_events(state: GameState) -> list[Event]:
    info = state.deal_info
    own_trumps = state.rules.game == "svoi_kozyri"
    events = [Event("redeal", count=info.redeals)] if info.redeals else []
    for seat in range(state.seats):
        cards = tuple(cards_of(state.hands[seat]))
        events.append(Event("deal", seat, cards, len(cards), frozenset([seat])))
    if own_trumps:
        for seat, suit in enumerate(info.trumps):
            lowest = (Card.parse("6" + suit),)
            events.append(Event("own_trump", seat, lowest, 1, data={"suit": suit}))
    if info.turn_up is not None:
        holder = state.dealer if info.turn_up_in_hand else None
        events.append(Event("turn_up", holder, (info.turn_up,), 1, data={"trump": list(info.trumps)}))
    if info.lowest_trump is not None:
        events.append(Event("show_lowest_trump", info.first, (info.lowest_trump,), 1))
    return events


def _noted(what: str, seat: int, faces: list[int]) -> Event:
    cards = tuple([CARDS[face] for face in faces])
    if what == "draw":
        return Event("draw", seat, cards, len(cards), frozenset([seat]))
    if what == "trump_change":
        return Event("trump_change", None, cards, 1, data={"trump": [cards[0].suit]})
    return Event("bout_over", seat, cards, len(cards), data={"how": what})
