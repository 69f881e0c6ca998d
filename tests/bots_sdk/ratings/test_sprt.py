"""The sequential test against its worked value, brute force and simulation."""

from __future__ import annotations

import random
from collections import Counter
from math import inf, isfinite, log, nan, sqrt

import pytest

from bots_sdk.ratings import lose_probabilities, set_score, sprt
from bots_sdk.ratings.brownian import Corridor, log_normal_cdf
from bots_sdk.ratings.sprt import PENTANOMIAL, tilt


def test_the_worked_pentanomial_holds() -> None:
    counts = dict(zip(PENTANOMIAL, (39, 2226, 31451, 2412, 40), strict=True))
    test = sprt(counts, elo0=0.2, elo1=0.9)
    assert test.llr == pytest.approx(2.16254, abs=5e-6)
    assert test.elo == pytest.approx(0.86518, abs=5e-6)
    assert test.interval == pytest.approx((0.1683, 1.5406), abs=5e-5)
    assert (test.lower, test.upper) == pytest.approx((-log(19), log(19)))
    assert test.verdict is None
    assert test.sets == 36168


def test_swapping_the_bots_turns_everything_around() -> None:
    counts = {0.0: 30, 0.25: 50, 0.5: 100, 0.75: 80, 1.0: 45}
    swapped = {1 - score: count for score, count in counts.items()}
    one, other = sprt(counts, elo0=-4, elo1=4), sprt(swapped, elo0=-4, elo1=4)
    assert one.llr == pytest.approx(-other.llr)
    assert one.elo == pytest.approx(-other.elo, abs=1e-6)
    assert one.interval[0] == pytest.approx(-other.interval[1], abs=1e-6)


def test_the_tilted_distribution_has_the_wanted_mean() -> None:
    counts = {0.0: 3.0, 0.25: 10.0, 0.5: 40.0, 0.75: 20.0, 1.0: 5.0}
    for mean in (0.05, 0.5, 0.61, 0.93):
        x = tilt(counts, mean)
        weights = {a: n / (1 + x * (a - mean)) for a, n in counts.items()}
        assert all(weight > 0 for weight in weights.values())
        total = sum(weights.values())
        assert total == pytest.approx(sum(counts.values()))
        assert sum(a * w for a, w in weights.items()) / total == pytest.approx(mean)


@pytest.mark.parametrize(("truth", "expected"), [(0.0, "B"), (40.0, "A")])
def test_the_error_rates_are_kept(truth: float, expected: str) -> None:
    chance = random.Random(7)
    p_a = lose_probabilities([truth, 0])[0]
    right = 0
    for _ in range(120):
        counts: Counter[float] = Counter()
        verdict = None
        while verdict is None:
            for _ in range(20):
                losses = sum(chance.random() < p_a for _ in range(2))
                counts[set_score(losses, 2 - losses, 2)] += 1
            verdict = sprt(counts, elo0=0, elo1=40).verdict
        right += verdict == expected
    assert right >= 108


def test_with_four_seats_only_the_losses_of_the_two_count() -> None:
    """A and B at a table with two others: their lead is found though half the deals are others'."""
    chance = random.Random(11)
    p = lose_probabilities([1560, 1500, 1500, 1500])
    counts: Counter[float] = Counter()
    shared = 0
    for _ in range(20_000):
        duraks = chance.choices(range(4), p, k=4)
        a, b = duraks.count(0), duraks.count(1)
        shared += a + b
        counts[set_score(a, b, 4)] += 1
    test = sprt(counts, elo0=57, elo1=63, shared=shared / 80_000)
    low, high = test.interval
    assert low < 60 < high
    assert high - low < 20
    assert sprt(counts, elo0=0, elo1=5, shared=shared / 80_000).verdict == "A"


def test_nothing_played_says_nothing() -> None:
    test = sprt({})
    assert (test.llr, test.sets, test.verdict) == (0, 0, None)
    assert test.interval == (-inf, inf)


@pytest.mark.parametrize("score", PENTANOMIAL)
def test_a_single_set_of_any_score_is_no_error_and_decides_nothing(score: float) -> None:
    assert sprt({score: 1}).verdict is None


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"elo0": 5.0, "elo1": 5.0}, "must be below"),
        ({"elo0": 0.0, "elo1": 1e-300}, "must be below .* by 0.01 at least"),
        *(({"elo1": elo}, f"elo1 is {elo}; it must lie between -2000 and 2000") for elo in (nan, inf, 2000.5)),
        *(({"elo0": elo}, f"elo0 is {elo}; it must lie between -2000 and 2000") for elo in (nan, -inf, -200_000.0)),
        ({"alpha": 1e-310}, "alpha is 1e-310"),
        ({"beta": nan}, "beta is nan"),
        ({"alpha": 0.6}, "alpha is 0.6"),
        ({"beta": 0.0}, "beta is 0.0"),
        ({"shared": 0.0}, "shared is 0.0"),
    ],
)
def test_options_that_make_no_test_are_refused(options: dict[str, float], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        sprt({0.5: 1}, **options)


@pytest.mark.parametrize("elos", [(-2000, 2000), (-2000, -1999.9), (1999.9, 2000), (0, 0.01)])
@pytest.mark.parametrize("rates", [(1e-9, 1e-9), (0.4999, 0.4999), (1e-9, 0.49)])
@pytest.mark.parametrize("scores", [{0.5: 1}, {0.0: 30}, {1.0: 1000}, {0.0: 1, 1.0: 1}, {0.75: 100_000}])
def test_the_outermost_terms_still_make_a_test(
    elos: tuple[float, float], rates: tuple[float, float], scores: dict[float, float]
) -> None:
    for shared in (1.0, 1e-3):
        test = sprt(scores, elo0=elos[0], elo1=elos[1], alpha=rates[0], beta=rates[1], shared=shared)
        assert isfinite(test.llr)
        assert test.interval[0] <= test.elo <= test.interval[1]


@pytest.mark.parametrize("mu", [-0.4, 0.0, 0.1, 0.9])
@pytest.mark.parametrize("time", [0.4, 2.0])
def test_the_corridor_agrees_with_a_simulated_walk(mu: float, time: float) -> None:
    chance = random.Random(13)
    steps, trials, y = 300, 3000, 0.3
    step, deviation = time / steps, sqrt(time / steps)
    worse = 0
    for _ in range(trials):
        x = 0.0
        for _ in range(steps):
            x += mu * step + deviation * chance.gauss(0, 1)
            if not -1 < x < 1.5:
                break
        worse += x <= -1 or (x < 1.5 and x < y)
    assert Corridor(-1, 1.5, mu, 1).worse(time, y) == pytest.approx(worse / trials, abs=0.045)


@pytest.mark.parametrize("mu", [-1.0, -0.2, 0.0, 0.3, 1.0])
def test_both_ways_of_computing_the_corridor_agree(mu: float) -> None:
    corridor = Corridor(-3, 3, mu, 1)
    for time in (0.3, 0.5):
        for y in (-1.0, 0.0, 0.7):
            assert corridor._by_series(time, y) == pytest.approx(corridor._by_images(time, y), abs=1e-6)


def test_the_normal_distribution_is_continued_far_to_the_left() -> None:
    assert log_normal_cdf(0) == pytest.approx(log(0.5))
    assert log_normal_cdf(-30.001) == pytest.approx(log_normal_cdf(-29.999), rel=1e-3)
    assert log_normal_cdf(-1000) == pytest.approx(-500_007.83, rel=1e-6)
