"""The numbers behind the drawings."""

from datetime import UTC, datetime, timedelta

import pytest

from arena.web.charts import BOTTOM, HEIGHT, MAX_POINTS, TOP, history_chart, interval_chart

START = datetime(2026, 1, 1, tzinfo=UTC)


def points(*values: float) -> list[tuple[datetime, float]]:
    return [(START + timedelta(hours=n), value) for n, value in enumerate(values)]


def drawn(values: list[float]) -> list[tuple[float, float]]:
    return [tuple(map(float, pair.split(","))) for pair in history_chart(points(*values)).line.split(" ")]


def test_one_match_makes_no_line() -> None:
    assert history_chart(points(1500)) is None


def test_a_higher_rating_is_drawn_higher_and_later_is_further_right() -> None:
    line = drawn([1500, 1550, 1520])
    assert line[1][1] < line[2][1] < line[0][1]
    assert line[0][0] < line[1][0] < line[2][0]


@pytest.mark.parametrize("values", [[1500, 1500], [0, 4000], [1499.9, 1500.1], [-300, 12.5, 1e4]])
def test_every_point_and_grid_line_lies_in_the_box(values: list[float]) -> None:
    chart = history_chart(points(*values))
    assert all(TOP <= y <= HEIGHT - BOTTOM for _, y in drawn(values))
    assert all(TOP <= y <= HEIGHT - BOTTOM for y, _ in chart.grid)
    assert 3 <= len(chart.grid) <= 7


def test_a_long_history_is_thinned_and_keeps_its_end() -> None:
    values = [float(n) for n in range(5000)]
    line = drawn(values)
    assert len(line) <= MAX_POINTS + 1
    assert line[-1][1] == min(y for _, y in line)


def test_an_interval_is_placed_around_the_fair_share() -> None:
    chart = interval_chart(0.25, 0.2, 0.3, seats=4)
    assert chart.fair == chart.rate == 50
    assert chart.low == 40
    assert chart.high == 60


def test_an_interval_beyond_the_axis_is_cut() -> None:
    assert interval_chart(0.9, 0.6, 1.0, seats=6).high == 100
