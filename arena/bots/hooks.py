"""What happens next to a version is decided above this app, which must not import upwards."""

from __future__ import annotations

from collections.abc import Callable

from arena.bots.models import BotVersion

Handler = Callable[[BotVersion], None]
_on_built: list[Handler] = []


def on_built(handler: Handler) -> Handler:
    """Call ``handler(version)`` in the transaction in which a build succeeded, the version's row locked."""
    if handler not in _on_built:
        _on_built.append(handler)
    return handler


def announce_built(version: BotVersion) -> None:
    """Run the handlers; the build is only kept if all of them succeed."""
    for handler in _on_built:
        handler(version)
