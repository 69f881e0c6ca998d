"""What spectators are told while a match is played: whole bouts, without hidden cards, and the results of deals."""

from __future__ import annotations

import time
from typing import Any

from arena.matches import live
from bots_sdk.durak import Event

KEPT_BACK = frozenset({"hand", "deal_over"})
"""Events that show what was hidden in a deal whose deck is dealt again in the match."""

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
    """Turns the referee's events of one sitting into live events.

    Events go out by whole bouts, so that the time of a single decision, or that a pass was forced, does not show.
    Final hands and seeds stay back until the match is finished: the same decks are dealt in its other sittings. For
    the same reason a table is only shown while ``is_open``, that is in the first rotation of its decks.
    """

    def __init__(self, broadcast: Broadcast, *, is_open: bool) -> None:
        self._broadcast = broadcast
        self._open = is_open
        self._waiting: list[dict[str, Any]] = []

    def see(self, deal_index: int, event: Event) -> None:
        """Take one event of the referee's; a bout or a deal that ends is sent."""
        if not self._open:
            return
        if event.kind not in KEPT_BACK:
            self._waiting.append(event.seen_by(None))
        if event.kind in ("bout_over", "deal_over") and self._waiting:
            self._broadcast.send({"type": "table", "deal": deal_index, "events": self._waiting})
            self._waiting = []
