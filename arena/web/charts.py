"""Drawings as numbers: the templates turn them into SVG, coloured by the style sheet."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

WIDTH, HEIGHT = 640, 200
LEFT, RIGHT, TOP, BOTTOM = 44, 12, 12, 26
MAX_POINTS = 300


@dataclass(frozen=True)
class HistoryChart:
    """A rating over time in a WIDTH x HEIGHT box: ``line`` is an SVG points list, ``grid`` are (y, label) pairs."""

    line: str
    last_x: float
    last_y: float
    grid: tuple[tuple[float, str], ...]
    from_label: str
    to_label: str
    summary: str
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    bottom: int = HEIGHT - 6


def history_chart(points: Sequence[tuple[datetime, float]]) -> HistoryChart | None:
    """Draw (time, Elo) points, oldest first; None for fewer than two.

    The x axis counts matches, so that a pause does not squeeze the play around it. Longer histories are thinned to
    MAX_POINTS, the last point always kept.
    """
    if len(points) < 2:
        return None
    step = math.ceil(len(points) / MAX_POINTS)
    kept = [*points[:-1:step], points[-1]]
    values = [value for _, value in kept]
    low, high, step_size = _scale(min(values), max(values))

    def y_of(value: float) -> float:
        return round(TOP + (high - value) / (high - low) * (HEIGHT - TOP - BOTTOM), 1)

    def x_of(place: int) -> float:
        return round(LEFT + place / (len(kept) - 1) * (WIDTH - LEFT - RIGHT), 1)

    levels = range(int(low), int(high) + 1, step_size)
    return HistoryChart(
        line=" ".join(f"{x_of(place)},{y_of(value)}" for place, value in enumerate(values)),
        last_x=x_of(len(kept) - 1),
        last_y=y_of(values[-1]),
        grid=tuple((y_of(level), str(level)) for level in levels),
        from_label=_day(points[0][0]),
        to_label=_day(points[-1][0]),
        summary=f"Rating over {len(points)} matches: from {values[0]:.0f} to {values[-1]:.0f}, "
        f"lowest {min(v for _, v in points):.0f}, highest {max(v for _, v in points):.0f}.",
    )


def _scale(low: float, high: float) -> tuple[float, float, int]:
    """Round limits around the values and the step between grid lines, in Elo: three to six lines."""
    spread = max(high - low, 20.0)
    step = next(s for s in (10, 20, 25, 50, 100, 200, 250, 500, 1000, 2500, 10**5) if spread / s <= 4)
    bottom = math.floor(low / step) * step
    top = max(math.ceil(high / step) * step, bottom + 2 * step)
    return bottom, top, step


def _day(moment: datetime) -> str:
    return f"{moment.day} {moment:%b %Y, %H:%M}"


@dataclass(frozen=True)
class IntervalChart:
    """A durak rate and its 95% interval on an axis of 0 to ``top``, as x positions of 0 to 100."""

    low: float
    high: float
    rate: float
    fair: float


def interval_chart(rate: float, low: float, high: float, seats: int) -> IntervalChart:
    """Place a rate among ``seats`` equals: the axis runs from nought to twice the fair share, 1/seats."""
    top = min(1.0, 2 / seats)

    def place(value: float) -> float:
        return round(max(0.0, min(1.0, value / top)) * 100, 1)

    return IntervalChart(low=place(low), high=place(high), rate=place(rate), fair=place(1 / seats))
