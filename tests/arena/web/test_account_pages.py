"""Signing up and in, the dashboard, tokens."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from arena.accounts.models import ApiToken, User
from arena.accounts.services import token_authenticate, token_create
from arena.bots.models import BotVersion
from tests.arena.factories import bot_make, match_make, version_make
from tests.arena.web.factories import PASSWORD, bots, person, played_match

pytestmark = pytest.mark.django_db


def test_a_newcomer_signs_up_and_lands_on_the_dashboard(client: Client) -> None:
    form = {"username": "zoe", "email": "", "password1": PASSWORD, "password2": PASSWORD}
    answer = client.post("/accounts/signup/", form, follow=True)
    assert answer.redirect_chain[-1][0] == "/me/"
    assert "Signed in as zoe" in answer.content.decode()


def test_a_refused_sign_up_says_why_at_the_field(client: Client) -> None:
    form = {"username": "zoe", "email": "", "password1": "12345", "password2": "12345"}
    page = client.post("/accounts/signup/", form).content.decode()
    assert "too short" in page
    assert 'aria-invalid="true"' in page


def test_one_signs_in_by_name_or_by_address_and_out_again(client: Client, ann: User) -> None:
    for login in ("ann", "ann@example.org"):
        answer = client.post("/accounts/login/", {"login": login, "password": PASSWORD}, follow=True)
        assert "Signed in as ann" in answer.content.decode()
        client.post("/accounts/logout/")
        assert client.get("/me/").status_code == 302


@pytest.mark.parametrize("path", ["/accounts/login/", "/accounts/signup/", "/accounts/password/reset/"])
def test_account_pages_have_the_look_of_the_rest(client: Client, path: str) -> None:
    page = client.get(path).content.decode()
    assert "web/site.css" in page
    assert '<div class="entrance panel">' in page


@pytest.mark.parametrize("path", ["/me/", "/me/tokens/", "/bots/new/", "/matches/new/"])
def test_own_pages_ask_a_stranger_to_sign_in_and_come_back(client: Client, path: str) -> None:
    assert client.get(path)["Location"] == f"/accounts/login/?next={path}"


def test_the_dashboard_shows_what_is_ones_own(ann_client: Client, ann: User) -> None:
    mine, other = bots("fox", owner=ann) + bots("owl")
    match = played_match([mine, other], fault_in=0)
    match_make([other, other])
    version_make(bot_make("tortoise", ann), ready=False)
    page = ann_client.get("/me/")
    assert [bot.slug for bot, _ in page.context["bots"]] == ["tortoise", "fox"]
    assert [m.pk for m in page.context["matches"]] == [match.pk]
    assert all(fault.participant.version.bot.owner == ann for fault in page.context["faults"])
    assert "waiting for its build" in page.content.decode()


def test_the_dashboard_costs_few_queries(ann_client: Client, ann: User, django_assert_max_num_queries) -> None:
    versions = bots("fox", "hen", "cat", owner=ann)
    for version in versions:
        BotVersion.objects.filter(pk=version.pk).update(build_log="x" * 1000)
    with django_assert_max_num_queries(10):
        ann_client.get("/me/")


def test_a_tokens_text_is_shown_once_and_works(ann_client: Client, ann: User) -> None:
    page = ann_client.post("/me/tokens/", {"name": "laptop"}).content.decode()
    text = re.search(r'id="token">(durak_[\w-]+)<', page)[1]
    assert token_authenticate(text=text) == ann
    again = ann_client.get("/me/tokens/").content.decode()
    assert text not in again
    assert text[:12] in again
    assert text not in str(ApiToken.objects.values())


def test_a_page_with_a_token_is_kept_nowhere(ann_client: Client) -> None:
    assert "no-store" in ann_client.post("/me/tokens/", {"name": "laptop"})["Cache-Control"]


def test_a_token_expires_when_one_says_and_the_page_shows_it(ann_client: Client, ann: User) -> None:
    ann_client.post("/me/tokens/", {"name": "laptop", "days": "30"})
    token = ann.tokens.get()
    assert timedelta(days=29, hours=23) < token.expires_at - timezone.now() <= timedelta(days=30)
    assert f"{token.expires_at:%-d %b %Y}" in ann_client.get("/me/tokens/").content.decode()
    ann.tokens.update(expires_at=timezone.now() - timedelta(days=1))
    assert ">expired<" in ann_client.get("/me/tokens/").content.decode()
    ann_client.post("/me/tokens/", {"name": "server"})
    assert ann.tokens.get(name="server").expires_at is None
    assert ann_client.post("/me/tokens/", {"name": "odd", "days": "31"}).status_code == 400


def test_a_second_token_of_one_name_is_refused_at_the_field(ann_client: Client, ann: User) -> None:
    token_create(user=ann, name="laptop")
    answer = ann_client.post("/me/tokens/", {"name": "laptop"})
    assert answer.status_code == 400
    assert "already have a token" in answer.context["form"].errors["name"][0]


def test_a_token_is_revoked_by_its_owner_and_nobody_else(ann_client: Client, ann: User) -> None:
    token, text = token_create(user=ann, name="laptop")
    other = Client()
    other.force_login(person("ben"))
    assert other.post(f"/me/tokens/{token.pk}/revoke/").status_code == 404
    assert token_authenticate(text=text) == ann
    assert ann_client.get(f"/me/tokens/{token.pk}/revoke/").status_code == 405
    ann_client.post(f"/me/tokens/{token.pk}/revoke/")
    assert token_authenticate(text=text) is None
