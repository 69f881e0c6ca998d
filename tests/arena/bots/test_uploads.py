"""Bots and uploads: what is taken, what is refused and why."""

from __future__ import annotations

import io
import tarfile
import threading
import zipfile
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import IntegrityError, connections, transaction
from django.db.models.functions import Now

from arena.bots import services
from arena.bots.hosts import host_report, hosts_alive
from arena.bots.models import Bot, BotVersion, Host, VersionFiles
from arena.bots.selectors import bot_current_version, bot_get, bot_list, version_archive, version_get, versions_current
from arena.errors import Conflict, Invalid, NotAllowed, NotFound, QuotaExceeded
from tests.arena.factories import RANDOM_BOT, bot_make, bot_zip, host_make, user_make, version_make

pytestmark = pytest.mark.django_db


def upload(bot: Bot, data: bytes | None = None) -> tuple[BotVersion, bool]:
    return services.version_upload(bot=bot, by=bot.owner, data=bot_zip() if data is None else data)


def as_tar(data: bytes, folder: str = "") -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as archive, tarfile.open(fileobj=buffer, mode="w:gz") as tar:
        for name in archive.namelist():
            content = archive.read(name)
            info = tarfile.TarInfo(folder + name)
            info.size, info.mode = len(content), 0o600
            tar.addfile(info, io.BytesIO(content))
    return buffer.getvalue()


def test_an_upload_becomes_the_bot_s_next_version_and_waits_for_its_build() -> None:
    host_make()
    bot = bot_make()
    first, new = upload(bot)
    second, _ = upload(bot, bot_zip("# another\n" + RANDOM_BOT))
    assert new
    assert (first.number, second.number) == (1, 2)
    assert (first.state, first.language, first.presets, first.seats) == ("uploaded", "python", ["podkidnoy"], [2, 3, 4])
    assert first.manifest["entry"] == "bot.py"


def test_the_same_content_twice_is_the_same_version_however_it_was_packed() -> None:
    host_make()
    bot = bot_make()
    first, _ = upload(bot)
    for data in (bot_zip(), as_tar(bot_zip()), as_tar(bot_zip(), folder="mybot/")):
        assert upload(bot, data) == (first, False)
    assert bot.versions.count() == 1


def test_two_bots_may_have_the_same_content() -> None:
    host_make()
    assert upload(bot_make())[0].sha256 == upload(bot_make())[0].sha256


def test_an_archive_made_on_a_mac_is_taken() -> None:
    host_make()
    buffer = io.BytesIO(bot_zip())
    with zipfile.ZipFile(buffer, "a") as archive:
        archive.writestr("__MACOSX/._bot.py", b"\0\5\x16\7")
        archive.writestr(".DS_Store", b"\0")
    assert upload(bot_make(), buffer.getvalue())[1]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "empty"),
        (b"not an archive", "neither a zip nor a tar.gz"),
        (bot_zip(language="cobol"), "no language here"),
        (bot_zip(presets=("podkidnoi",)), "Did you mean 'podkidnoy'"),
        (bot_zip(extra={"../evil": "x"}), ".."),
    ],
)
def test_a_bad_archive_is_refused_with_what_is_wrong_and_nothing_is_kept(data: bytes, said: str) -> None:
    host_make()
    with pytest.raises(Invalid) as refusal:
        upload(bot_make(), data)
    assert said in refusal.value.message
    assert (refusal.value.field, refusal.value.code) == ("archive", "bad_archive")
    assert not BotVersion.objects.exists()


def test_an_archive_past_the_size_limit_is_refused_before_it_is_read(settings: Any) -> None:
    settings.UPLOAD_MAX_BYTES = 10
    with pytest.raises(Invalid, match="at most 10 are taken"):
        upload(bot_make())


def test_a_bot_that_names_a_rule_set_without_a_seat_count_for_it_is_refused() -> None:
    host_make()
    with pytest.raises(Invalid, match="'pairs' cannot be played by 2 or 3 seats"):
        upload(bot_make(), bot_zip(presets=("pairs",), seats=(2, 3)))


def test_without_a_worker_uploads_are_refused_with_the_reason() -> None:
    with pytest.raises(Conflict, match="No worker is running") as refusal:
        upload(bot_make())
    assert refusal.value.code == "no_sandbox"


def test_without_a_sandbox_uploads_are_refused_with_the_host_s_own_reason_and_nothing_is_kept() -> None:
    host_report(name="box", reason="bwrap is not installed: apt-get install bubblewrap")
    with pytest.raises(Conflict, match=r"box: bwrap is not installed: apt-get install bubblewrap"):
        upload(bot_make())
    assert not BotVersion.objects.exists()


def test_a_language_that_no_worker_can_run_is_refused_with_those_on_offer() -> None:
    host_make(languages=["python", "javascript"])
    with pytest.raises(Conflict, match=r"No worker can run java now\. Languages on offer: javascript, python"):
        upload(bot_make(), bot_zip("class Bot {}", language="java", entry="Bot.java"))


def test_a_host_that_was_not_heard_of_for_long_is_not_counted_on() -> None:
    host_make()
    Host.objects.update(seen_at=Now() - timedelta(minutes=5))
    assert not hosts_alive().exists()
    with pytest.raises(Conflict, match="No worker is running"):
        upload(bot_make())


def test_only_the_owner_uploads_to_a_bot() -> None:
    host_make()
    bot = bot_make()
    with pytest.raises(NotAllowed, match="only its owner"):
        services.version_upload(bot=bot, by=user_make(is_staff=True), data=bot_zip())


