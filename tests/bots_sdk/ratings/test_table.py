"""The official table against closed forms, brute force and simulation."""

from __future__ import annotations

import random
from collections.abc import Hashable
from math import log10

import pytest

from bots_sdk.ratings import C, NoEstimate, RatedDeal, fit, lose_probabilities
from bots_sdk.ratings.matrix import Singular, cholesky, inverse, solve


def test_the_worked_fit_without_a_prior_holds() -> None:
    deals = [RatedDeal((0, 1, 2), (durak,), n) for n, durak in enumerate([0, 0, 0, 1, 1, 2])]
    table = fit(deals, prior_sd=None, centre=0)
    assert [round(table[player].rating, 2) for player in range(3)] == [-87.10, -16.66, 103.75]


def test_two_players_without_a_prior_are_at_the_log_odds_of_their_losses() -> None:
    deals = [RatedDeal(("a", "b"), (0 if n < 7 else 1,), n) for n in range(10)]
    table = fit(deals, prior_sd=None)
    assert table["b"].rating - table["a"].rating == pytest.approx(400 * log10(7 / 3))


def simulate(strengths: dict[Hashable, float], count: int, seats: int, chance: random.Random) -> list[RatedDeal]:
    names = list(strengths)
    deals = []
    for n in range(count):
        players = chance.sample(names, seats)
        p = lose_probabilities([strengths[player] for player in players])
        durak = chance.choices(range(seats), p)[0]
        deals.append(RatedDeal(tuple(players), (durak,), n))
    return deals


@pytest.mark.parametrize("seats", [2, 4, 6])
def test_the_fit_is_where_the_posterior_is_highest(seats: int) -> None:
    chance = random.Random(seats)
    strengths: dict[Hashable, float] = {f"bot{n}": 1400 + 40 * n for n in range(8)}
    deals = simulate(strengths, 400, seats, chance)
    table = fit(deals, anchor="bot3")
    for player in strengths:
        if player == "bot3":
            continue
        slope = -(table[player].rating - 1500) / 200**2
        for deal in deals:
            if player in deal.players:
                seat = deal.players.index(player)
                p = lose_probabilities([table[other].rating for other in deal.players])
                slope += C * (p[seat] - (seat in deal.duraks))
        assert slope == pytest.approx(0, abs=1e-7)


def test_the_anchor_stays_and_the_order_of_deals_does_not_matter() -> None:
    chance = random.Random(1)
    strengths: dict[Hashable, float] = {"house": 1500, "strong": 1700, "weak": 1300}
    deals = simulate(strengths, 600, 2, chance)
    table = fit(deals, anchor="house")
    assert (table["house"].rating, table["house"].error) == (1500, 0)
    chance.shuffle(deals)
    again = fit(deals, anchor="house")
    for player in strengths:
        assert again[player].rating == pytest.approx(table[player].rating, abs=1e-6)
        assert again[player].error == pytest.approx(table[player].error, rel=1e-6)


def test_intervals_hold_the_truth_as_often_as_they_say() -> None:
    strengths: dict[Hashable, float] = {"house": 1500, "a": 1560, "b": 1450}
    held = 0
    for trial in range(200):
        deals = simulate(strengths, 300, 3, random.Random(trial))
        low, high = fit(deals, anchor="house", prior_sd=2000)["a"].interval()
        held += low <= 1560 <= high
    assert 180 <= held <= 199


def test_deals_that_repeat_one_set_do_not_shrink_its_interval() -> None:
    """One cluster a set: a deck played twice with the same end tells no more than once."""
    chance = random.Random(5)
    once = simulate({"a": 1500, "b": 1550, "c": 1450}, 300, 3, chance)
    twice = [deal for deal in once for _ in range(2)]
    single = fit(once, anchor="a", prior_sd=5000)["b"].error
    assert fit(twice, anchor="a", prior_sd=5000)["b"].error == pytest.approx(single, rel=0.01)
    independent = [RatedDeal(deal.players, deal.duraks, n) for n, deal in enumerate(twice)]
    shrunk = fit(independent, anchor="a", prior_sd=5000)["b"].error
    assert shrunk == pytest.approx(single / 2**0.5, rel=0.01)


def test_teams_are_fitted_where_the_posterior_is_highest() -> None:
    chance = random.Random(9)
    names = ["a", "b", "c", "d", "e"]
    strengths = dict(zip(names, [1350, 1450, 1500, 1550, 1650], strict=True))
    deals = []
    for n in range(600):
        players = chance.sample(names, 4)
        p = lose_probabilities([strengths[player] for player in players])
        lost = 0 if chance.random() < p[0] + p[2] else 1
        deals.append(RatedDeal(tuple(players), (lost, lost + 2), n, (0, 1, 0, 1)))
    table = fit(deals, anchor="c")
    assert table["a"].rating < table["e"].rating
    for player in names:
        if player == "c":
            continue
        slope = -(table[player].rating - 1500) / 200**2
        for deal in deals:
            if player not in deal.players:
                continue
            seat = deal.players.index(player)
            p = lose_probabilities([table[other].rating for other in deal.players])
            slope += C * p[seat]
            if seat in deal.duraks:
                slope -= C * p[seat] / sum(p[mate] for mate in deal.duraks)
        assert slope == pytest.approx(0, abs=1e-6)


def test_a_player_who_never_lost_has_no_rating_without_a_prior() -> None:
    deals = [RatedDeal(("a", "b"), (0,), n) for n in range(5)]
    with pytest.raises(NoEstimate):
        fit(deals, prior_sd=None)
    assert fit(deals)["b"].rating > 1500


def test_players_who_never_met_have_no_common_rating_without_a_prior() -> None:
    deals = [
        RatedDeal(pair, (durak,), n)
        for n, (pair, durak) in enumerate([(("a", "b"), 0), (("a", "b"), 1), (("c", "d"), 0), (("c", "d"), 1)])
    ]
    with pytest.raises(NoEstimate, match="connect"):
        fit(deals, prior_sd=None)


def test_no_deals_make_an_empty_table() -> None:
    assert fit([]) == {}


def test_a_player_named_twice_in_a_deal_is_refused() -> None:
    with pytest.raises(ValueError, match="twice"):
        fit([RatedDeal(("a", "a"), (0,), 0)])


def test_the_linear_algebra_solves_and_inverts() -> None:
    chance = random.Random(3)
    size = 12
    half = [[chance.gauss(0, 1) for _ in range(size)] for _ in range(size)]
    a = [
        [sum(x * y for x, y in zip(p, q, strict=True)) + (i == j) for j, q in enumerate(half)]
        for i, p in enumerate(half)
    ]
    b = [chance.gauss(0, 1) for _ in range(size)]
    lower = cholesky(a)
    x = solve(lower, b)
    back = [sum(p * q for p, q in zip(row, x, strict=True)) for row in a]
    assert back == pytest.approx(b)
    identity = [sum(a[i][k] * inverse(lower)[k][j] for k in range(size)) for i, j in ((0, 0), (0, 1), (5, 5))]
    assert identity == pytest.approx([1, 0, 1])
    with pytest.raises(Singular):
        cholesky([[1.0, 1.0], [1.0, 1.0]])
