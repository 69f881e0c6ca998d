"""Plays the deals of one sitting between players over the protocol, and keeps the clocks."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from bots_sdk.referee.dealing import play_deal
from bots_sdk.referee.outcome import SittingOutcome, SittingSpec
from bots_sdk.referee.player import Player
from bots_sdk.referee.table import OnEvent, Table

P = TypeVar("P", bound=Player)


def start_players(starts: Iterable[Callable[[], P]]) -> list[P]:
    """Start a table's players one after another; if one cannot be started, those before it are stopped.

    Raises:
        HostFault: whatever a start raises.

    """
    players: list[P] = []
    try:
        for start in starts:
            players.append(start())  # noqa: PERF401 - those started so far must be known when one fails
    except BaseException:
        for player in players:
            player.stop()
        raise
    return players


def play_sitting(
    spec: SittingSpec,
    players: Sequence[Player],
    *,
    on_event: OnEvent | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> SittingOutcome:
    """Play every deal of a sitting; all players are stopped when it returns or raises.

    `players[seat]` are started already and used for this sitting only. When a seat is out
    before the sitting begins (`spec.excluded_seats()`), nobody is asked and `players` may be
    empty.

    Raises:
        HostFault: the host failed; the sitting is void and no bot is charged.
        ValueError: the number of players is not that of the seats.

    """
    try:
        table = Table(spec, players, on_event, clock)
    except ValueError:
        for player in players:
            player.stop()
        raise
    try:
        table.open()
        deals = tuple([play_deal(table, number, deal) for number, deal in enumerate(spec.deals)])
        table.say_goodbye()
    except BaseException:
        with contextlib.suppress(Exception):  # what came first is what is told
            table.close()
        raise
    return SittingOutcome(deals, tuple(table.faults), table.excluded, table.close())
