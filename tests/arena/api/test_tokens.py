"""Making, listing, using and revoking tokens."""

from __future__ import annotations

from base64 import b64encode
from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.utils import timezone

from arena.accounts.models import ApiToken, User
from arena.accounts.services import token_create
from tests.arena.api.conftest import Client

URL = "/api/v1/tokens/"
PASSWORD = "quite-a-long-one-7"
PAST = "2020-01-01T00:00:00Z"


def basic(username: str, password: str) -> dict[str, str]:
    return {"HTTP_AUTHORIZATION": "Basic " + b64encode(f"{username}:{password}".encode()).decode()}


def bearer(text: str) -> dict[str, str]:
    return {"HTTP_AUTHORIZATION": f"Bearer {text}"}


@pytest.fixture
def person(db: None) -> User:
    return User.objects.create_user("person", password=PASSWORD)


def test_the_first_token_is_made_with_name_and_password(anyone, person):
    made = anyone.post(URL, {"name": "laptop"}, format="json", **basic("person", PASSWORD))
    assert made.status_code == 201
    assert made.headers["Cache-Control"] == "no-store"
    text = made.json()["token"]
    me = anyone.get("/api/v1/me/", HTTP_AUTHORIZATION=f"Bearer {text}")
    assert me.json() == {"username": "person", "is_staff": False, "bots": 0}


def test_a_wrong_password_is_refused(anyone, person):
    answer = anyone.post(URL, {"name": "laptop"}, format="json", **basic("person", "wrong"))
    assert answer.status_code == 401
    assert answer.json()["error"]["code"] == "authentication_failed"


def test_passwords_cannot_be_guessed_without_end(anyone, person):
    answers = [anyone.get(URL, **basic("person", f"guess-{n}")) for n in range(12)]
    assert [a.status_code for a in answers] == [401] * 10 + [429] * 2
    assert int(answers[-1].headers["Retry-After"]) > 0
    right = anyone.get(URL, **basic("person", PASSWORD))
    assert right.status_code == 429, "not even the right one is looked at then"


def test_a_password_opens_nothing_but_the_tokens(anyone, person):
    assert anyone.get("/api/v1/me/", **basic("person", PASSWORD)).status_code == 401


def test_a_tokens_text_is_kept_and_shown_nowhere_else(anyone, person):
    text = anyone.post(URL, {"name": "ci"}, format="json", **basic("person", PASSWORD)).json()["token"]
    assert text.startswith("durak_")
    listed = anyone.get(URL, **bearer(text))
    assert text not in listed.content.decode()
    assert all(
        set(row) == {"id", "name", "prefix", "created_at", "last_used_at", "expires_at"}
        for row in listed.json()["results"]
    )
    assert text not in str(list(ApiToken.objects.values()))


def test_one_sees_only_ones_own_tokens(owner, stranger, arena):
    token_create(user=arena.owner, name="mine")
    assert "mine" in owner.get(URL).content.decode()
    assert "mine" not in stranger.get(URL).content.decode()


def test_a_token_makes_no_token_that_would_outlive_it(owner, arena):
    refused = owner.post(URL, {"name": "successor"}, format="json")
    assert refused.status_code == 403
    error = refused.json()["error"]
    assert error["code"] == "not_allowed"
    assert "user name and password" in error["message"]
    assert "/me/tokens/" in error["message"]
    assert not arena.owner.tokens.filter(name="successor").exists()


@pytest.mark.parametrize("verified", [False, True])
def test_a_password_makes_no_token_before_a_mandatory_confirmation(anyone, person, settings, verified):
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    EmailAddress.objects.create(user=person, email="person@example.org", verified=verified)
    answer = anyone.post(URL, {"name": "laptop"}, format="json", **basic("person", PASSWORD))
    assert answer.status_code == (201 if verified else 403)
    if not verified:
        assert answer.json()["error"]["message"].startswith("Confirm your e-mail address first")
    assert person.tokens.exists() is verified


def test_a_revoked_token_opens_nothing(arena):
    client = Client().bearer(arena.owner)
    token = client.get(URL).json()["results"][0]["id"]
    assert client.delete(f"{URL}{token}/").status_code == 204
    answer = client.get(URL)
    assert answer.status_code == 401
    assert answer.headers["WWW-Authenticate"].startswith("Bearer")


def test_somebody_elses_token_cannot_be_revoked_nor_told_from_none(owner, stranger, arena):
    token = arena.owner.tokens.get()
    answer = stranger.delete(f"{URL}{token.pk}/")
    assert answer.status_code == 404
    assert stranger.delete(f"{URL}999999/").json()["error"]["code"] == answer.json()["error"]["code"]
    assert ApiToken.objects.filter(pk=token.pk).exists()


def test_an_expired_token_opens_nothing(anyone, person):
    until = (timezone.now() + timedelta(1)).isoformat()
    asked = {"name": "brief", "expires_at": until}
    made = anyone.post(URL, asked, format="json", **basic("person", PASSWORD)).json()
    assert anyone.get(URL, **bearer(made["token"])).status_code == 200
    person.tokens.update(expires_at=timezone.now())
    assert anyone.get(URL, **bearer(made["token"])).status_code == 401


@pytest.mark.parametrize("header", ["Bearer", "Bearer nonsense", "Bearer durak_ü", "Bearer a b c"])
def test_a_token_that_is_none_is_refused_even_where_anybody_may_read(anyone, db, header):
    assert anyone.get("/api/v1/bots/", HTTP_AUTHORIZATION=header).status_code == 401


@pytest.mark.parametrize(
    ("asked", "field"), [({"name": "ci"}, "name"), ({"name": "x", "expires_at": PAST}, "expires_at")]
)
def test_what_is_wrong_with_a_token_is_refused_naming_the_field(anyone, person, asked, field):
    token_create(user=person, name="ci")
    error = anyone.post(URL, asked, format="json", **basic("person", PASSWORD)).json()["error"]
    assert (error["code"], error["field"]) == ("invalid", field)


def test_a_session_may_read_but_writes_only_with_its_csrf_token(person):
    client = Client(enforce_csrf_checks=True)
    client.force_login(person)
    assert client.get(URL).status_code == 200
    refused = client.post(URL, {"name": "x"}, format="json")
    assert refused.status_code == 403
    assert refused.json()["error"]["code"] == "not_allowed"
    client.cookies["csrftoken"] = "a" * 32
    assert client.post(URL, {"name": "x"}, format="json", HTTP_X_CSRFTOKEN="a" * 32).status_code == 201


def test_without_signing_in_there_is_nothing(anyone, db):
    for answer in (anyone.get(URL), anyone.post(URL, {"name": "x"}, format="json"), anyone.delete(f"{URL}1/")):
        assert answer.status_code == 401
        assert answer.json()["error"]["code"] == "not_authenticated"
