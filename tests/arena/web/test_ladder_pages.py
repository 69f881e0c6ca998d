"""The front page and the ladders."""

from datetime import timedelta

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from arena.bots.models import Bot, BotVersion, Host
from arena.ladders.models import Ladder, Rating
from arena.ladders.selectors import rating_histories, standings
from arena.ladders.services import ladder_create, ladder_update
from arena.web.selectors import changes_lately, head_to_head
from tests.arena.web.factories import bots, ladder_match, played_match

pytestmark = pytest.mark.django_db


@pytest.fixture
def ladder() -> Ladder:
    ladder = ladder_create(preset="podkidnoy", seats=2, name="Duels")
    pair = bots("fox", "owl")
    Bot.objects.filter(slug="owl").update(is_anchor=True)
    for chance in range(3):
        ladder_match(ladder, pair, chance=chance)
    return ladder


def test_standings_show_rating_deviation_deals_and_interval(client: Client, ladder: Ladder) -> None:
    answer = client.get(f"/ladders/{ladder.slug}/")
    page = answer.content.decode()
    [(first, _), (second, _)] = answer.context["rows"]
    assert first.rating >= second.rating
    for row in (first, second):
        assert f"{row.rating:.0f}" in page
        assert f"{row.durak_interval[0] * 100:.1f}% \u2013 {row.durak_interval[1] * 100:.1f}%" in page
    fox = next(row for row, _ in answer.context["rows"] if row.bot.slug == "fox")
    assert f"±{fox.rd:.0f}" in page


def test_a_provisional_rating_has_a_question_mark(client: Client, ladder: Ladder) -> None:
    Rating.objects.filter(bot__slug="fox").update(information=100**-2)
    assert "Provisional" in client.get(f"/ladders/{ladder.slug}/").content.decode()
    Rating.objects.filter(bot__slug="fox").update(information=40**-2)
    assert "Provisional" not in client.get(f"/ladders/{ladder.slug}/").content.decode()


def test_a_paused_bot_says_why(client: Client, ladder: Ladder, settings) -> None:
    Rating.objects.filter(bot__slug="fox").update(faulty_streak=settings.LADDER_FAULTY_LIMIT)
    page = client.get(f"/ladders/{ladder.slug}/").content.decode()
    assert "paused" in page
    assert "uploads a new version" in page
    assert "uploads a new version" in client.get("/bots/fox/").content.decode()


def test_the_ladder_renews_itself_and_marks_what_just_moved(client: Client, ladder: Ladder) -> None:
    page = client.get(f"/ladders/{ladder.slug}/").content.decode()
    assert 'hx-trigger="every 4s"' in page
    assert 'id="bot-fox" class="fresh' in page


def test_lately_is_the_sum_of_the_rating_changes(ladder: Ladder) -> None:
    rating = Rating.objects.select_related("version").get(bot__slug="fox")
    assert changes_lately(ladder)[rating.version_id] == pytest.approx(rating.value - 1500)
    assert {line.version.pk: line.moved_at for line in standings(ladder)}[rating.version_id] == rating.updated_at


def test_the_official_table_has_intervals_and_the_anchor(client: Client, ladder: Ladder) -> None:
    answer = client.get(f"/ladders/{ladder.slug}/official/")
    fox = next(row for row in answer.context["table"] if row.version.bot.slug == "fox")
    page = answer.content.decode()
    assert f"{fox.interval[0]:.0f} \u2013 {fox.interval[1]:.0f}" in page
    assert "anchor" in page


def test_an_empty_ladder_says_who_may_join(client: Client) -> None:
    ladder = ladder_create(preset="podkidnoy", seats=4, name="Four")
    page = client.get(f"/ladders/{ladder.slug}/").content.decode()
    assert "joins by itself" in page
    assert client.get(f"/ladders/{ladder.slug}/official/").status_code == 200


def queries(client: Client, path: str) -> int:
    """How many a page takes that was not asked for lately."""
    cache.clear()
    with CaptureQueriesContext(connection) as captured:
        assert client.get(path).status_code == 200
    return len(captured)


