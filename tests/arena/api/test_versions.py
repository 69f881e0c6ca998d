"""Uploading a version and following it."""

from __future__ import annotations

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from arena.accounts.models import User
from arena.bots.models import BotVersion
from tests.arena.api.conftest import Client, archive

pytestmark = pytest.mark.django_db


@pytest.fixture
def url(arena) -> str:
    return f"/api/v1/bots/{arena.bot('mine').slug}/versions/"


def upload(client, url: str, data: bytes, **more):
    return client.post(url, {"archive": SimpleUploadedFile("bot.zip", data)}, format="multipart", **more)


def test_an_upload_is_a_version_that_waits_for_its_build(owner, url, host):
    answer = upload(owner, url, archive())
    assert answer.status_code == 201
    body = answer.json()
    assert (body["bot"], body["number"], body["state"], body["language"]) == ("mine", 1, "uploaded", "python")
    assert (body["presets"], body["seats"]) == (["podkidnoy"], [2])
    assert answer.headers["Location"] == f"http://testserver{url}1/"
    assert owner.get(answer.headers["Location"]).json() == body


def test_the_same_content_again_is_the_same_version(owner, url, host):
    first = upload(owner, url, archive()).json()
    again = upload(owner, url, archive())
    assert again.status_code == 200
    assert again.json() == first
    assert upload(owner, url, archive("print('other')\n")).json()["number"] == 2


def test_a_bad_archive_is_refused_with_the_reason(owner, url, host):
    error = upload(owner, url, b"this is no archive").json()["error"]
    assert (error["code"], error["field"]) == ("bad_archive", "archive")
    assert not BotVersion.objects.exists()


def test_an_unknown_key_in_the_manifest_names_the_one_that_was_meant(owner, url, host):
    error = upload(owner, url, archive(preset='["podkidnoy"]')).json()["error"]
    assert "presets" in error["message"]


def test_an_archive_that_is_too_large_is_refused_before_it_is_read(owner, url, host, settings):
    answer = upload(owner, url, bytes(settings.UPLOAD_MAX_BYTES + 128 * 1024))
    assert answer.status_code == 413
    assert answer.json()["error"]["code"] == "too_large"


def test_a_body_of_unsaid_length_is_refused(owner, url, host):
    form = "multipart/form-data; boundary=x"
    answer = owner.generic("POST", url, b"", HTTP_TRANSFER_ENCODING="chunked", content_type=form)
    assert answer.status_code == 411


def test_an_upload_without_a_file_says_which_field_is_missing(owner, url, host):
    error = owner.post(url, {}, format="multipart").json()["error"]
    assert (error["code"], error["field"]) == ("invalid", "archive")


def test_a_body_that_is_no_form_is_refused(owner, url, host):
    assert owner.post(url, {"archive": "x"}, format="json").status_code == 415


def test_nobody_uploads_to_somebody_elses_bot(stranger, url, host):
    assert upload(stranger, url, archive()).status_code == 403
    assert not BotVersion.objects.exists()


def test_nobody_uploads_without_signing_in(anyone, url, host):
    assert upload(anyone, url, archive()).status_code == 401


def test_uploads_are_closed_while_no_worker_has_a_sandbox(owner, url):
    answer = upload(owner, url, archive())
    assert answer.status_code == 409
    assert answer.json()["error"]["code"] == "no_sandbox"


def test_uploads_are_throttled_and_say_when_to_come_back(owner, url, host, monkeypatch):
    monkeypatch.setattr("arena.api.throttles.WriteThrottle.THROTTLE_RATES", {"upload": "2/hour"})
    codes = [upload(owner, url, b"bad").status_code for _ in range(3)]
    assert codes == [400, 400, 429]
    blocked = upload(owner, url, b"bad")
    assert 0 < int(blocked.headers["Retry-After"]) <= 3600
    assert blocked.json()["error"]["details"]["wait_seconds"] == int(blocked.headers["Retry-After"])
    assert owner.get(url).status_code == 200, "reading is not held up"


