"""Ladders, their standings, official tables and histories."""

from __future__ import annotations

import pytest
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext

from arena.ladders.services import ladder_update

URL = "/api/v1/ladders/"


@pytest.fixture
def ladder(arena):
    ladder = arena.ladder(sets=4)
    versions = [arena.version(arena.bot(is_anchor=not n)) for n in range(4)]
    for seed in range(12):
        arena.play_random(ladder, [versions[seed % 4], versions[(seed + 1) % 4]], seed)
    return ladder


def test_ladders_are_listed_with_how_much_is_played(anyone, ladder, arena):
    ladder_update(ladder=arena.ladder("duel"), is_open=False)
    rows = anyone.get(URL).json()["results"]
    assert [(row["slug"], row["bots"], row["matches"], row["is_open"]) for row in rows] == [
        ("podkidnoy-2", 4, 12, True),
        ("duel-2", 0, 0, False),
    ]
    assert [row["slug"] for row in anyone.get(URL, {"open": "true"}).json()["results"]] == ["podkidnoy-2"]
    assert [row["slug"] for row in anyone.get(URL, {"open": "false"}).json()["results"]] == ["duel-2"]


def test_a_ladder_says_what_it_is_doing(anyone, ladder):
    body = anyone.get(f"{URL}{ladder.slug}/").json()
    assert body["status"] == {
        "able": 4,
        "paused": 0,
        "queued": 0,
        "running": 0,
        "finished": 12,
        "message": "4 bots play.",
    }


def test_a_ladder_with_too_few_bots_says_so(anyone, arena):
    ladder = arena.ladder(seats=4)
    arena.version()
    message = anyone.get(f"{URL}{ladder.slug}/").json()["status"]["message"]
    assert message == "No matches are played: this ladder needs 4 bots, and 1 is able to play."


def test_standings_go_from_the_top_with_intervals(anyone, ladder):
    rows = anyone.get(f"{URL}{ladder.slug}/standings/").json()["results"]
    ratings = [row["rating"] for row in rows]
    assert ratings == sorted(ratings, reverse=True)
    for row in rows:
        low, high = row["durak_interval"]
        assert low <= row["durak_rate"] <= high
        assert row["deals"] == 48
        assert row["provisional"] == (row["rd"] > 75)
        assert (row["rank"] is not None) == (row["rd"] <= 50)
    anchor = next(row for row in rows if row["is_anchor"])
    assert (anchor["rating"], anchor["rd"]) == (1500, 0)
    assert [row["rank"] for row in rows if row["rank"]] == list(
        range(1, 1 + sum(row["rank"] is not None for row in rows))
    )


def test_a_bot_that_has_yet_to_play_stands_where_it_will_start(anyone, ladder, arena):
    new = arena.version()
    rows = anyone.get(f"{URL}{ladder.slug}/standings/").json()["results"]
    row = next(row for row in rows if row["bot"] == new.bot.slug)
    assert (row["rating"], row["rd"]) == (1500, pytest.approx(150))
    assert (row["rank"], row["durak_rate"], row["durak_interval"]) == (None, None, None)


def test_standings_are_paged(anyone, ladder):
    whole = anyone.get(f"{URL}{ladder.slug}/standings/").json()["results"]
    page = anyone.get(f"{URL}{ladder.slug}/standings/", {"limit": 3}).json()
    assert page["results"] == whole[:3]
    assert anyone.get(page["next"]).json()["results"] == whole[3:]


def test_standings_take_the_same_few_queries_however_long(anyone, ladder, arena, django_assert_max_num_queries):
    for _ in range(20):
        arena.version()
    with django_assert_max_num_queries(5):
        assert len(anyone.get(f"{URL}{ladder.slug}/standings/").json()["results"]) == 24


@pytest.mark.parametrize("path", ["ladders/", "ladders/{slug}/", "ladders/{slug}/official/", "bots/{bot}/"])
def test_answers_take_the_same_few_queries_however_many_ladders_bots_and_matches_there_are(anyone, ladder, arena, path):
    def queries() -> int:
        cache.clear()
        with CaptureQueriesContext(connection) as captured:
            assert anyone.get(f"/api/v1/{path.format(slug=ladder.slug, bot=bot.slug)}").status_code == 200
        return len(captured)

    bot = ladder.ratings.exclude(bot__is_anchor=True).first().bot
    few = queries()
    assert few <= 12
    for preset in ("perevodnoy", "duel", "siberian"):
        another = arena.ladder(preset)
        for seed in range(3):
            versions = [bot.versions.get(), arena.version()]
            arena.play_random(another, versions, seed)
            arena.play_random(ladder, versions, seed)
    assert queries() == few


