"""Who is calling: a bearer token, a browser's session, or a password (only to make a token)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rest_framework.authentication import BaseAuthentication, BasicAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed, Throttled

from arena.accounts.services import token_authenticate
from arena.api.throttles import LoginThrottle

if TYPE_CHECKING:
    from rest_framework.request import Request

    from arena.accounts.models import User


class TokenAuthentication(BaseAuthentication):
    """`Authorization: Bearer durak_...`."""

    def authenticate(self, request: Request) -> tuple[User, str] | None:
        scheme, _, text = get_authorization_header(request).decode("latin-1").partition(" ")
        if scheme.lower() != "bearer":
            return None
        user = token_authenticate(text=text.strip())
        if user is None:
            raise AuthenticationFailed(
                "This token is unknown, expired or revoked. Make one with POST /api/v1/tokens/ or at /me/tokens/.",
            )
        return user, "token"

    def authenticate_header(self, request: Request) -> str:
        return 'Bearer realm="Durak Arena"'


class PasswordAuthentication(BasicAuthentication):
    """HTTP Basic, for making the first token; guesses are throttled before they are looked at."""

    def authenticate_credentials(self, userid: str, password: str, request: Request | None = None) -> tuple[User, None]:
        throttle = LoginThrottle()
        if not throttle.allow_request(request, None):
            raise Throttled(throttle.wait())
        return super().authenticate_credentials(userid, password, request)