def test_nothing_is_uploaded_to_a_retired_bot() -> None:
    host_make()
    bot = bot_make()
    services.bot_update(bot=bot, by=bot.owner, is_retired=True)
    with pytest.raises(Conflict, match="retired"):
        upload(bot)


def test_a_person_may_upload_only_so_often_a_day_and_the_house_as_often_as_it_likes(settings: Any) -> None:
    settings.UPLOADS_PER_DAY = 1
    host_make()
    bot = bot_make()
    upload(bot)
    assert upload(bot)[1] is False
    with pytest.raises(QuotaExceeded, match="1 versions in 24 hours"):
        upload(bot, bot_zip("# more\n" + RANDOM_BOT))
    BotVersion.objects.update(uploaded_at=Now() - timedelta(hours=25))
    assert upload(bot, bot_zip("# more\n" + RANDOM_BOT))[1]
    house = bot_make(owner=user_make(is_house=True))
    upload(house)
    assert upload(house, bot_zip("# more\n" + RANDOM_BOT))[1]


def test_a_person_may_have_only_so_many_uploads_waiting(settings: Any) -> None:
    settings.UPLOADS_WAITING = 1
    host_make()
    bot = bot_make()
    upload(bot)
    with pytest.raises(QuotaExceeded, match="Wait until one has ended"):
        upload(bot, bot_zip("# more\n" + RANDOM_BOT))


def test_a_person_may_have_only_so_many_bots(settings: Any) -> None:
    settings.BOTS_PER_USER = 1
    owner = bot_make().owner
    with pytest.raises(QuotaExceeded):
        bot_make(owner=owner)


@pytest.mark.parametrize("slug", ["", "x", "Big", "two words", "-dash", "dash-", "ёж", "new", "a" * 41])
def test_a_bot_needs_a_slug_that_can_stand_in_an_address(slug: str) -> None:
    with pytest.raises(Invalid) as refusal:
        services.bot_create(owner=user_make(), slug=slug)
    assert refusal.value.field == "slug"


def test_a_slug_is_given_once() -> None:
    bot_make("mine")
    with pytest.raises(Invalid, match="A bot named “mine” exists already"):
        bot_make("mine")


def test_only_its_owner_changes_a_bot_and_a_long_description_is_refused() -> None:
    bot = bot_make()
    services.bot_update(bot=bot, by=bot.owner, description=" hoards \n trumps ")
    bot.refresh_from_db()
    assert bot.description == "hoards trumps"
    with pytest.raises(NotAllowed):
        services.bot_update(bot=bot, by=user_make(), description="mine")
    with pytest.raises(Invalid, match="201 characters"):
        services.bot_update(bot=bot, by=bot.owner, description="x" * 201)


def test_the_database_refuses_to_change_a_version_or_its_archive() -> None:
    version = version_make()
    for change in ({"sha256": "0" * 64}, {"number": 7}, {"manifest": {}}, {"seats": [6]}):
        with pytest.raises(IntegrityError, match="never changes"), transaction.atomic():
            BotVersion.objects.filter(pk=version.pk).update(**change)
    with pytest.raises(IntegrityError, match="never changes"), transaction.atomic():
        VersionFiles.objects.filter(pk=version.pk).update(archive=b"another")
    VersionFiles.objects.filter(pk=version.pk).update(artifact=b"compiled")


def test_the_current_version_is_the_newest_that_is_ready() -> None:
    bot = bot_make()
    assert bot_current_version(bot) is None
    old, new = version_make(bot), version_make(bot)
    version_make(bot, ready=False)
    assert bot_current_version(bot) == new
    other = version_make()
    assert set(versions_current()) == {new, other}
    services.bot_update(bot=bot, by=bot.owner, is_retired=True)
    assert set(versions_current()) == {other}
    assert old.number == 1


def test_the_owner_and_the_staff_get_a_version_s_files_back_and_nobody_else_does() -> None:
    host_make()
    bot = bot_make()
    sent = bot_zip(extra={"lib/helper.py": "x = 1\n"})
    version, _ = upload(bot, sent)
    got = version_archive(version, bot.owner)
    assert got == version_archive(version, user_make(is_staff=True)) == bytes(version.files.archive)
    with zipfile.ZipFile(io.BytesIO(sent)) as before, zipfile.ZipFile(io.BytesIO(got)) as after:
        assert {name: after.read(name) for name in after.namelist()} == {n: before.read(n) for n in before.namelist()}
    assert upload(bot, got) == (version, False)
    for other in (user_make(), AnonymousUser()):
        with pytest.raises(NotAllowed, match="for its owner and the arena's staff only"):
            version_archive(version, other)


def test_what_is_not_there_is_named() -> None:
    with pytest.raises(NotFound, match="no bot named “ghost”"):
        bot_get("ghost")
    with pytest.raises(NotFound, match="no version 9"):
        version_get(bot_make(), 9)


def test_lists_of_bots_take_one_query_and_never_read_files(django_assert_num_queries: Any) -> None:
    for _ in range(3):
        version_make()
    with django_assert_num_queries(1):
        assert len({bot.owner.username for bot in bot_list()}) == 3
    with django_assert_num_queries(1) as queries:
        assert len([version.bot.owner.username for version in versions_current()]) == 3
    assert "archive" not in queries[0]["sql"]


@pytest.mark.django_db(transaction=True)
def test_of_many_uploads_of_one_content_at_once_one_version_comes() -> None:
    host_make()
    bot = bot_make()
    got: list[tuple[int, bool]] = []
    start = threading.Barrier(6)

    def run() -> None:
        start.wait()
        try:
            version, created = upload(bot)
            got.append((version.pk, created))
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({pk for pk, _ in got}) == 1
    assert sum(created for _, created in got) == 1
