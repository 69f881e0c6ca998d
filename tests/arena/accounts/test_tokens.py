"""API tokens: shown once, kept hashed."""

from __future__ import annotations

import hashlib
from datetime import timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core import serializers
from django.utils import timezone

from arena.accounts.models import ApiToken
from arena.accounts.selectors import token_list
from arena.accounts.services import house_get, token_authenticate, token_create, token_revoke
from arena.errors import Invalid, NotAllowed, NotFound, QuotaExceeded
from tests.arena.factories import user_make

pytestmark = pytest.mark.django_db


def test_only_the_hash_of_a_token_is_kept() -> None:
    token, text = token_create(user=user_make(), name="laptop")
    assert text.startswith("durak_")
    assert token.digest == hashlib.sha256(text.encode()).hexdigest()
    assert text not in serializers.serialize("json", ApiToken.objects.all())
    assert text.startswith(token.prefix)
    assert len(text) - len(token.prefix) > 30


def test_a_token_signs_its_owner_in_and_notes_when() -> None:
    person = user_make()
    token, text = token_create(user=person, name="laptop")
    assert token_authenticate(text=text) == person
    token.refresh_from_db()
    assert token.last_used_at is not None


@pytest.mark.parametrize("text", ["", "durak_", "nonsense", "durak_" + "A" * 43])
def test_a_text_that_is_no_token_signs_nobody_in(text: str) -> None:
    token_create(user=user_make(), name="laptop")
    assert token_authenticate(text=text) is None


def test_a_revoked_an_expired_and_a_deactivated_owner_s_token_sign_nobody_in() -> None:
    person = user_make()
    revoked, revoked_text = token_create(user=person, name="revoked")
    token_revoke(user=person, token_id=revoked.pk)
    expired, expired_text = token_create(user=person, name="old", expires_at=timezone.now() + timedelta(days=1))
    ApiToken.objects.filter(pk=expired.pk).update(expires_at=timezone.now() - timedelta(seconds=1))
    _, text = token_create(user=person, name="good", expires_at=timezone.now() + timedelta(days=1))
    assert token_authenticate(text=revoked_text) is None
    assert token_authenticate(text=expired_text) is None
    assert token_authenticate(text=text) == person
    person.is_active = False
    person.save()
    assert token_authenticate(text=text) is None


def test_nobody_revokes_another_s_token() -> None:
    owner = user_make()
    token, text = token_create(user=owner, name="laptop")
    with pytest.raises(NotFound):
        token_revoke(user=user_make(), token_id=token.pk)
    assert token_authenticate(text=text) == owner


@pytest.mark.parametrize("name", ["", "   ", "x" * 61])
def test_a_token_needs_a_name_of_sensible_length(name: str) -> None:
    with pytest.raises(Invalid) as refusal:
        token_create(user=user_make(), name=name)
    assert refusal.value.field == "name"


def test_two_tokens_of_one_person_may_not_share_a_name() -> None:
    person = user_make()
    token_create(user=person, name="laptop")
    with pytest.raises(Invalid, match="already have a token named “laptop”"):
        token_create(user=person, name="laptop ")
    token_create(user=user_make(), name="laptop")
    assert [token.name for token in token_list(person)] == ["laptop"]


def test_a_person_may_have_only_so_many_tokens(settings: Any) -> None:
    settings.TOKENS_PER_USER = 1
    person = user_make()
    token_create(user=person, name="one")
    with pytest.raises(QuotaExceeded, match="Revoke one first"):
        token_create(user=person, name="two")


def test_a_token_that_would_have_expired_already_is_not_made() -> None:
    person = user_make()
    with pytest.raises(Invalid, match="expired already") as refusal:
        token_create(user=person, name="old", expires_at=timezone.now())
    assert refusal.value.field == "expires_at"
    assert not person.tokens.exists()


@pytest.mark.parametrize("verified", [False, None])
def test_where_addresses_must_be_confirmed_nobody_gets_a_token_before(settings: Any, verified: bool | None) -> None:
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    person = user_make(email="person@example.org")
    if verified is not None:
        EmailAddress.objects.create(user=person, email=person.email, verified=verified)
    with pytest.raises(NotAllowed, match="Confirm your e-mail address first"):
        token_create(user=person, name="laptop")
    EmailAddress.objects.update_or_create(user=person, email=person.email, defaults={"verified": True})
    assert token_create(user=person, name="laptop")[0].user == person


def test_the_house_is_one_person_who_cannot_sign_in() -> None:
    house = house_get()
    assert house == house_get()
    assert house.is_house
    assert not house.has_usable_password()
