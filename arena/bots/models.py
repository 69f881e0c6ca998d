"""Bots and their versions. A version never changes after upload; matches name versions, never bots."""

from __future__ import annotations

from django.conf import settings
from django.core.validators import RegexValidator
from django.db import models
from django.db.models import Q


class Bot(models.Model):
    """A contestant, known by its slug. What plays is one of its versions."""

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="bots")
    slug = models.SlugField(
        max_length=40,
        unique=True,
        validators=[RegexValidator(r"^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$")],
    )
    description = models.CharField(max_length=200, blank=True)
    is_anchor = models.BooleanField(default=False, help_text="Its rating is pinned at 1500 on every ladder.")
    is_retired = models.BooleanField(default=False, help_text="Retired bots get no new ladder matches.")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return self.slug


class BotVersion(models.Model):
    """One upload of a bot: its archive, its manifest and how its build and validation went."""

    class State(models.TextChoices):
        UPLOADED = "uploaded", "waiting for its build"
        BUILDING = "building", "building"
        VALIDATING = "validating", "playing its validation match"
        READY = "ready", "ready to play"
        FAILED = "failed", "failed"

    bot = models.ForeignKey(Bot, on_delete=models.PROTECT, related_name="versions")
    number = models.PositiveIntegerField()
    sha256 = models.CharField(max_length=64, help_text="Of the archive's content, not of its wrapping.")
    archive = models.BinaryField(help_text="The canonical zip of the content.")
    language = models.CharField(max_length=20)
    manifest = models.JSONField()
    presets = models.JSONField(help_text="Names of the rule sets it plays.")
    seats = models.JSONField(help_text="Seat counts it plays.")
    state = models.CharField(max_length=12, choices=State, default=State.UPLOADED)
    reason = models.TextField(blank=True, help_text="Why it failed, in words for its author.")
    build_log = models.TextField(blank=True)
    artifact = models.BinaryField(null=True, blank=True, help_text="Zip of the build's output, for compiled languages.")
    lease_token = models.UUIDField(null=True, blank=True)
    lease_expires_at = models.DateTimeField(null=True, blank=True)
    uploaded_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    uploaded_at = models.DateTimeField(auto_now_add=True)
    ready_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(fields=["bot", "number"], name="bot_version_number_once_per_bot"),
            models.UniqueConstraint(fields=["bot", "sha256"], name="bot_version_content_once_per_bot"),
            models.CheckConstraint(condition=~Q(state="failed") | ~Q(reason=""), name="failed_bot_version_has_reason"),
        ]

    def __str__(self) -> str:
        return f"{self.bot} v{self.number}"