@pytest.mark.parametrize(
    ("path", "most"),
    [("/", 8), ("/ladders/", 4), ("/ladders/{slug}/", 12), ("/ladders/{slug}/official/", 6), ("/bots/fox/", 17)],
)
def test_pages_take_the_same_few_queries_however_many_ladders_bots_and_matches_there_are(
    client: Client, ladder: Ladder, path: str, most: int
) -> None:
    path = path.format(slug=ladder.slug)
    few = queries(client, path)
    assert few <= most
    fox = BotVersion.objects.get(bot__slug="fox")
    for preset in ("perevodnoy", "duel", "siberian", "mini"):
        another = ladder_create(preset=preset, seats=2)
        for version in bots(*(f"{preset}-{number}" for number in range(3))):
            ladder_match(another, [fox, version])
            ladder_match(ladder, [fox, version])
    assert queries(client, path) == few


def test_what_moved_lately_is_summed_up_once_for_each_match(client: Client, ladder: Ladder) -> None:
    path = f"/ladders/{ladder.slug}/"
    first = queries(client, path)
    with CaptureQueriesContext(connection) as captured:
        client.get(path)
    assert len(captured) == first - 2
    before = client.get(path).context["rows"]
    ladder_match(ladder, [line.version for line, _ in before], chance=9)
    assert [change for _, change in client.get(path).context["rows"]] != [change for _, change in before]


def test_the_front_page_renews_its_parts_with_one_request(client: Client, ladder: Ladder) -> None:
    page = client.get("/").content.decode()
    assert page.count("hx-get") == 1
    assert 'hx-select-oob="#latest-rows"' in page


def test_the_front_page_shows_open_ladders_the_busiest_first(client: Client) -> None:
    made = [ladder_create(preset=preset, seats=2) for preset in ("duel", "siberian", "mini", "podkidnoy", "perevodnoy")]
    ladder_update(ladder=made[0], is_open=False)
    now = timezone.now()
    for ladder, played, hours in zip(made, (99, 50, 5, 7, 0), (1, 25, 1, 2, None), strict=True):
        finished = None if hours is None else now - timedelta(hours=hours)
        Ladder.objects.filter(pk=ladder.pk).update(played=played, last_finished_at=finished)
    shown = [ladder.preset for ladder, _ in client.get("/").context["ladders"]]
    assert shown == ["podkidnoy", "mini", "siberian", "perevodnoy"]


def test_the_front_page_says_if_no_ladder_is_open(client: Client, ladder: Ladder) -> None:
    assert "No ladder is open" not in client.get("/").content.decode()
    ladder_update(ladder=ladder, is_open=False)
    assert "No ladder is open" in client.get("/").content.decode()


@pytest.mark.parametrize("path", ["", "official/"])
def test_long_tables_have_pages(client: Client, ladder: Ladder, monkeypatch, path: str) -> None:
    monkeypatch.setattr("arena.web.views.ladders.LINES", 1)
    first = client.get(f"/ladders/{ladder.slug}/{path}")
    second = client.get(f"/ladders/{ladder.slug}/{path}?page=2")
    shown = [list(answer.context["page"].object_list) for answer in (first, second)]
    assert [len(rows) for rows in shown] == [1, 1]
    assert shown[0] != shown[1]
    assert 'href="?page=2"' in first.content.decode()
    assert 'href="?page=1"' in second.content.decode()
    assert client.get(f"/ladders/{ladder.slug}/{path}?page=nonsense").status_code == 200
    if not path:
        assert f'hx-get="/ladders/{ladder.slug}/?page=2"' in second.content.decode(), "it renews the page that is shown"


def test_the_list_of_ladders_has_pages_the_open_ones_first(client: Client, ladder: Ladder, monkeypatch) -> None:
    monkeypatch.setattr("arena.web.views.ladders.LINES", 1)
    ladder_update(ladder=ladder, is_open=False)
    another = ladder_create(preset="duel", seats=2)
    assert [each for each, _ in client.get("/ladders/").context["ladders"]] == [another]
    [(second, leader)] = client.get("/ladders/?page=2").context["ladders"]
    assert (second, second.bots) == (ladder, 2)
    assert leader == Rating.objects.order_by("-value").first()


