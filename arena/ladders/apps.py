"""The ladders app; makes finished ladder matches count."""

from __future__ import annotations

from django.apps import AppConfig


class LaddersConfig(AppConfig):
    name = "arena.ladders"
    label = "ladders"
    verbose_name = "ladders"

    def ready(self) -> None:
        # Now, not later: threads that import them while Celery collects its tasks would wait for each other for ever.
        import arena.bots.tasks
        import arena.ladders.tasks
        import arena.matches.tasks  # noqa: F401
        from arena.ladders.services import ladder_apply
        from arena.matches.outcomes import on_finished

        on_finished("ladder")(ladder_apply)
