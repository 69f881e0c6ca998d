"""Writes on people and their tokens."""

from __future__ import annotations

import hashlib
import secrets
from datetime import timedelta
from typing import TYPE_CHECKING

from allauth.account.utils import has_verified_email
from django.conf import settings
from django.db import IntegrityError
from django.db.models import Q
from django.db.models.functions import Now
from django.utils import timezone

from arena.accounts.models import NAME_LENGTH, PREFIX_LENGTH, ApiToken, User
from arena.accounts.quotas import quota_of
from arena.errors import Conflict, Invalid, NotAllowed, NotFound, QuotaExceeded

if TYPE_CHECKING:
    from datetime import datetime

HOUSE = "house"
TOKEN_PREFIX = "durak_"  # noqa: S105 - a mark by which scanners recognise leaked tokens, not a secret
TOKEN_BYTES = 32
LAST_USED_GRAIN = timedelta(minutes=1)


def token_digest(text: str) -> str:
    """What is kept of a token. It has 256 random bits, so a fast hash is as safe as a slow one."""
    return hashlib.sha256(text.encode()).hexdigest()


def token_create(*, user: User, name: str, expires_at: datetime | None = None) -> tuple[ApiToken, str]:
    """Make a bearer token; returns its row and its text, which is not kept and cannot be shown again.

    Raises:
        NotAllowed: addresses must be confirmed here, and this person has not confirmed one.
        Invalid: the name is empty, too long or already used by this person; or the token would have expired already.
        QuotaExceeded: the person has ``ARENA_TOKENS_PER_USER`` tokens.

    """
    if settings.ACCOUNT_EMAIL_VERIFICATION == "mandatory" and not has_verified_email(user):
        raise NotAllowed(
            "Confirm your e-mail address first: sign in at /accounts/login/, and a mail with a link is sent to it.",
        )
    name = name.strip()
    if not 0 < len(name) <= NAME_LENGTH:
        raise Invalid(f"Give the token a name of 1 to {NAME_LENGTH} characters.", field="name")
    if expires_at is not None and expires_at <= timezone.now():
        raise Invalid("The token would have expired already. Give a later time, or none.", field="expires_at")
    text = TOKEN_PREFIX + secrets.token_urlsafe(TOKEN_BYTES)
    try:
        with quota_of(user):
            if user.tokens.count() >= settings.TOKENS_PER_USER:
                raise QuotaExceeded(
                    f"You have {settings.TOKENS_PER_USER} tokens, the most one person may. Revoke one first.",
                )
            token = ApiToken.objects.create(
                user=user,
                name=name,
                prefix=text[:PREFIX_LENGTH],
                digest=token_digest(text),
                expires_at=expires_at,
            )
    except IntegrityError:
        raise Invalid(f"You already have a token named “{name}”. Choose another name.", field="name") from None
    return token, text


def token_revoke(*, user: User, token_id: int) -> None:
    """Delete a token of this person's; from then on nobody can sign in with it."""
    deleted, _ = ApiToken.objects.filter(pk=token_id, user=user).delete()
    if not deleted:
        raise NotFound(f"You have no token number {token_id}.")


def token_authenticate(*, text: str) -> User | None:
    """The active person whose unexpired token this is, or None. Notes the use, to the minute."""
    token = (
        ApiToken.objects.select_related("user")
        .filter(Q(expires_at__isnull=True) | Q(expires_at__gt=Now()), digest=token_digest(text), user__is_active=True)
        .first()
    )
    if token is None:
        return None
    stale = Q(last_used_at__isnull=True) | Q(last_used_at__lt=Now() - LAST_USED_GRAIN)
    ApiToken.objects.filter(stale, pk=token.pk).update(last_used_at=Now())
    return token.user


def house_get() -> User:
    """The house, who owns the reference bots and cannot sign in; made on first use.

    Raises ``Conflict`` if a person has its name: a stranger must not come to own the anchor.
    """
    house = User.objects.filter(is_house=True).order_by("pk").first()
    if house is None and User.objects.filter(username__iexact=HOUSE).exists():
        raise Conflict(f"Somebody's account is named “{HOUSE}”, which is the arena's own name: rename it first.")
    return house or User.objects.create_user(HOUSE, is_house=True)
