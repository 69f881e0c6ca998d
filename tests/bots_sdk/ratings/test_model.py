"""The worked values of docs/ratings.md, and what must hold for any ratings."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bots_sdk.ratings import Standing, information, lose_probabilities, rate_deal, wilson
from bots_sdk.ratings.live import NEW_VERSION_RD
from bots_sdk.ratings.model import C, durak_shares, elo_of_score, expected_score

ratings_lists = st.lists(st.floats(0, 3000), min_size=2, max_size=6)


def changes_at_16(ratings: list[float], duraks: list[int], teams: list[int]) -> list[float]:
    probabilities = lose_probabilities(ratings)
    shares = durak_shares(len(ratings), duraks, ratings, teams)
    return [16 * (p - y) for p, y in zip(probabilities, shares, strict=True)]


@pytest.mark.parametrize(
    ("ratings", "duraks", "teams", "changes"),
    [
        ([1600, 1500, 1400], [2], [], [2.6934, 4.7895, -7.4829]),
        ([1600, 1500, 1400], [0], [], [-13.3066, 4.7895, 8.5171]),
        ([1600, 1500, 1400], [], [], [-2.6400, -0.5438, 3.1838]),
        ([1600, 1500, 1400, 1500], [0, 1], [0, 0, 1, 1], [-3.6861, -6.5549, 6.5549, 3.6861]),
    ],
)
def test_the_worked_values_hold(
    ratings: list[float], duraks: list[int], teams: list[int], changes: list[float]
) -> None:
    assert changes_at_16(ratings, duraks, teams) == pytest.approx(changes, abs=5e-5)


def test_the_worked_probabilities_hold() -> None:
    assert lose_probabilities([1600, 1500, 1400]) == pytest.approx([0.168334, 0.299346, 0.532320], abs=5e-7)


def test_two_players_are_rated_exactly_as_by_elo() -> None:
    weaker_loses = lose_probabilities([1613, 1380])[1]
    assert weaker_loses == pytest.approx(1 / (1 + 10 ** (-(1613 - 1380) / 400)))
    assert weaker_loses == pytest.approx(expected_score(1613 - 1380))


@given(ratings_lists)
def test_probabilities_add_up_to_one_and_the_weaker_is_likelier_to_lose(
    ratings: list[float],
) -> None:
    probabilities = lose_probabilities(ratings)
    assert sum(probabilities) == pytest.approx(1)
    ordered = [p for _, p in sorted(zip(ratings, probabilities, strict=True))]
    assert all(a >= b for a, b in pairwise(ordered))


@given(ratings_lists, st.data())
def test_a_deal_is_zero_sum_when_all_are_equally_certain(ratings: list[float], data: st.DataObject) -> None:
    standings = [Standing(rating) for rating in ratings]
    durak = data.draw(st.none() | st.integers(0, len(ratings) - 1))
    changes = rate_deal(standings, [] if durak is None else [durak])
    assert sum(change.delta for change in changes) == pytest.approx(0, abs=1e-6)


@given(st.lists(st.floats(500, 2500), min_size=4, max_size=4), st.sampled_from([[0, 2], [1, 3], []]))
def test_teams_are_zero_sum_and_partners_move_together(ratings: list[float], duraks: list[int]) -> None:
    changes = changes_at_16(ratings, duraks, [0, 1, 0, 1])
    assert sum(changes) == pytest.approx(0, abs=1e-9)
    if duraks:
        assert all(changes[seat] <= 0 for seat in duraks)
        assert all(changes[seat] >= 0 for seat in range(4) if seat not in duraks)


def test_equal_players_who_were_all_safe_get_equal_ratings() -> None:
    """Case 17: four equal players, safe in one deal, got different ratings by their order."""
    changes = rate_deal([Standing()] * 5, [2])
    safe = {change.after.rating for seat, change in enumerate(changes) if seat != 2}
    assert len(safe) == 1
    assert safe.pop() > 1500


@given(ratings_lists)
def test_a_deal_tells_of_a_rating_what_its_change_varies(ratings: list[float]) -> None:
    """The information is c^2 times the variance of p - y, with and without teams."""
    p = lose_probabilities(ratings)
    assert information(ratings) == pytest.approx([C * C * x * (1 - x) for x in p])
    if len(ratings) != 4:
        return
    teams = [0, 1, 0, 1]
    lost = [p[0] + p[2], p[1] + p[3]]
    for seat, told in enumerate(information(ratings, teams)):
        moves = [p[seat] - durak_shares(4, [team], ratings, teams)[seat] for team in (0, 1)]
        variance = sum(chance * move * move for chance, move in zip(lost, moves, strict=True))
        assert told == pytest.approx(C * C * variance, abs=1e-15)


def test_two_duraks_who_are_no_team_share_the_loss() -> None:
    assert durak_shares(4, [1, 3]) == [0, 0.5, 0, 0.5]


def test_a_durak_who_does_not_sit_there_is_refused() -> None:
    with pytest.raises(ValueError, match="durak 4 is none of the 4 seats"):
        durak_shares(4, [4])
    with pytest.raises(ValueError, match="different teams"):
        durak_shares(4, [0, 1], [1500] * 4, [0, 1, 0, 1])


def test_a_new_bot_is_provisional_and_is_ranked_once_enough_is_known() -> None:
    standing = Standing()
    assert standing.rd == pytest.approx(150)
    assert standing.k == pytest.approx(C * 150**2)
    other = Standing(1500, 1.0, pinned=True)
    seen_unprovisional = None
    for deal in range(1, 1000):
        change = rate_deal([standing, other], [deal % 2])[0]
        assert change.after.rd < standing.rd
        standing = change.after
        if not standing.provisional and seen_unprovisional is None:
            seen_unprovisional = deal
            assert not standing.ranked
        if standing.ranked:
            break
    assert seen_unprovisional is not None
    assert standing.rd <= 50
    assert 4 < standing.k < 15


def test_k_never_falls_below_four() -> None:
    assert Standing(1500, 1e9).k == 4


def test_the_house_bot_stays_where_it_is_pinned() -> None:
    changes = rate_deal([Standing(1500, pinned=True), Standing(1500)], [0])
    assert changes[0].after.rating == 1500
    assert changes[1].after.rating > 1500


def test_a_new_version_keeps_the_rating_and_loses_certainty() -> None:
    old = Standing(1720, 1 / 20**2)
    new = old.for_new_version()
    assert new.rating == 1720
    assert new.rd == pytest.approx(NEW_VERSION_RD)
    fresh = Standing(1510)
    assert fresh.for_new_version() == fresh


@given(st.floats(-1500, 1500))
def test_an_elo_difference_is_the_inverse_of_its_score(elo: float) -> None:
    assert elo_of_score(expected_score(elo)) == pytest.approx(elo, abs=1e-6)


@pytest.mark.parametrize(
    ("count", "total", "low", "high"),
    [
        # Published in Newcombe 1998 (Statistics in Medicine 17), method 3.
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
        (29, 29, 0.8830, 1.0),
    ],
)
def test_wilsons_interval_agrees_with_published_values(count: int, total: int, low: float, high: float) -> None:
    assert wilson(count, total) == pytest.approx((low, high), abs=5e-5)


def test_wilsons_interval_of_nothing_is_everything_and_nonsense_is_refused() -> None:
    assert wilson(0, 0) == (0, 1)
    with pytest.raises(ValueError, match="3 of 2"):
        wilson(3, 2)
