"""What spectators are told while a match is played: whole bouts, without hidden cards, and the results of deals."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bots_sdk.durak import Event

KEPT_BACK = frozenset({"hand", "deal_over"})
"""Events that show what was hidden in a deal whose deck is dealt again in the match."""

Publish = Callable[[dict[str, Any]], None]


class Spectator:
    """Turns the referee's events of one sitting into live events.

    Events go out bout by bout, so that the time of a single decision, or that a pass was forced, does not show. Final
    hands and seeds stay back until the match is finished: the same decks are dealt in its other sittings. For the same
    reason a table is only shown while ``open``, that is in the first rotation of its decks.
    """

    def __init__(self, publish: Publish, *, is_open: bool) -> None:
        self._publish = publish
        self._open = is_open
        self._waiting: list[dict[str, Any]] = []

    def see(self, deal_index: int, event: Event) -> None:
        """Take one event; publishes when it ends a bout."""
        if not self._open or event.kind in KEPT_BACK:
            return
        self._waiting.append(event.seen_by(None))
        if event.kind == "bout_over":
            self.flush(deal_index)

    def flush(self, deal_index: int) -> None:
        """Publish what waits."""
        if self._waiting:
            self._publish({"type": "table", "deal": deal_index, "events": self._waiting})
            self._waiting = []
