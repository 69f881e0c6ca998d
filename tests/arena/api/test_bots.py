"""Bots: listing, making, changing."""

from __future__ import annotations

import pytest

from arena.accounts.models import User
from arena.bots.models import Bot, BotVersion
from arena.bots.services import bot_suspend
from tests.arena.api.conftest import Client

URL = "/api/v1/bots/"


def test_anyone_may_list_bots_the_newest_first(anyone, arena):
    old, new = arena.version().bot, arena.bot()
    rows = anyone.get(URL).json()["results"]
    assert [row["slug"] for row in rows] == [new.slug, old.slug]
    assert [row["current_version"] for row in rows] == [None, 1]
    assert rows[0]["owner"] == "owner"


def test_a_bots_current_version_is_its_newest_that_is_ready(anyone, arena):
    bot = arena.version().bot
    newer = arena.version(bot)
    failed = arena.version(bot)
    BotVersion.objects.filter(pk=failed.pk).update(state="failed", failure="build", reason="no")
    assert anyone.get(f"{URL}{bot.slug}/").json()["current_version"] == newer.number


def test_bots_are_found_by_owner_and_part_of_their_name(anyone, arena, stranger):
    arena.bot("fast-fox")
    arena.bot("slow-snail")
    stranger.post(URL, {"slug": "other-fox"}, format="json")
    names = [row["slug"] for row in anyone.get(URL, {"search": "fox", "owner": "owner"}).json()["results"]]
    assert names == ["fast-fox"]


def test_an_owner_that_there_is_not_is_not_found(anyone, arena):
    assert anyone.get(URL, {"owner": "nobody"}).status_code == 404


def test_a_list_of_bots_takes_the_same_few_queries_however_long(anyone, arena, django_assert_max_num_queries):
    for _ in range(30):
        arena.version()
    with django_assert_max_num_queries(3):
        assert len(anyone.get(URL).json()["results"]) == 30


def test_pages_follow_one_another_without_gap_or_double(anyone, arena):
    made = [arena.bot().slug for _ in range(7)]
    page, seen = anyone.get(URL, {"limit": 3}).json(), []
    while True:
        seen += [row["slug"] for row in page["results"]]
        if page["next"] is None:
            break
        arena.bot()  # what is new while one reads changes nothing of what follows
        page = anyone.get(page["next"]).json()
    assert seen == made[::-1]


def test_one_makes_a_bot_and_it_is_ones_own(stranger):
    answer = stranger.post(URL, {"slug": "my-bot", "description": "It  tries."}, format="json")
    assert answer.status_code == 201
    body = answer.json()
    assert (body["slug"], body["owner"], body["description"]) == ("my-bot", "stranger", "It tries.")
    assert body["ratings"] == body["pauses"] == []


@pytest.mark.parametrize("slug", ["", "A", "-x-", "ab cd", "new", "x" * 41, "böt"])
def test_a_bad_name_is_refused_naming_the_field(stranger, slug):
    answer = stranger.post(URL, {"slug": slug}, format="json")
    assert answer.status_code == 400
    assert answer.json()["error"]["field"] == "slug"
    assert not Bot.objects.exists()


def test_a_taken_name_is_refused(stranger, arena):
    arena.bot("taken")
    assert "taken" in stranger.post(URL, {"slug": "taken"}, format="json").json()["error"]["message"]


def test_nobody_makes_a_bot_without_signing_in(anyone, db):
    assert anyone.post(URL, {"slug": "my-bot"}, format="json").status_code == 401


def test_the_owner_describes_retires_and_brings_back(owner, arena):
    url = f"{URL}{arena.bot().slug}/"
    assert owner.patch(url, {"description": "new"}, format="json").json()["description"] == "new"
    retired = owner.patch(url, {"is_retired": True}, format="json").json()
    assert (retired["is_retired"], retired["description"]) == (True, "new")
    assert owner.patch(url, {"is_retired": False}, format="json").json()["is_retired"] is False


def test_all_see_that_a_bot_is_suspended_and_its_owner_why(owner, anyone, stranger, arena):
    bot = arena.version().bot
    staff = User.objects.create_user("staff", is_staff=True)
    bot_suspend(bot=bot, by=staff, reason="It spins.")
    shown = {}
    for client in (owner, anyone, stranger, Client().bearer(staff)):
        body = client.get(f"{URL}{bot.slug}/").json()
        assert body["is_suspended"] is True
        shown[client] = body["suspension_reason"]
    assert list(shown.values()) == ["It spins.", None, None, "It spins."]
    assert owner.patch(f"{URL}{bot.slug}/", {"is_suspended": False}, format="json").json()["is_suspended"] is True


def test_nobody_else_changes_a_bot(stranger, arena):
    bot = arena.bot()
    answer = stranger.patch(f"{URL}{bot.slug}/", {"is_retired": True}, format="json")
    assert answer.status_code == 403
    assert answer.json()["error"]["code"] == "not_allowed"
    bot.refresh_from_db()
    assert not bot.is_retired


def test_what_may_not_be_changed_is_left_as_it_is(owner, arena):
    bot = arena.bot()
    owner.patch(f"{URL}{bot.slug}/", {"is_anchor": True, "slug": "other", "owner": "stranger"}, format="json")
    bot.refresh_from_db()
    assert (bot.is_anchor, bot.owner.username) == (False, "owner")


def test_a_bot_shows_where_it_stands(anyone, arena):
    ladder = arena.ladder()
    a, b = arena.version(), arena.version()
    arena.play(ladder, [a, b], 1)
    row = anyone.get(f"{URL}{a.bot.slug}/").json()["ratings"][0]
    assert (row["ladder"], row["version"], row["deals"], row["duraks"]) == (ladder.slug, 1, 2, 0)
    assert row["rating"] > 1500
    assert row["provisional"] is True


def test_a_bot_that_was_put_out_three_times_in_a_row_says_so(anyone, arena):
    ladder = arena.ladder()
    a, b = arena.version(), arena.version()
    for _ in range(3):
        arena.play(ladder, [a, b], 0, excluded={0})
    pause = anyone.get(f"{URL}{a.bot.slug}/").json()["pauses"][0]
    assert (pause["ladder"], pause["version"]) == (ladder.slug, 1)
    assert "new version" in pause["message"]
    arena.version(a.bot)
    assert anyone.get(f"{URL}{a.bot.slug}/").json()["pauses"] == []


def test_a_bot_that_there_is_not_is_not_found(anyone, db):
    error = anyone.get(f"{URL}nobody/").json()["error"]
    assert error["code"] == "not_found"
    assert "nobody" in error["message"]
