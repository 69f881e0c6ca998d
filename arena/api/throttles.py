"""How often one may call: everybody by address or name, and costly writes by a scope of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rest_framework.permissions import SAFE_METHODS
from rest_framework.throttling import ScopedRateThrottle, SimpleRateThrottle

if TYPE_CHECKING:
    from rest_framework.request import Request
    from rest_framework.views import APIView


class WriteThrottle(ScopedRateThrottle):
    """A view's `throttle_scope`, for its writes only."""

    def allow_request(self, request: Request, view: APIView) -> bool:
        return request.method in SAFE_METHODS or super().allow_request(request, view)


class LoginThrottle(SimpleRateThrottle):
    """Attempts to sign in with a password, by address."""

    scope = "login"

    def get_cache_key(self, request: Request, view: APIView | None) -> str:
        return self.cache_format % {"scope": self.scope, "ident": self.get_ident(request)}
