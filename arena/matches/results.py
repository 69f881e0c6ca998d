"""What a worker brings back from a match: plain values, before anything of them is believed or saved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class PlayedDeal:
    """One deal. ``seating[seat]`` and ``duraks`` are participant indexes; ``timings`` are [turn, seat, ms]."""

    index: int
    set_index: int
    sitting: int
    seating: tuple[int, ...]
    record: str
    duraks: tuple[int, ...]
    ended: str
    moves: int
    timings: Sequence[list[float]] = ()


@dataclass(frozen=True, slots=True)
class PlayedFault:
    """One fault of one participant; ``deal_index`` is None before its first deal."""

    participant: int
    deal_index: int | None
    turn: int | None
    verdict: str
    reason: str
    line: str = ""
    view: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class PlayedLog:
    """One participant's process in one sitting."""

    participant: int
    sitting: int
    stderr: str
    exit: dict[str, Any]


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """A whole match as played."""

    deals: Sequence[PlayedDeal]
    faults: Sequence[PlayedFault] = ()
    logs: Sequence[PlayedLog] = ()
    excluded: frozenset[int] = frozenset()
    host: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Ending:
    """What an attempt's end changed (nothing if not ``applied``), as what it ended, and that in words."""

    applied: bool
    outcome: str
    message: str
