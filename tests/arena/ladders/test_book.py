"""The live rating on its own: worked values of RATINGS, and what versions inherit."""

from __future__ import annotations

import itertools
import random

import pytest

from arena.ladders.book import Book, DealResult, Entrant, MatchResult, Track
from bots_sdk.ratings import C, Standing

K16 = C / 16
"""Information at which K is 16."""


def book_of(*ratings: float, information: float = K16, anchors: tuple[int, ...] = ()) -> Book:
    """Versions 1, 2, ... with these ratings, each of its own bot."""
    return Book(
        {
            number: Track(
                Entrant(number, number, 1, number in anchors),
                Standing(rating, information, pinned=number in anchors),
            )
            for number, rating in enumerate(ratings, start=1)
        },
    )


def one_deal(book: Book, duraks: set[int], teams: tuple[int, ...] = (), order: tuple[int, ...] | None = None) -> list:
    seating = order or tuple(book.tracks)
    entrants = tuple(track.entrant for track in book.tracks.values())
    return book.apply(MatchResult(1, entrants, (DealResult(0, seating, frozenset(duraks), teams),)))


WORKED = [
    pytest.param((1600, 1500, 1400), {3}, (), (2.6934, 4.7895, -7.4829), id="third is durak"),
    pytest.param((1600, 1500, 1400), {1}, (), (-13.3066, 4.7895, 8.5171), id="first is durak"),
    pytest.param((1600, 1500, 1400), set(), (), (-2.6400, -0.5438, 3.1838), id="draw"),
    pytest.param(
        (1600, 1500, 1400, 1500),
        {1, 2},
        (0, 0, 1, 1),
        (-3.6861, -6.5549, 6.5549, 3.6861),
        id="first team loses",
    ),
]


@pytest.mark.parametrize(("ratings", "duraks", "teams", "changes"), WORKED)
def test_a_deal_moves_the_ratings_as_the_worked_values_say(ratings, duraks, teams, changes):
    book = book_of(*ratings)
    events = one_deal(book, duraks, teams)
    assert [event.after - event.before for event in events] == pytest.approx(changes, abs=5e-5)
    assert [event.k for event in events] == pytest.approx([16] * len(ratings))


def test_the_probabilities_in_the_ledger_are_those_before_the_deal():
    events = one_deal(book_of(1600, 1500, 1400), {3})
    assert [event.p for event in events] == pytest.approx([0.168334, 0.299346, 0.532320], abs=5e-7)
    assert [event.y for event in events] == [0, 0, 1]


@pytest.mark.parametrize("duraks", [{1}, {2, 4}, set()])
def test_ratings_with_equal_k_add_up_to_what_they_were(duraks):
    teams = (0, 1, 0, 1) if len(duraks) > 1 else ()
    book = book_of(1710, 1500, 1333, 1480)
    one_deal(book, duraks, teams)
    assert sum(track.value for track in book.tracks.values()) == pytest.approx(1710 + 1500 + 1333 + 1480)


@pytest.mark.parametrize("order", list(itertools.permutations((1, 2, 3, 4, 5))))
def test_equal_players_who_are_all_safe_stay_equal_whatever_their_order(order):
    book = book_of(*[1500.0] * 5)
    one_deal(book, {5}, order=order)
    safe = {book.tracks[version].value for version in (1, 2, 3, 4)}
    assert len(safe) == 1
    assert safe.pop() > 1500


def test_the_anchor_stays_at_1500_and_moves_the_others():
    book = book_of(1500, 1500, anchors=(1,))
    events = one_deal(book, {1})
    assert book.tracks[1].value == 1500
    assert events[0].k == 0
    assert book.tracks[2].value == 1508


def test_every_deal_starts_from_the_ratings_that_the_one_before_it_left():
    book = book_of(1500, 1500)
    entrants = tuple(track.entrant for track in book.tracks.values())
    deals = tuple(DealResult(index, (1, 2), frozenset({2})) for index in range(3))
    events = [event for event in book.apply(MatchResult(1, entrants, deals)) if event.version == 1]
    assert [event.before for event in events[1:]] == [event.after for event in events[:-1]]
    assert [event.p for event in events] == sorted((event.p for event in events), reverse=True)


def test_a_newcomer_starts_at_1500_with_rd_150_and_k_falls_as_information_grows():
    book = Book()
    entrants = (Entrant(1, 1, 1), Entrant(2, 2, 1))
    deals = tuple(DealResult(index, (1, 2), frozenset({index % 2 + 1})) for index in range(400))
    events = [event for event in book.apply(MatchResult(1, entrants, deals)) if event.version == 1]
    assert (events[0].before, events[0].k) == (1500, pytest.approx(C * 150**2))
    ks = [event.k for event in events]
    assert ks == sorted(ks, reverse=True)
    assert ks[-1] == 4
    assert book.tracks[1].standing.ranked


def test_a_new_version_inherits_the_rating_and_is_less_certain():
    book = book_of(1640.5, 1500, information=1 / 30**2)
    entrants = (Entrant(9, 1, 2), Entrant(2, 2, 1))
    events = book.apply(MatchResult(1, entrants, (DealResult(0, (9, 2), frozenset({2})),)))
    assert events[0].before == 1640.5
    assert events[0].k == pytest.approx(C * 53**2)
    assert book.tracks[1].value == 1640.5, "the old version keeps its rating"
    assert book.current(1) is book.tracks[9]


def test_a_late_match_of_an_old_version_does_not_take_the_place_of_the_new_one():
    book = book_of(1600, 1500)
    new, old, other = Entrant(9, 1, 2), Entrant(1, 1, 1), Entrant(2, 2, 1)
    book.apply(MatchResult(1, (new, other), (DealResult(0, (9, 2), frozenset({9})),)))
    book.apply(MatchResult(2, (old, other), (DealResult(0, (1, 2), frozenset({2})),)))
    assert book.current(1).entrant == new
    assert book.tracks[1].value > 1600


def test_faults_in_a_row_are_counted_and_a_clean_match_ends_the_row():
    book = book_of(1500, 1500)
    entrants = tuple(track.entrant for track in book.tracks.values())
    for out in ({1}, {1}, {1, 2}):
        book.apply(MatchResult(1, entrants, (DealResult(0, (1, 2), frozenset({1})),), frozenset(out)))
    assert [book.tracks[v].faulty_streak for v in (1, 2)] == [3, 1]
    book.apply(MatchResult(2, entrants, (DealResult(0, (1, 2), frozenset({1})),)))
    assert [book.tracks[v].faulty_streak for v in (1, 2)] == [0, 0]


def test_deals_duraks_and_draws_are_counted_for_each_seat():
    book = book_of(1500, 1500, 1500)
    for duraks in ({1}, set(), {1}, {3}):
        one_deal(book, duraks)
    counted = [(t.matches, t.deals, t.duraks, t.draws) for t in book.tracks.values()]
    assert counted == [(4, 4, 2, 1), (4, 4, 0, 1), (4, 4, 1, 1)]


def test_a_rating_finds_a_bots_true_strength_at_four_seats():
    random.seed(5)
    book = Book()
    strengths = [1650, 1550, 1450, 1350]
    entrants = tuple(Entrant(v, v, 1) for v in range(4))
    weights = [10 ** (-strength / 400) for strength in strengths]
    deals = []
    for index in range(3000):
        seating = tuple(random.sample(range(4), 4))
        deals.append(DealResult(index, seating, frozenset(random.choices(range(4), weights))))
    book.apply(MatchResult(1, entrants, tuple(deals)))
    assert [book.tracks[v].value for v in range(4)] == pytest.approx(strengths, abs=40)