def test_the_anchor_has_the_same_deviation_everywhere(anyone, ladder):
    anchor = ladder.ratings.get(bot__is_anchor=True).bot
    rows = anyone.get(f"{URL}{ladder.slug}/standings/").json()["results"]
    rating = anyone.get(f"/api/v1/bots/{anchor.slug}/").json()["ratings"][0]
    assert [(row["rd"], row["provisional"]) for row in rows if row["is_anchor"]] == [(0, False)]
    assert (rating["rd"], rating["provisional"]) == (0, False)


def test_the_official_table_has_an_interval_around_each_rating(anyone, ladder):
    rows = anyone.get(f"{URL}{ladder.slug}/official/").json()["results"]
    assert [row["rank"] for row in rows] == [1, 2, 3, 4]
    for row in rows:
        assert row["interval"][0] <= row["rating"] <= row["interval"][1]
        assert row["deals"] == 48
    anchor = next(row for row in rows if row["is_anchor"])
    assert (anchor["rating"], anchor["error"]) == (1500, 0)


def test_the_official_table_of_an_unplayed_ladder_is_empty(anyone, arena):
    assert anyone.get(f"{URL}{arena.ladder().slug}/official/").json()["results"] == []


def test_a_history_has_the_rating_after_each_match_the_newest_first(anyone, ladder, arena):
    bot = ladder.ratings.exclude(bot__is_anchor=True).first().bot
    rows = anyone.get(f"{URL}{ladder.slug}/history/", {"bot": bot.slug}).json()["results"]
    assert len(rows) == 6
    assert rows[0]["rating"] == ladder.ratings.get(bot=bot).value
    assert [row["finished_at"] for row in rows] == sorted((row["finished_at"] for row in rows), reverse=True)


def test_a_history_repeats_and_leaves_out_nothing_when_matches_come_in_between(anyone, ladder, arena):
    row = ladder.ratings.exclude(bot__is_anchor=True).first()
    url, asked = f"{URL}{ladder.slug}/history/", {"bot": row.bot.slug}
    whole = [entry["match"] for entry in anyone.get(url, asked).json()["results"]]
    page, seen = anyone.get(url, asked | {"limit": 2}).json(), []
    while True:
        seen += [entry["match"] for entry in page["results"]]
        if page["next"] is None:
            break
        arena.play_random(ladder, [row.version, arena.version()], 1)
        page = anyone.get(page["next"]).json()
    assert seen == whole


def test_a_history_of_a_bot_that_has_not_played_is_empty(anyone, ladder, arena):
    answer = anyone.get(f"{URL}{ladder.slug}/history/", {"bot": arena.version().bot.slug})
    assert (answer.status_code, answer.json()["results"]) == (200, [])


def test_a_history_goes_on_over_versions(anyone, ladder, arena):
    row = ladder.ratings.exclude(bot__is_anchor=True).first()
    arena.play_random(ladder, [arena.version(row.bot), arena.version()], 5)
    rows = anyone.get(f"{URL}{ladder.slug}/history/", {"bot": row.bot.slug}).json()["results"]
    assert [entry["version"] for entry in rows] == [2, *[1] * 6]
    assert [entry["rating"] for entry in rows[:2]] == [
        ladder.ratings.get(bot=row.bot, is_current=True).value,
        row.value,
    ]


def test_a_history_needs_a_bot(anyone, ladder):
    answer = anyone.get(f"{URL}{ladder.slug}/history/")
    assert (answer.status_code, answer.json()["error"]["field"]) == (400, "bot")
    assert anyone.get(f"{URL}{ladder.slug}/history/", {"bot": "nobody"}).status_code == 404


@pytest.mark.parametrize("part", ["", "standings/", "official/", "history/?bot=x"])
def test_a_ladder_that_there_is_not_is_not_found(anyone, db, part):
    assert anyone.get(f"{URL}nowhere/{part}").json()["error"]["code"] == "not_found"
