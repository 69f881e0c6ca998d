"""Signing in to the admin is signing in to the arena."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from tests.arena.factories import user_make

pytestmark = pytest.mark.django_db

PASSWORD = "quite-a-long-one-7"


@pytest.fixture(autouse=True)
def _plain_static_files(settings) -> None:
    plain = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    settings.STORAGES = settings.STORAGES | {"staticfiles": plain}


def attempt(client: Client, password: str):
    return client.post("/accounts/login/?next=/admin/", {"login": "root", "password": password})


def test_the_admin_sends_who_is_not_signed_in_to_the_sign_in_page_and_takes_no_password_itself(client: Client) -> None:
    user_make("root", password=PASSWORD, is_staff=True, is_superuser=True)
    for answer in (
        client.get("/admin/login/?next=/admin/"),
        client.post("/admin/login/?next=/admin/", {"username": "root", "password": PASSWORD}),
    ):
        assert answer.status_code == 302
        assert answer["Location"].startswith("/accounts/login/?next=")
    assert "_auth_user_id" not in client.session
    answer = attempt(client, PASSWORD)
    assert (answer.status_code, answer["Location"]) == (302, "/admin/")
    assert client.get("/admin/").status_code == 200


def test_passwords_of_the_staff_cannot_be_guessed_without_end(client: Client) -> None:
    user_make("root", password=PASSWORD, is_staff=True, is_superuser=True)
    for number in range(12):
        attempt(client, f"guess-{number}")
    attempt(client, PASSWORD)
    assert "_auth_user_id" not in client.session, "not even the right one is looked at then"


def test_who_is_not_of_the_staff_gets_nowhere_in_the_admin(client: Client) -> None:
    client.force_login(user_make())
    assert client.get("/admin/login/").status_code == 403
    assert client.get("/admin/bots/bot/", follow=True).status_code == 403


def test_where_addresses_must_be_confirmed_the_staff_get_a_mail_when_they_first_sign_in(
    client: Client, settings, mailoutbox
) -> None:
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    user_make("root", password=PASSWORD, email="root@example.org", is_staff=True, is_superuser=True)
    attempt(client, PASSWORD)
    assert "_auth_user_id" not in client.session
    (mail,) = mailoutbox
    assert mail.to == ["root@example.org"]
    link = re.search(r"/accounts/confirm-email/\S+/", mail.body)[0]
    client.post(link)
    attempt(client, PASSWORD)
    assert client.get("/admin/").status_code == 200
