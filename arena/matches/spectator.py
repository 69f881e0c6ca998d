"""What spectators are told while a match is played: whole bouts, without hidden cards, and the results of deals."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from arena.matches import live
from arena.matches.replays import Eyes, Film
from bots_sdk.durak import Card, Fault, Move, deal
from bots_sdk.durak.moves import KINDS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bots_sdk.durak import Event
    from bots_sdk.referee import SittingSpec

EVERY_SECONDS = 0.25


class Broadcast:
    """Sends a match's live events, gathered for a quarter of a second each time."""

    def __init__(self, match_id: int) -> None:
        self._match_id = match_id
        self._waiting: list[dict[str, Any]] = []
        self._sent_at = time.monotonic()

    def send(self, event: dict[str, Any]) -> None:
        """Take an event; publishes what waits if the time has come."""
        self._waiting.append(event)
        if time.monotonic() - self._sent_at >= EVERY_SECONDS:
            self.flush()

    def flush(self) -> None:
        """Publish what waits."""
        if self._waiting:
            live.publish(self._match_id, *self._waiting)
        self._waiting = []
        self._sent_at = time.monotonic()


class Spectator:
    """Turns the referee's events of one sitting into live events: what a spectator sees, frame by frame.

    Frames go out by whole bouts, so that the time of a single decision, or that a pass was forced, does not show.
    Final hands and seeds stay back until the match is finished: the same decks are dealt in its other sittings. For
    the same reason a table is only shown while ``is_open``, that is in the first rotation of its decks.
    """

    def __init__(self, broadcast: Broadcast, spec: SittingSpec, names: Sequence[str], *, is_open: bool) -> None:
        self._broadcast, self._spec, self._names = broadcast, spec, names
        self._deals = {deal.index: deal for deal in spec.deals} if is_open else {}
        self._deal_index = -1
        self._fault: Fault | None = None
        self._frames: list[dict[str, Any]] = []

    def see(self, deal_index: int, event: Event) -> None:
        """Take one event of the referee's; a bout or a deal that ends is sent."""
        if deal_index not in self._deals:
            return
        if deal_index != self._deal_index:
            self._begin(deal_index)
        if event.kind in KINDS:
            target = event.data.get("target")
            self._frames += self._film.play(Move(event.kind, event.cards, Card.parse(target) if target else None))
        elif event.kind == "fault" and event.seat is not None:
            self._fault = Fault(event.seat, event.data["verdict"])
        elif event.kind == "deal_over":
            self._frames += self._film.end(self._fault)
        if self._frames and self._frames[-1]["kind"] in {"bout", "over"}:
            self._send()

    def _begin(self, deal_index: int) -> None:
        dealt = self._deals[deal_index]
        opening = deal(self._spec.rules, self._spec.seats, dealt.seed, dealt.dealer)
        self._deal_index, self._fault = deal_index, None
        self._film = Film(opening, self._names)
        self._frames = [self._film.begin()]

    def _send(self) -> None:
        """The first frame of an event is complete, for who begins to watch with it; the others say what changed."""
        eyes = Eyes(None)
        frames = [eyes.see(frame) for frame in self._frames]
        self._frames = []
        self._broadcast.send(
            {"type": "table", "deal": self._deal_index, "meta": self._film.meta(None), "frames": frames}
        )
