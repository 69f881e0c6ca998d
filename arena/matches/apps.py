"""The matches app; connects builds with validation matches."""

from django.apps import AppConfig


class MatchesConfig(AppConfig):
    """The queue of matches."""

    name = "arena.matches"

    def ready(self) -> None:
        """Register what follows a build and a suspension, and what a validation match decides."""
        from arena.bots.hooks import on_built, on_suspended
        from arena.matches import services, validation
        from arena.matches.models import Match
        from arena.matches.outcomes import on_abandoned, on_finished

        on_suspended(services.bot_matches_cancel)
        on_built(validation.validation_create)
        on_finished(Match.Kind.VALIDATION)(validation.validation_finished)
        on_abandoned(Match.Kind.VALIDATION)(validation.validation_abandoned)
