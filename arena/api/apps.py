"""The REST API, version 1."""

from __future__ import annotations

from django.apps import AppConfig


class ApiConfig(AppConfig):
    name = "arena.api"
    label = "api"
    verbose_name = "API"

    def ready(self) -> None:
        from arena.api import schema  # noqa: F401 - registers what the OpenAPI generator must know
