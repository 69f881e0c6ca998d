"""People and their API tokens."""

from __future__ import annotations

from django.contrib.auth.models import AbstractUser
from django.db import models

NAME_LENGTH = 60
PREFIX_LENGTH = 12


class User(AbstractUser):
    """A person. ``is_house`` owns the reference bots and cannot sign in."""

    is_house = models.BooleanField(default=False)


class ApiToken(models.Model):
    """A bearer token. Only its SHA-256 is kept; the text is shown once, when it is made."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="tokens")
    name = models.CharField(max_length=NAME_LENGTH)
    prefix = models.CharField(
        max_length=PREFIX_LENGTH, help_text="The first characters, so that its owner can tell tokens apart."
    )
    digest = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField(auto_now_add=True)
    last_used_at = models.DateTimeField(null=True, blank=True)
    expires_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-id"]
        constraints = [models.UniqueConstraint(fields=["user", "name"], name="api_token_name_once_per_user")]

    def __str__(self) -> str:
        return f"{self.prefix}… ({self.name})"
