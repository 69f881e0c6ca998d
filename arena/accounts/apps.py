"""The accounts app."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """People and their tokens."""

    name = "arena.accounts"