@pytest.fixture
def failed(arena) -> BotVersion:
    version = arena.version()
    BotVersion.objects.filter(pk=version.pk).update(
        state="failed", failure="build", reason="main.rs does not compile", build_log="error in a line of its source"
    )
    return version


def test_the_owner_reads_why_a_version_failed_and_its_log(owner, failed):
    body = owner.get(f"/api/v1/bots/{failed.bot.slug}/versions/1/").json()
    assert (body["state"], body["failure"]) == ("failed", "build")
    assert body["reason"] == "main.rs does not compile"
    assert body["build_log"] == "error in a line of its source"


def test_the_staff_read_them_too(failed):
    staff = Client().bearer(User.objects.create_user("staff", is_staff=True))
    assert (
        staff.get(f"/api/v1/bots/{failed.bot.slug}/versions/1/").json()["build_log"] == "error in a line of its source"
    )


@pytest.mark.parametrize("who", ["anyone", "stranger"])
def test_nobody_else_reads_either(request, failed, who):
    answer = request.getfixturevalue(who).get(f"/api/v1/bots/{failed.bot.slug}/versions/1/")
    assert (answer.json()["build_log"], answer.json()["reason"], answer.json()["failure"]) == (None, None, None)
    assert "line of its source" not in answer.content.decode()


@pytest.fixture
def uploaded(owner, url, host) -> str:
    """The address of the archive of an uploaded version."""
    upload(owner, url, archive())
    return f"{url}1/archive/"


def test_the_owner_gets_the_files_of_a_version_back_byte_for_byte(owner, url, uploaded):
    answer = owner.get(uploaded)
    kept = bytes(BotVersion.objects.get().files.archive)
    assert (answer.status_code, answer.content) == (200, kept)
    assert answer.headers["Content-Type"] == "application/zip"
    assert answer.headers["Content-Disposition"] == 'attachment; filename="mine-v1.zip"'
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Cache-Control"] == "private, no-store"
    assert upload(owner, url, answer.content).status_code == 200, "what came is what was sent"


def test_the_staff_get_the_files_of_a_version_and_nobody_else_does(anyone, stranger, uploaded):
    staff = Client().bearer(User.objects.create_user("staff", is_staff=True))
    assert staff.get(uploaded).status_code == 200
    assert stranger.get(uploaded).status_code == 403
    assert anyone.get(uploaded).status_code == 401


def test_versions_are_listed_the_newest_first_in_few_queries(anyone, arena, django_assert_max_num_queries):
    bot = arena.bot()
    for _ in range(12):
        arena.version(bot)
    with django_assert_max_num_queries(3):
        rows = anyone.get(f"/api/v1/bots/{bot.slug}/versions/").json()["results"]
    assert [row["number"] for row in rows] == list(range(12, 0, -1))
    assert "build_log" not in rows[0]


def test_a_version_that_there_is_not_is_not_found(anyone, url):
    assert anyone.get(f"{url}7/").json()["error"]["code"] == "not_found"
    assert anyone.get(f"{url}99999999999999999999/").status_code == 404


@pytest.fixture
def failed_by_hosts(failed) -> str:
    BotVersion.objects.filter(pk=failed.pk).update(failure="host", reason="the daemon went away")
    return f"/api/v1/bots/{failed.bot.slug}/versions/1/retry/"


def test_what_failed_by_the_hosts_is_tried_again(owner, failed_by_hosts):
    answer = owner.post(failed_by_hosts)
    assert (answer.status_code, answer.json()["state"], answer.json()["reason"]) == (200, "uploaded", "")


def test_what_failed_by_itself_is_not_tried_again(owner, failed):
    assert owner.post(f"/api/v1/bots/{failed.bot.slug}/versions/1/retry/").status_code == 409


def test_nobody_else_tries_it_again(stranger, anyone, failed_by_hosts):
    assert stranger.post(failed_by_hosts).status_code == 403
    assert anyone.post(failed_by_hosts).status_code == 401
