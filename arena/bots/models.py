"""Bots and their versions, and the hosts that run them. A version never changes after upload; matches name versions."""

from __future__ import annotations

from django.conf import settings
from django.core.validators import RegexValidator
from django.db import models
from django.db.models import Q

SLUG = r"^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$"
DESCRIPTION_LENGTH = 200
REASON_LENGTH = 200


class Bot(models.Model):
    """A contestant, known by its slug. What plays is one of its versions."""

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="bots")
    slug = models.SlugField(max_length=40, unique=True, validators=[RegexValidator(SLUG)])
    description = models.CharField(max_length=DESCRIPTION_LENGTH, blank=True)
    is_anchor = models.BooleanField(default=False, help_text="Its rating is pinned at 1500 on every ladder.")
    is_retired = models.BooleanField(default=False, help_text="By its owner. Retired bots get no new matches.")
    is_suspended = models.BooleanField(
        default=False, db_default=False, help_text="By the staff. Suspended bots get no new matches."
    )
    suspension_reason = models.CharField(
        max_length=REASON_LENGTH, blank=True, db_default="", help_text="Its owner reads it."
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(condition=Q(slug__regex=SLUG), name="bot_slug_is_lower_case_words"),
            models.CheckConstraint(
                condition=Q(is_suspended=True) & ~Q(suspension_reason="") | Q(is_suspended=False, suspension_reason=""),
                name="suspended_bot_has_reason",
            ),
        ]

    def __str__(self) -> str:
        return self.slug


class BotVersion(models.Model):
    """One upload of a bot: its manifest and how its build and validation went. Its files are in ``VersionFiles``."""

    class State(models.TextChoices):
        UPLOADED = "uploaded", "waiting for its build"
        BUILDING = "building", "building"
        VALIDATING = "validating", "playing its validation match"
        READY = "ready", "ready to play"
        FAILED = "failed", "failed"

    class Failure(models.TextChoices):
        NONE = "", "has not failed"
        BUILD = "build", "its build failed"
        VALIDATION = "validation", "its validation match failed"
        HOST = "host", "the arena's hosts failed"

    bot = models.ForeignKey(Bot, on_delete=models.PROTECT, related_name="versions")
    number = models.PositiveIntegerField()
    sha256 = models.CharField(max_length=64, help_text="Of the archive's content, not of its wrapping.")
    language = models.CharField(max_length=20)
    manifest = models.JSONField()
    presets = models.JSONField(help_text="Names of the rule sets it plays.")
    seats = models.JSONField(help_text="Seat counts it plays.")
    size = models.PositiveIntegerField(help_text="Bytes of the canonical zip.")
    state = models.CharField(max_length=12, choices=State, default=State.UPLOADED)
    failure = models.CharField(max_length=12, choices=Failure, default=Failure.NONE, blank=True)
    reason = models.TextField(blank=True, help_text="Why it failed, in words for its author.")
    build_log = models.TextField(blank=True, help_text="For its owner and the staff only.")
    build_attempts = models.PositiveSmallIntegerField(default=0)
    retry_at = models.DateTimeField(null=True, blank=True, help_text="Not before then, after a void build.")
    lease_token = models.UUIDField(null=True, blank=True)
    lease_expires_at = models.DateTimeField(null=True, blank=True)
    uploaded_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    uploaded_at = models.DateTimeField(auto_now_add=True)
    ready_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-id"]
        indexes = [
            models.Index(fields=["id"], condition=Q(state__in=["uploaded", "building"]), name="bot_version_builds"),
            models.Index(fields=["uploaded_by", "uploaded_at"], name="bot_version_quota"),
        ]
        constraints = [
            models.UniqueConstraint(fields=["bot", "number"], name="bot_version_number_once_per_bot"),
            models.UniqueConstraint(fields=["bot", "sha256"], name="bot_version_content_once_per_bot"),
            models.CheckConstraint(
                condition=Q(state="failed") & ~Q(failure="") & ~Q(reason="") | ~Q(state="failed") & Q(failure=""),
                name="failed_bot_version_has_reason",
            ),
            models.CheckConstraint(
                condition=Q(state="building", lease_token__isnull=False, lease_expires_at__isnull=False)
                | ~Q(state="building") & Q(lease_token__isnull=True, lease_expires_at__isnull=True),
                name="building_bot_version_has_lease",
            ),
            models.CheckConstraint(
                condition=Q(state="ready", ready_at__isnull=False) | ~Q(state="ready"),
                name="ready_bot_version_has_time",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.bot} v{self.number}"

    @property
    def archive_name(self) -> str:
        """What its archive is called when it is downloaded."""
        return f"{self.bot}-v{self.number}.zip"


class VersionFiles(models.Model):
    """The bytes of a version, apart from it, so that no list ever reads them."""

    version = models.OneToOneField(BotVersion, primary_key=True, on_delete=models.CASCADE, related_name="files")
    archive = models.BinaryField(help_text="The canonical zip of the content.")
    artifact = models.BinaryField(null=True, blank=True, help_text="Zip of the build's output, for compiled languages.")

    class Meta:
        verbose_name_plural = "version files"

    def __str__(self) -> str:
        return f"files of version {self.version_id}"


class Host(models.Model):
    """A worker host and what its sandbox can hold, as its own self-test reported it."""

    name = models.CharField(max_length=120, unique=True)
    backend = models.CharField(max_length=20, blank=True)
    ok = models.BooleanField(default=False, help_text="Whether it can run strangers' code.")
    reason = models.TextField(blank=True, help_text="Why it cannot, in words for everybody.")
    detail = models.TextField(blank=True, db_default="", help_text="What it failed with, for the staff.")
    languages = models.JSONField(default=list, help_text="Languages it can run.")
    controls = models.JSONField(default=list, help_text="Rows of the self-test: control, held, detail, remedy.")
    reported_at = models.DateTimeField()
    seen_at = models.DateTimeField(help_text="Of its last heartbeat.")
    failures = models.PositiveSmallIntegerField(
        default=0, db_default=0, help_text="In a row, without a steady time between."
    )
    probe_at = models.DateTimeField(null=True, blank=True, help_text="When its self-test runs again, if it is not ok.")

    class Meta:
        ordering = ["name"]
        constraints = [
            models.CheckConstraint(condition=Q(ok=True) | ~Q(reason=""), name="host_that_cannot_play_has_reason"),
        ]

    def __str__(self) -> str:
        return self.name
