"""Intervals for raw rates."""

from __future__ import annotations

from math import sqrt
from typing import Final

Z95: Final = 1.959963984540054
"""The normal distribution's two-sided 95 per cent point."""


def wilson(count: float, total: float, z: float = Z95) -> tuple[float, float]:
    """Wilson's interval for the rate count/total; (0, 1) when nothing was counted.

    Raises:
        ValueError: `count` is not between 0 and `total`.

    """
    if not 0 <= count <= total:
        raise ValueError(f"{count} of {total} is not a rate")
    if not total:
        return 0.0, 1.0
    rate = count / total
    scale = 1 + z * z / total
    middle = (rate + z * z / (2 * total)) / scale
    half = z / scale * sqrt(rate * (1 - rate) / total + z * z / (4 * total * total))
    return max(0.0, middle - half), min(1.0, middle + half)
