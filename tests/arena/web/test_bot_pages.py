"""Bots, versions and uploads."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from arena.accounts.models import User
from arena.bots.models import Bot, BotVersion
from arena.bots.services import bot_suspend
from arena.ladders.services import ladder_create
from tests.arena.factories import bot_make, bot_zip, host_make, version_make
from tests.arena.web.factories import bots, ladder_match, person

pytestmark = pytest.mark.django_db


def archive(**more) -> SimpleUploadedFile:
    return SimpleUploadedFile("bot.zip", bot_zip(**more), "application/zip")


def test_a_new_bot_with_its_first_version_is_made_in_one_form(ann_client: Client, ann: User) -> None:
    host_make()
    answer = ann_client.post("/bots/new/", {"slug": "fox", "description": "sly", "archive": archive(name="fox")})
    assert answer.status_code == 302
    assert answer["Location"] == "/bots/fox/versions/1/"
    assert Bot.objects.get(slug="fox").owner == ann
    assert BotVersion.objects.get(bot__slug="fox").state == "uploaded"


def test_a_bot_without_an_archive_leads_to_the_upload(ann_client: Client) -> None:
    answer = ann_client.post("/bots/new/", {"slug": "fox"})
    assert answer["Location"] == "/bots/fox/upload/"


def test_a_name_that_is_taken_is_refused_at_its_field(ann_client: Client) -> None:
    bot_make("fox")
    answer = ann_client.post("/bots/new/", {"slug": "fox"})
    assert answer.status_code == 400
    assert "exists already" in answer.context["form"].errors["slug"][0]
    assert 'aria-invalid="true"' in answer.content.decode()


def test_a_broken_archive_is_refused_with_what_is_wrong_and_the_bot_stays(ann_client: Client, ann: User) -> None:
    bot_make("fox", ann)
    host_make()
    answer = ann_client.post("/bots/fox/upload/", {"archive": SimpleUploadedFile("bot.zip", b"no zip")})
    assert answer.status_code == 400
    assert answer.context["form"].errors["archive"]
    assert not BotVersion.objects.exists()


def test_an_upload_that_no_host_can_hold_says_so(ann_client: Client, ann: User) -> None:
    bot_make("fox", ann)
    answer = ann_client.post("/bots/fox/upload/", {"archive": archive(name="fox")})
    assert answer.status_code == 400
    assert "nobody could build and check this bot" in str(answer.context["form"].non_field_errors())


def test_too_large_an_archive_is_refused_before_it_is_read(ann_client: Client, ann: User, settings) -> None:
    settings.UPLOAD_MAX_BYTES = 100
    bot_make("fox", ann)
    answer = ann_client.post("/bots/fox/upload/", {"archive": SimpleUploadedFile("bot.zip", b"x" * 101)})
    assert "at most" in answer.context["form"].errors["archive"][0]


def test_the_same_content_again_leads_to_the_version_it_made(ann_client: Client, ann: User) -> None:
    bot_make("fox", ann)
    host_make()
    for _ in range(2):
        answer = ann_client.post("/bots/fox/upload/", {"archive": archive(name="fox")}, follow=True)
    assert "nothing new was made" in answer.content.decode()
    assert BotVersion.objects.count() == 1


@pytest.mark.parametrize("path", ["/bots/fox/upload/", "/bots/fox/edit/"])
def test_only_the_owner_may_change_a_bot(client: Client, ann_client: Client, path: str) -> None:
    bot_make("fox", person("ben"))
    assert client.get(path).status_code == 302
    assert ann_client.get(path).status_code == 403
    assert ann_client.post(path, {}).status_code == 403


def test_a_bot_is_retired_and_brought_back(ann_client: Client, ann: User) -> None:
    bot = bot_make("fox", ann)
    ann_client.post("/bots/fox/edit/", {"description": "old", "is_retired": "on"})
    bot.refresh_from_db()
    assert (bot.description, bot.is_retired) == ("old", True)
    ann_client.post("/bots/fox/edit/", {"description": ""})
    bot.refresh_from_db()
    assert (bot.description, bot.is_retired) == ("", False)


def test_the_build_log_is_shown_to_the_owner_and_the_staff_and_says_so(
    client: Client, ann_client: Client, ann: User
) -> None:
    version = version_make(bot_make("fox", ann), ready=False)
    BotVersion.objects.filter(pk=version.pk).update(build_log="warning: secret name")
    judge = Client()
    judge.force_login(person("judge", is_staff=True))
    for reader in (ann_client, judge):
        page = reader.get("/bots/fox/versions/1/").content.decode()
        assert "secret name" in page
        assert "and the arena's staff can read it" in page
    assert "secret name" not in client.get("/bots/fox/versions/1/").content.decode()
    other = Client()
    other.force_login(person("ben"))
    assert "secret name" not in other.get("/bots/fox/versions/1/").content.decode()


def test_a_version_under_way_renews_itself_and_a_failed_one_says_why(ann_client: Client, ann: User) -> None:
    version = version_make(bot_make("fox", ann), ready=False)
    assert 'hx-trigger="every 2s"' in ann_client.get("/bots/fox/versions/1/").content.decode()
    BotVersion.objects.filter(pk=version.pk).update(state="failed", failure="build", reason="main.cpp: no such file")
    page = ann_client.get("/bots/fox/versions/1/").content.decode()
    assert "hx-trigger" not in page
    assert "main.cpp: no such file" in page
    assert '<li class="failed">Built' in page


def test_the_files_of_a_version_are_downloaded_by_its_owner_and_the_staff_only(ann: User, ann_client: Client) -> None:
    version = version_make(bot_make("fox", ann))
    page, archive = "/bots/fox/versions/1/", "/bots/fox/versions/1/archive.zip"
    judge, other = Client(), Client()
    judge.force_login(person("judge", is_staff=True))
    other.force_login(person("ben"))
    for reader in (ann_client, judge):
        assert archive in reader.get(page).content.decode()
        answer = reader.get(archive)
        assert answer.content == bytes(version.files.archive)
        assert answer["Content-Type"] == "application/zip"
        assert answer["Content-Disposition"] == 'attachment; filename="fox-v1.zip"'
        assert answer["X-Content-Type-Options"] == "nosniff"
    assert archive not in other.get(page).content.decode()
    assert other.get(archive).status_code == 403
    assert Client().get(archive).status_code == 302


def test_a_suspended_bot_says_so_to_all_and_why_to_its_owner_and_the_staff(ann: User, ann_client: Client) -> None:
    bot = version_make(bot_make("fox", ann)).bot
    judge, other = Client(), Client()
    staff = person("judge", is_staff=True)
    judge.force_login(staff)
    other.force_login(person("ben"))
    assert "Challenge" in other.get("/bots/fox/").content.decode()
    bot_suspend(bot=bot, by=staff, reason="It spins.")
    for reader, told in ((ann_client, True), (judge, True), (other, False), (Client(), False)):
        page = reader.get("/bots/fox/").content.decode()
        assert ">suspended</span>" in page
        assert "gets no matches: it is suspended" in page
        assert ("It spins." in page) is told
        assert "Challenge" not in page
        assert "/bots/fox/upload/" not in page
    ann_client.post("/bots/fox/edit/", {"description": ""})
    bot.refresh_from_db()
    assert bot.is_suspended
    assert ">suspended</span>" in ann_client.get("/me/").content.decode()
    assert ">suspended</span>" in other.get("/bots/").content.decode()


def test_why_a_version_failed_is_told_to_its_owner_and_nobody_else(ann: User, ann_client: Client) -> None:
    version = version_make(bot_make("fox", ann), ready=False)
    BotVersion.objects.filter(pk=version.pk).update(state="failed", failure="build", reason="secret.py: line 7")
    assert "secret.py: line 7" in ann_client.get("/bots/fox/versions/1/").content.decode()
    stranger = Client()
    stranger.force_login(person("ben"))
    for other in (Client(), stranger):
        page = other.get("/bots/fox/versions/1/").content.decode()
        assert "secret.py" not in page
        assert "Its owner is told why." in page


def test_a_bot_page_shows_ratings_their_history_and_whom_it_met(client: Client) -> None:
    ladder = ladder_create(preset="podkidnoy", seats=2, name="Duels")
    pair = bots("fox", "owl")
    for chance in range(3):
        ladder_match(ladder, pair, chance=chance)
    page = client.get("/bots/fox/")
    text = page.content.decode()
    assert "<polyline" in text
    assert "Rating over 3 matches" in text
    [meeting] = page.context["opponents"]
    assert meeting.opponent.slug == "owl"
    assert meeting.deals == 3 * 2
    participants = [match.participants.get(version__bot__slug="owl") for match in page.context["matches"]]
    assert meeting.opponent_duraks == sum(p.duraks for p in participants)


def test_bots_are_found_by_a_part_of_their_name(client: Client) -> None:
    bots("red-fox", "owl")
    page = client.get("/bots/?q=fox").content.decode()
    assert "red-fox" in page
    assert "/bots/owl/" not in page


def test_an_unknown_bot_is_not_found_in_words(client: Client) -> None:
    answer = client.get("/bots/nobody/")
    assert answer.status_code == 404
    assert "There is no bot named “nobody”." in answer.content.decode()


def test_what_failed_by_the_hosts_is_tried_again_by_its_owner_only(ann_client: Client, ann: User) -> None:
    version = version_make(bot_make("fox", ann), ready=False)
    BotVersion.objects.filter(pk=version.pk).update(state="failed", failure="host", reason="The disk was full.")
    other = Client()
    other.force_login(person("ben"))
    assert "Try again" not in other.get("/bots/fox/versions/1/").content.decode()
    assert other.post("/bots/fox/versions/1/retry/").status_code == 403
    assert "Try again" in ann_client.get("/bots/fox/versions/1/").content.decode()
    assert ann_client.post("/bots/fox/versions/1/retry/").status_code == 302
    version.refresh_from_db()
    assert version.state == "uploaded"


def test_a_search_for_what_no_text_can_hold_finds_nothing(client: Client) -> None:
    bot_make("fox")
    answer = client.get("/bots/", {"q": "fo\0x"})
    assert answer.status_code == 200
    assert answer.context["page"].rows == []
