"""Who plays next, as a pure choice and simulated over thousands of matches."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import combinations

import pytest

from arena.ladders.matchmaking import (
    NEW_DEALS,
    Candidate,
    horizon,
    may_play,
    not_crowded,
    pick_leader,
    pick_match,
    pools,
)

DEALS = 12
RECENT_PER_BOT = 10


def firm(number: int, value: float = 1500, **more) -> Candidate:
    """An established candidate: version and bot have the same number."""
    return Candidate(**{"version": number, "bot": number, "value": value, "rd": 30, "deals": 500, "matches": 40} | more)


def new(number: int, **more) -> Candidate:
    return Candidate(version=number, bot=number, value=1500, rd=150, **more)


class Simulation:
    """Plays a ladder one match at a time, as fast as matches are made."""

    def __init__(self, candidates: list[Candidate], seats: int) -> None:
        self.by_bot = {candidate.bot: candidate for candidate in candidates}
        self.seats = seats
        self.tables: list[list[int]] = []

    def play(self, matches: int, crashing: int | None = None) -> None:
        for _ in range(matches):
            able = not_crowded([c for c in self.by_bot.values() if c.faulty_streak < 3 and may_play(c)], self.seats)
            leader = pick_leader(able)
            mine = [table for table in reversed(self.tables) if leader.bot in table][: horizon(len(able))]
            age: dict[int, int] = {}
            for index, table in enumerate(mine):
                for other in table:
                    age.setdefault(other, index)
            table = pick_match(able, self.seats, leader, age)
            if not table:
                return
            self.tables.append(table)
            for bot in self.by_bot:
                last = self.tables[-RECENT_PER_BOT * len(able) :]
                self.by_bot[bot] = replace(self.by_bot[bot], recent=sum(bot in played for played in last))
            for bot in table:
                old = self.by_bot[bot]
                deals = old.deals + DEALS
                self.by_bot[bot] = replace(
                    old,
                    deals=deals,
                    matches=old.matches + 1,
                    rd=max(30, 150 - deals * 2),
                    last_match=len(self.tables),
                    faulty_streak=old.faulty_streak + 1 if bot == crashing else 0,
                )

    def appearances(self) -> Counter[int]:
        return Counter(bot for table in self.tables for bot in table)


def test_a_newcomer_leads_before_those_who_have_waited_longest():
    assert pick_leader([firm(1, last_match=1), new(2, last_match=9), firm(3)]).bot == 2


def test_of_two_newcomers_the_one_with_fewer_matches_leads():
    assert pick_leader([new(1, matches=2, deals=24), new(2, matches=1, deals=12, pending=0)]).bot == 2


def test_a_newcomer_with_two_matches_waiting_leaves_the_queue_to_the_others():
    crowd = [new(1, pending=2), firm(2), firm(3)]
    assert [c.bot for c in not_crowded(crowd, 2)] == [2, 3]
    assert [c.bot for c in not_crowded(crowd, 3)] == [1, 2, 3], "unless they are too few"


def test_without_newcomers_the_one_whose_newest_match_is_the_oldest_leads():
    assert pick_leader([firm(1, last_match=7), firm(2, last_match=4), firm(3, last_match=9)]).bot == 2


def test_a_new_version_of_a_firm_bot_is_no_newcomer_for_long():
    assert not new(1, deals=NEW_DEALS).is_new
    assert firm(1, rd=53, deals=3).is_new
    assert not firm(1, rd=49.9, deals=6).is_new


def test_opponents_near_in_rating_come_first_when_all_are_equally_due():
    table = [firm(1, 1500), firm(2, 1900), firm(3, 1520), firm(4, 1350)]
    assert pick_match(table, 3, table[0], {}) == [1, 3, 4]


def test_an_owners_second_bot_sits_only_where_no_other_owners_first_can():
    table = [firm(1, owner=1), firm(2, owner=1), firm(3, 1900, owner=2), firm(4, 1950, owner=2), firm(5, 2000, owner=3)]
    assert pick_match(table, 3, table[0], {}) == [1, 3, 5]
    assert pick_match(table, 4, table[0], {})[:3] == [1, 3, 5]
    assert pick_match(table[:2], 2, table[0], {}) == [1, 2]


def test_where_bots_of_one_owner_must_sit_together_the_owners_take_turns():
    table = [*(firm(n, owner=1) for n in range(5)), *(firm(n, 1900, owner=2) for n in range(5, 8))]
    chosen = pick_match(table, 6, table[0], {})
    assert sum(number < 5 for number in chosen) == 3


def test_house_bots_sit_together_like_bots_of_different_owners():
    table = [firm(1), firm(2), firm(3), firm(4, 1900, owner=1)]
    assert pick_match(table, 3, table[0], {}) == [1, 2, 3]


def test_newcomers_that_have_enough_matches_waiting_play_on_rather_than_that_one_owner_fills_a_table():
    crowd = [firm(1, owner=1), firm(2, owner=1), new(3, owner=2, pending=2)]
    assert not_crowded(crowd, 2) == crowd
    assert not_crowded([*crowd, firm(4, owner=3)], 2) == [crowd[0], crowd[1], firm(4, owner=3)]
    assert not_crowded([*crowd[:2], new(3, owner=1, pending=2)], 2) == crowd[:2], "all are of one owner anyway"


def test_who_can_sit_together_depends_on_what_one_host_can_run():
    crowd = [firm(1, language="python"), firm(2, language="rust"), firm(3, language="python")]
    assert pools(crowd, [{"python"}, {"rust"}], 2) == [[crowd[0], crowd[2]]]
    assert pools(crowd, [{"python", "rust"}], 3) == [crowd]
    assert pools(crowd, [], 2) == []


@pytest.mark.parametrize(("bots", "owners", "seats"), [(9, 3, 2), (12, 4, 4), (10, 9, 6)])
def test_no_two_bots_of_different_owners_starve_of_each_other(bots, owners, seats):
    ladder = Simulation([firm(n, 600 + 250 * n, owner=n % owners) for n in range(bots)], seats)
    ladder.play(3 * horizon(bots) * bots)
    met = {frozenset(pair) for table in ladder.tables for pair in combinations(table, 2)}
    wanted = {frozenset((a, b)) for a, b in combinations(range(bots), 2) if a % owners != b % owners}
    together = {pair for pair in met if len({bot % owners for bot in pair}) == 1}
    assert wanted <= met
    assert together == set()


def test_too_few_bots_make_no_match():
    assert pick_match([firm(1), firm(2), firm(3)], 4, firm(1), {}) == []


def test_as_many_bots_as_seats_make_a_match_of_all():
    table = [firm(n, 1500 + 300 * n) for n in range(4)]
    assert sorted(pick_match(table, 4, table[2], {})) == [0, 1, 2, 3]


@pytest.mark.parametrize(("bots", "seats"), [(4, 2), (10, 2), (4, 4), (5, 4), (12, 4), (9, 6)])
def test_every_bot_gets_the_same_share_of_matches(bots, seats):
    ladder = Simulation([firm(n, 1000 + 100 * n) for n in range(bots)], seats)
    ladder.play(400)
    shares = ladder.appearances().values()
    assert len(shares) == bots
    assert max(shares) <= 1.3 * min(shares)


@pytest.mark.parametrize(("bots", "seats"), [(3, 2), (8, 2), (15, 2), (8, 4), (7, 6)])
def test_no_pair_starves_however_far_apart(bots, seats):
    ladder = Simulation([firm(n, 600 + 250 * n) for n in range(bots)], seats)
    ladder.play(3 * horizon(bots) * bots)
    met = {frozenset(pair) for table in ladder.tables for pair in combinations(table, 2)}
    assert len(met) == bots * (bots - 1) // 2


def test_a_leader_meets_every_other_within_its_horizon():
    ladder = Simulation([firm(n, 500 + 300 * n) for n in range(9)], 2)
    ladder.play(2000)
    for bot, other in combinations(range(9), 2):
        gap = longest = 0
        for table in ladder.tables:
            if bot in table:
                gap = 0 if other in table else gap + 1
                longest = max(longest, gap)
        assert longest <= 2 * horizon(9)


def test_near_opponents_meet_more_often_than_distant_ones():
    ladder = Simulation([firm(n, 1000 + 150 * n) for n in range(10)], 2)
    ladder.play(2000)
    met = Counter(frozenset(table) for table in ladder.tables)
    near = sum(met[frozenset((n, n + 1))] for n in range(9)) / 9
    far = sum(met[frozenset((n, n + 6))] for n in range(4)) / 4
    assert near > 1.5 * far


def test_newcomers_are_rated_soon_and_then_share_alike():
    ladder = Simulation([*(firm(n, last_match=n) for n in range(8)), new(8), new(9)], 2)
    ladder.play(12)
    shares = ladder.appearances()
    assert shares[8] >= 4
    assert shares[9] >= 4
    ladder.tables.clear()
    ladder.play(500)
    shares = ladder.appearances()
    assert max(shares.values()) <= 1.5 * min(shares.values())


def test_a_bot_that_crashes_at_once_is_paused_and_never_takes_more_than_its_share():
    ladder = Simulation([*(firm(n) for n in range(9)), new(9)], 2)
    ladder.play(300, crashing=9)
    assert ladder.appearances()[9] == 3
    assert ladder.by_bot[9].faulty_streak == 3


def test_a_bot_whose_last_match_went_wrong_has_one_match_waiting_at_most():
    assert may_play(firm(1, faulty_streak=1))
    assert not may_play(firm(1, faulty_streak=1, pending=1))
    assert may_play(firm(1, pending=3))


def test_a_bot_that_always_loses_plays_no_more_than_the_others():
    """Its rating stays uncertain, which must not make it a newcomer for ever."""
    ladder = Simulation([*(firm(n) for n in range(9)), new(9)], 2)
    for _ in range(600):
        ladder.play(1)
        ladder.by_bot[9] = replace(ladder.by_bot[9], rd=140)
    shares = ladder.appearances()
    assert shares[9] <= 1.5 * (sum(shares.values()) / 10)
