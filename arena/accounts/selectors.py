"""Reads on people and their tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.accounts.models import ApiToken, User
from arena.errors import NotFound

if TYPE_CHECKING:
    from django.db.models import QuerySet


def token_list(user: User) -> QuerySet[ApiToken]:
    """A person's tokens, the newest first."""
    return user.tokens.all()


def user_get(username: str) -> User:
    """The person of that name, or ``NotFound``."""
    try:
        return User.objects.get(username=username, is_active=True)
    except User.DoesNotExist:
        raise NotFound(f"There is no user named “{username}”.") from None
