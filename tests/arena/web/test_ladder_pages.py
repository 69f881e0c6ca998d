"""The front page and the ladders."""

import pytest
from django.test import Client

from arena.bots.models import Bot
from arena.ladders.models import Ladder, Rating
from arena.ladders.services import ladder_create
from arena.web.selectors import head_to_head, movements
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
    moved = movements(ladder)[rating.version_id]
    assert moved.change == pytest.approx(rating.value - 1500)
    assert moved.moved_at == rating.updated_at


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


def test_ladder_pages_cost_few_queries(client: Client, ladder: Ladder, django_assert_max_num_queries) -> None:
    for path, most in ((f"/ladders/{ladder.slug}/", 14), ("/ladders/", 8), ("/", 10)):
        with django_assert_max_num_queries(most):
            client.get(path)


def test_the_front_page_shows_leaders_latest_matches_and_how_to_start(client: Client, ladder: Ladder) -> None:
    page = client.get("/").content.decode()
    for words in ("Duels", "fox", "Latest matches", "durak new mybot", "durak submit mybot"):
        assert words in page


def test_the_front_page_stands_before_anything_has_happened(client: Client) -> None:
    assert "No ladder is open yet" in client.get("/").content.decode()


def test_meetings_count_deals_and_duraks_of_both(ladder: Ladder) -> None:
    fox, owl = Bot.objects.get(slug="fox"), Bot.objects.get(slug="owl")
    three = [bot.versions.get() for bot in (fox, owl)] + bots("hare")
    match = played_match(three)
    by_slug = {meeting.opponent.slug: meeting for meeting in head_to_head(fox)}
    totals = {p.version.bot.slug: p for p in match.participants.select_related("version__bot")}
    assert by_slug["hare"].deals == match.deals_total
    assert by_slug["hare"].duraks == totals["fox"].duraks
    assert by_slug["hare"].opponent_duraks == totals["hare"].duraks
    assert by_slug["owl"].deals == 3 * 2 + match.deals_total
    mirrored = {meeting.opponent.slug: meeting for meeting in head_to_head(owl)}["fox"]
    assert (mirrored.duraks, mirrored.opponent_duraks) == (by_slug["owl"].opponent_duraks, by_slug["owl"].duraks)