def test_the_front_page_shows_leaders_latest_matches_and_how_to_start(client: Client, ladder: Ladder) -> None:
    page = client.get("/").content.decode()
    for words in ("Duels", "fox", "Latest matches", "durak new mybot", "durak submit mybot"):
        assert words in page


def test_the_front_page_stands_before_anything_has_happened(client: Client) -> None:
    assert "No ladder is open" in client.get("/").content.decode()


def test_meetings_count_deals_and_duraks_of_both_in_ladder_matches(ladder: Ladder) -> None:
    fox, owl = (BotVersion.objects.get(bot__slug=slug) for slug in ("fox", "owl"))
    [hare] = bots("hare")
    match = ladder_match(ladder_create(preset="perevodnoy", seats=3), [fox, owl, hare])
    by_slug = {meeting.opponent.slug: meeting for meeting in head_to_head(fox.bot)}
    totals = {p.version.bot.slug: p for p in match.participants.select_related("version__bot")}
    assert (by_slug["hare"].deals, by_slug["owl"].deals) == (match.deals_total, 3 * 2 + match.deals_total)
    assert by_slug["hare"].duraks == totals["fox"].duraks
    assert by_slug["hare"].opponent_duraks == totals["hare"].duraks
    mirrored = {meeting.opponent.slug: meeting for meeting in head_to_head(owl.bot)}["fox"]
    assert (mirrored.duraks, mirrored.opponent_duraks) == (by_slug["owl"].opponent_duraks, by_slug["owl"].duraks)


def test_meetings_leave_out_challenges_also_those_in_which_a_bot_sits_twice(client: Client, ladder: Ladder) -> None:
    fox, owl = (BotVersion.objects.get(bot__slug=slug) for slug in ("fox", "owl"))
    before = head_to_head(fox.bot)
    played_match([fox, owl, owl])
    played_match([fox, fox, owl])
    assert head_to_head(fox.bot) == before
    assert "ladder matches, and who of the two" in client.get("/bots/fox/").content.decode()


def test_meetings_are_those_of_the_last_matches(ladder: Ladder, monkeypatch) -> None:
    monkeypatch.setattr("arena.web.selectors.MEETINGS_MATCHES", 2)
    fox = BotVersion.objects.get(bot__slug="fox")
    [hare] = bots("hare")
    ladder_match(ladder, [fox, hare])
    assert {meeting.opponent.slug: meeting.deals for meeting in head_to_head(fox.bot)} == {"hare": 2, "owl": 2}


def test_histories_are_those_of_the_last_matches_on_each_ladder(ladder: Ladder) -> None:
    fox, owl = (BotVersion.objects.get(bot__slug=slug) for slug in ("fox", "owl"))
    another = ladder_create(preset="perevodnoy", seats=2)
    ladder_match(another, [owl, fox])
    last = ladder_match(ladder, [owl, fox], chance=7)
    found = rating_histories(fox.bot, [ladder, another], 2)
    assert [len(found[each.pk]) for each in (ladder, another)] == [2, 1]
    assert found[ladder.pk][-1] == (last.finished_at, Rating.objects.get(ladder=ladder, bot=fox.bot).value)
    assert found[ladder.pk] == sorted(found[ladder.pk])
    assert rating_histories(fox.bot, [], 2) == {}


def test_a_bot_that_waits_for_a_worker_says_so_in_few_words_and_the_ladder_in_more(client, ladder: Ladder) -> None:
    Host.objects.update(languages=["rust"])
    page = client.get(f"/ladders/{ladder.slug}/").content.decode()
    assert page.count("waits for a worker") == 2
    assert "2 more paused; there is no worker that can run python." in page


def test_a_pause_on_many_ladders_is_said_once_on_the_bots_page(client: Client, ladder: Ladder) -> None:
    ladder_create(preset="perevodnoy", seats=2, name="Another")
    Host.objects.update(languages=["rust"])
    page = client.get("/bots/fox/").content.decode()
    assert page.count("No worker that can run python is there now") == 1
    assert "Another</a>" in page
