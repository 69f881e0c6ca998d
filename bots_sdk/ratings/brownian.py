"""Where a sequential test may be by the time it is looked at: Brownian motion between two bounds.

A test that stops when its log likelihood ratio leaves (a, b) has seen extreme values more often
than a test of fixed length, so an estimate made when it stops must allow for the stopping.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count
from math import cos, erfc, exp, log, pi, sin, sqrt

_SMALL_TIME = 0.01
_STEEP_DRIFT = 15.0
_PRECISION = 1e-12


@dataclass(frozen=True, slots=True)
class Corridor:
    """Motion from 0 with drift `mu` and deviation `sigma` a unit of time, absorbed at a < 0 < b."""

    a: float
    b: float
    mu: float
    sigma: float

    def worse(self, time: float, y: float) -> float:
        """The probability of an outcome worse than being at `y` at `time`.

        That is: absorbed at `a` by then, or not absorbed and below `y`.
        """
        width = self.b - self.a
        spread = self.sigma**2
        if spread * time < _SMALL_TIME * width**2 or abs(self.mu * width) > _STEEP_DRIFT * spread:
            value = self._by_images(time, y)
        else:
            value = self._by_series(time, y)
        return min(1.0, max(0.0, value))

    def _by_series(self, time: float, y: float) -> float:
        """The eigenfunction expansion: exact, quick to converge once time has passed.

        With x the start and y the end, measured from `a`, and k = n pi / (b - a):
        P(a is hit first) + 2/(b-a) e^(g(y-x)) sum e^(-t l_n) sin(kx) (g sin ky - k cos ky)/(g^2+k^2)
        """
        width, spread = self.b - self.a, self.sigma**2
        x, y, g = -self.a, y - self.a, self.mu / spread
        total = 0.0
        for n in count(1):
            k = n * pi / width
            decay = exp(g * (y - x) - time * spread * (g * g + k * k) / 2)
            total += decay * sin(k * x) * (g * sin(k * y) - k * cos(k * y)) / (g * g + k * k)
            if decay / k < _PRECISION:
                break
        return self._lost_in_the_end(x, width, g) + 2 / width * total

    @staticmethod
    def _lost_in_the_end(x: float, width: float, g: float) -> float:
        if abs(g * width) < 1e-8:
            return (width - x) / width
        return (1 - exp(2 * g * (width - x))) / (1 - exp(2 * g * width))

    def _by_images(self, time: float, y: float) -> float:
        """One reflection in each bound: for little time or a steep drift, when no more matter."""
        deviation, g = self.sigma * sqrt(time), self.mu / self.sigma**2
        drifted = self.mu * time
        return (
            exp(log_normal_cdf((y - drifted) / deviation))
            + exp(2 * g * self.a + log_normal_cdf((2 * self.a - y + drifted) / deviation))
            - exp(2 * g * self.b + log_normal_cdf((y - drifted - 2 * self.b) / deviation))
        )


def log_normal_cdf(z: float) -> float:
    """The log of the normal distribution function, also far out on the left."""
    if z > -30:
        return log(erfc(-z / sqrt(2)) / 2)
    return -z * z / 2 - log(-z * sqrt(2 * pi)) + log(1 - 1 / (z * z))
