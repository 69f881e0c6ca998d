"""What the OpenAPI generator cannot see by itself: the tokens, and the one shape of every error."""

from __future__ import annotations

from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension

ERROR = {
    "type": "object",
    "description": "Every answer of status 400 or more.",
    "required": ["error"],
    "additionalProperties": False,
    "properties": {
        "error": {
            "type": "object",
            "required": ["code", "message", "field", "details"],
            "additionalProperties": False,
            "properties": {
                "code": {"type": "string", "description": "Stable, for programs.", "examples": ["not_found"]},
                "message": {"type": "string", "description": "What was wrong and what to do, for people."},
                "field": {"type": ["string", "null"], "description": "The input at fault."},
                "details": {"type": "object", "additionalProperties": True},
            },
        },
    },
}
THROTTLED = {
    "description": "Too many requests, or a quota is used up.",
    "headers": {"Retry-After": {"description": "Seconds to wait.", "schema": {"type": "integer"}}},
}


class TokenScheme(OpenApiAuthenticationExtension):
    target_class = "arena.api.authentication.TokenAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {"type": "http", "scheme": "bearer", "description": "A token from POST /api/v1/tokens/ or /me/tokens/."}


class PasswordScheme(OpenApiAuthenticationExtension):
    target_class = "arena.api.authentication.PasswordAuthentication"
    name = "password"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {"type": "http", "scheme": "basic", "description": "User name and password, to make a token."}


def add_errors(result: dict[str, Any], **_others: Any) -> dict[str, Any]:
    """Give every operation its error answers."""
    result["components"].setdefault("schemas", {})["Error"] = ERROR
    content = {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
    for path in result["paths"].values():
        for operation in path.values():
            operation["responses"].setdefault("429", THROTTLED | {"content": content})
            operation["responses"].setdefault("default", {"description": "What was wrong.", "content": content})
    return result
