"""The bots app."""

from django.apps import AppConfig


class BotsConfig(AppConfig):
    """Bots, their versions, and the hosts that run them."""

    name = "arena.bots"
