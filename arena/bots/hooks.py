"""What happens next to a version or a bot is decided above this app, which must not import upwards."""

from __future__ import annotations

from collections.abc import Callable

from arena.accounts.models import User
from arena.bots.models import Bot, BotVersion

BuiltHandler = Callable[[BotVersion], None]
SuspendedHandler = Callable[[Bot, User], None]
_on_built: list[BuiltHandler] = []
_on_suspended: list[SuspendedHandler] = []


def on_built(handler: BuiltHandler) -> BuiltHandler:
    """Call ``handler(version)`` in the transaction in which a build succeeded, the version's row locked."""
    if handler not in _on_built:
        _on_built.append(handler)
    return handler


def announce_built(version: BotVersion) -> None:
    """Run the handlers; the build is only kept if all of them succeed."""
    for handler in _on_built:
        handler(version)


def on_suspended(handler: SuspendedHandler) -> SuspendedHandler:
    """Call ``handler(bot, by)`` after a bot was suspended by this person of the staff."""
    if handler not in _on_suspended:
        _on_suspended.append(handler)
    return handler


def announce_suspended(bot: Bot, by: User) -> None:
    """Run the handlers; the bot stays suspended whatever becomes of them."""
    for handler in _on_suspended:
        handler(bot, by)
