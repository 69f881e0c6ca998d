"""What a match's end means is decided above this app: handlers run inside the transaction that ends it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable

from arena.matches.models import Match

Handler = Callable[[Match], None]
Register = Callable[[Handler], Handler]

_finished: dict[str, list[Handler]] = defaultdict(list)
_abandoned: dict[str, list[Handler]] = defaultdict(list)


def on_finished(kind: str) -> Register:
    """Decorate ``handler(match)``: called with the match locked, FINISHED, and its totals and deals written.

    What the handler raises undoes the whole result; the attempt is then void and the match is played again.
    """
    return lambda handler: _register(_finished[kind], handler)


def on_abandoned(kind: str) -> Register:
    """Decorate ``handler(match)``: called with the match locked and ABANDONED or CANCELLED, its reason written."""
    return lambda handler: _register(_abandoned[kind], handler)


def announce_finished(match: Match) -> None:
    """Run the handlers of a finished match, in the order in which they registered."""
    for handler in _finished[match.kind]:
        handler(match)


def announce_abandoned(match: Match) -> None:
    """Run the handlers of a match that will never be played."""
    for handler in _abandoned[match.kind]:
        handler(match)


def _register(handlers: list[Handler], handler: Handler) -> Handler:
    if handler not in handlers:
        handlers.append(handler)
    return handler
