"""What the services raise: one hierarchy, shown by the pages as a message or form error, by the API as one shape."""

from __future__ import annotations

from typing import Any, ClassVar


class ArenaError(Exception):
    """Something that was asked for cannot be done; the message says what was wrong and what to do.

    ``code`` is stable and meant for programs; ``field`` names the input at fault; ``details`` is JSON-able.
    """

    default_code: ClassVar[str] = "error"
    status: ClassVar[int] = 400

    def __init__(
        self,
        message: str,
        *,
        field: str | None = None,
        code: str | None = None,
        details: dict[str, Any] | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.field = field
        self.code = code or self.default_code
        self.details = details or {}


class Invalid(ArenaError):
    """An input is not acceptable; the same request will never succeed."""

    default_code = "invalid"


class NotAllowed(ArenaError):
    """The caller may not do this."""

    default_code = "not_allowed"
    status = 403


class NotFound(ArenaError):
    """There is no such thing, or the caller may not know of it."""

    default_code = "not_found"
    status = 404


class Conflict(ArenaError):
    """The state of things forbids it now; it may succeed later."""

    default_code = "conflict"
    status = 409


class QuotaExceeded(Conflict):
    """The caller has used up what one person may have."""

    default_code = "quota_exceeded"
    status = 429
