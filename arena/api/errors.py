"""The one shape of an error: {"error": {"code", "message", "field", "details"}}."""

from __future__ import annotations

import logging
from typing import Any

from django.conf import settings
from django.core.exceptions import PermissionDenied, RequestDataTooBig
from django.core.signals import got_request_exception
from django.http import Http404
from rest_framework import exceptions, status
from rest_framework.response import Response
from rest_framework.views import set_rollback

from arena.errors import ArenaError

log = logging.getLogger(__name__)


class PayloadTooLarge(exceptions.APIException):
    """The body is larger than this address takes."""

    status_code = status.HTTP_413_REQUEST_ENTITY_TOO_LARGE
    default_code = "too_large"


class LengthRequired(exceptions.APIException):
    """The body's length was not said beforehand."""

    status_code = status.HTTP_411_LENGTH_REQUIRED
    default_code = "length_required"
    default_detail = "Send a Content-Length; chunked bodies are not taken."


CODES = {
    exceptions.ValidationError: "invalid",
    exceptions.ParseError: "malformed",
    exceptions.MethodNotAllowed: "method_not_allowed",
    exceptions.NotAcceptable: "not_acceptable",
    exceptions.UnsupportedMediaType: "unsupported_media_type",
    exceptions.Throttled: "throttled",
    exceptions.PermissionDenied: "not_allowed",
}
"""Where the code is not that of the error class."""


def body(code: str, message: str, field: str | None = None, details: dict[str, Any] | None = None) -> dict[str, Any]:
    """The shape itself."""
    return {"error": {"code": code, "message": message, "field": field, "details": details or {}}}


def handle(error: Exception, context: dict[str, Any]) -> Response | None:
    """Make the response of whatever a view raised; a failure of ours is logged and says no more than that."""
    error = _translated(error)
    set_rollback()
    if isinstance(error, ArenaError):
        return Response(body(error.code, error.message, error.field, error.details), status=error.status)
    if isinstance(error, exceptions.APIException):
        return Response(_api_body(error), status=error.status_code, headers=_headers(error))
    if settings.DEBUG:
        return None
    log.error("An API view failed.", exc_info=error)
    got_request_exception.send(sender=None, request=context["request"]._request)  # noqa: SLF001 - as Django sends it
    message = "The arena failed, not you. It has been noted; try again later."
    return Response(body("internal", message), status=status.HTTP_500_INTERNAL_SERVER_ERROR)


def _translated(error: Exception) -> Exception:
    if isinstance(error, Http404):
        return exceptions.NotFound("There is no such thing.")
    if isinstance(error, PermissionDenied):
        return exceptions.PermissionDenied()
    if isinstance(error, RequestDataTooBig):
        return PayloadTooLarge(str(error))
    return error


def _api_body(error: exceptions.APIException) -> dict[str, Any]:
    code = CODES.get(type(error), error.default_code)
    if isinstance(error, exceptions.Throttled):
        seconds = None if error.wait is None else max(1, round(error.wait))
        return body(code, f"Too many requests. Try again in {seconds} s.", details={"wait_seconds": seconds})
    if isinstance(error, exceptions.ValidationError):
        fields = _fields(error.detail)
        name, messages = next(iter(fields.items()))
        return body(code, messages[0], None if name == "" else name, {"fields": fields})
    return body(code, str(error.detail))


def _fields(detail: Any, path: str = "") -> dict[str, list[str]]:
    """Messages by the dotted path of their input; "" for the input as a whole."""
    if isinstance(detail, dict):
        found: dict[str, list[str]] = {}
        for key, value in detail.items():
            name = path if key == "non_field_errors" else f"{path}.{key}".lstrip(".")
            found |= _fields(value, name)
        return found
    if isinstance(detail, list) and any(isinstance(item, dict | list) for item in detail):
        found = {}
        for index, item in enumerate(detail):
            found |= _fields(item, f"{path}.{index}".lstrip(".")) if item else {}
        return found
    return {path: [str(item) for item in (detail if isinstance(detail, list) else [detail])]}


def _headers(error: exceptions.APIException) -> dict[str, str]:
    headers = {}
    if getattr(error, "auth_header", None):
        headers["WWW-Authenticate"] = error.auth_header
    if getattr(error, "wait", None) is not None:
        headers["Retry-After"] = str(max(1, round(error.wait)))
    return headers
