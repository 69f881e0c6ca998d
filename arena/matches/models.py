"""The queue of matches, their attempts, deals, faults and logs. The row is the queue."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q


class Match(models.Model):
    """A match between versions under one rule set: ``sets`` decks, each played once per rotation of the seats."""

    class Kind(models.TextChoices):
        LADDER = "ladder", "ladder"
        CHALLENGE = "challenge", "challenge"
        VALIDATION = "validation", "validation"

    class State(models.TextChoices):
        QUEUED = "queued", "queued"
        RUNNING = "running", "running"
        FINISHED = "finished", "finished"
        ABANDONED = "abandoned", "abandoned"
        CANCELLED = "cancelled", "cancelled"

    LIVE = (State.QUEUED, State.RUNNING)

    kind = models.CharField(max_length=10, choices=Kind)
    state = models.CharField(max_length=10, choices=State, default=State.QUEUED)
    preset = models.CharField(max_length=40, help_text="Name of the rule set.")
    rules = models.JSONField(help_text="Every option of the rule set, spelled out.")
    seats = models.PositiveSmallIntegerField()
    sets = models.PositiveSmallIntegerField(help_text="Duplicate sets; deals = sets x seats.")
    orders = models.PositiveSmallIntegerField(default=1, help_text="Circular orders that the sets are spread over.")
    time_control = models.JSONField(help_text="startup_ms, move_ms, bank_ms.")
    seed = models.BinaryField(help_text="Secret until the match has ended.")
    commitment = models.CharField(max_length=64, help_text="SHA-256 of the seed, published at once.")
    priority = models.SmallIntegerField(default=0, help_text="Higher first.")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    retry_at = models.DateTimeField(null=True, blank=True, help_text="Not before then, after a void attempt.")
    reason = models.TextField(blank=True, help_text="Why it was abandoned or cancelled.")
    logs_dropped_at = models.DateTimeField(null=True, blank=True, help_text="When what its bots wrote was dropped.")

    class Meta:
        ordering = ["-id"]
        verbose_name_plural = "matches"
        indexes = [
            models.Index(fields=["-priority", "id"], condition=Q(state="queued"), name="match_queue"),
            models.Index(fields=["kind", "-id"], name="match_by_kind"),
            models.Index(fields=["state", "-id"], name="match_by_state"),
            models.Index(fields=["preset", "-id"], name="match_by_preset"),
            models.Index(fields=["created_by", "state"], name="match_quota"),
            models.Index(fields=["-finished_at", "-id"], condition=Q(state="finished"), name="match_finished"),
            models.Index(
                fields=["finished_at"],
                condition=Q(state="finished", logs_dropped_at__isnull=True),
                name="match_with_logs",
            ),
        ]
        constraints = [
            models.CheckConstraint(condition=Q(seats__gte=2, sets__gte=1), name="match_has_seats_and_sets"),
            models.CheckConstraint(
                condition=Q(state="finished", finished_at__isnull=False) | ~Q(state="finished"),
                name="finished_match_has_time",
            ),
            models.CheckConstraint(
                condition=~Q(state__in=["abandoned", "cancelled"]) | ~Q(reason=""),
                name="ended_match_has_reason",
            ),
        ]

    def __str__(self) -> str:
        return f"match {self.pk}"

    @property
    def deals_total(self) -> int:
        """How many deals it has: every deck once per rotation."""
        return self.sets * self.seats

    @property
    def revealed_seed(self) -> str | None:
        """The seed in hex once the match is finished, else None. Pages and the API read this, never ``seed``."""
        return bytes(self.seed).hex() if self.state == self.State.FINISHED else None

    @property
    def queue_ms(self) -> int:
        """How long it waited for its first attempt, in ms; 0 before that."""
        return round((self.started_at - self.created_at).total_seconds() * 1000) if self.started_at else 0


class Participant(models.Model):
    """One version's place in a match, and its totals once the match is finished (null until then)."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="participants")
    index = models.PositiveSmallIntegerField(help_text="0-based; seats rotate, this does not.")
    version = models.ForeignKey("bots.BotVersion", on_delete=models.PROTECT, related_name="participations")
    deals = models.PositiveIntegerField(null=True, blank=True)
    duraks = models.PositiveIntegerField(null=True, blank=True)
    draws = models.PositiveIntegerField(null=True, blank=True)
    faults = models.PositiveIntegerField(null=True, blank=True)
    excluded = models.BooleanField(default=False, help_text="Was put out of a sitting or more for its faults.")
    spoilt_at = models.DateTimeField(
        null=True,
        blank=True,
        help_text="When the match was abandoned, if in most attempts it was in this one's turn that the host failed.",
    )

    class Meta:
        ordering = ["index"]
        constraints = [
            models.UniqueConstraint(fields=["match", "index"], name="participant_index_once_per_match"),
            models.CheckConstraint(
                condition=Q(deals__isnull=True) | Q(deals__gte=F("duraks") + F("draws")),
                name="participant_totals_add_up",
            ),
        ]
        indexes = [
            models.Index(fields=["spoilt_at"], condition=Q(spoilt_at__isnull=False), name="participant_spoilt"),
        ]

    def __str__(self) -> str:
        return f"participant {self.index} of match {self.match_id}"


class Attempt(models.Model):
    """One try of one worker at playing a match, held by a lease. Every attempt is kept."""

    class Outcome(models.TextChoices):
        RUNNING = "running", "running"
        FINISHED = "finished", "finished"
        VOID = "void", "void: the host failed"
        LOST = "lost", "lost: the worker went away"
        LATE = "late", "late: the lease had passed on"
        CANCELLED = "cancelled", "cancelled: the match was called off"
        STOPPED = "stopped", "stopped: the worker was shut down"

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="attempts")
    number = models.PositiveSmallIntegerField()
    worker = models.CharField(max_length=120)
    token = models.UUIDField(unique=True)
    started_at = models.DateTimeField()
    lease_expires_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)
    outcome = models.CharField(max_length=10, choices=Outcome, default=Outcome.RUNNING)
    reason = models.TextField(blank=True)
    deals_done = models.PositiveIntegerField(default=0, help_text="Progress, as of the last renewal of the lease.")
    host = models.JSONField(default=dict, help_text="Backend, queue lag, play and CPU time (ms).")
    in_turn_of = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="Index of the participant in whose turn the host failed."
    )

    class Meta:
        ordering = ["number"]
        indexes = [
            models.Index(fields=["lease_expires_at"], condition=Q(outcome="running"), name="attempt_leases"),
        ]
        constraints = [
            models.UniqueConstraint(fields=["match", "number"], name="attempt_number_once_per_match"),
            models.UniqueConstraint(
                fields=["match"], condition=Q(outcome="running"), name="one_running_attempt_per_match"
            ),
            models.UniqueConstraint(fields=["match"], condition=Q(outcome="finished"), name="one_result_per_match"),
            models.CheckConstraint(
                condition=Q(outcome="running", ended_at__isnull=True)
                | ~Q(outcome="running") & Q(ended_at__isnull=False),
                name="ended_attempt_has_time",
            ),
            models.CheckConstraint(
                condition=Q(outcome__in=["running", "finished"]) | ~Q(reason=""),
                name="failed_attempt_has_reason",
            ),
        ]

    def __str__(self) -> str:
        return f"attempt {self.number} of match {self.match_id}"


class Deal(models.Model):
    """One deal of a finished match, replayable from its record."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="deals")
    index = models.PositiveSmallIntegerField(help_text="0-based, over all sittings.")
    set_index = models.PositiveSmallIntegerField()
    sitting = models.PositiveSmallIntegerField(help_text="Rotation of the participants around the seats.")
    seating = models.JSONField(help_text="Participant index by seat.")
    record = models.TextField()
    duraks = models.JSONField(help_text="Participant indexes of the durak (team: both); empty for a draw.")
    ended = models.CharField(max_length=20, help_text="Why the deal ended: last_holder, both_empty, fault, ...")
    moves = models.PositiveIntegerField()
    timings = models.JSONField(default=list, help_text="[turn, seat, ms] of each decision that was asked.")

    class Meta:
        ordering = ["index"]
        constraints = [models.UniqueConstraint(fields=["match", "index"], name="deal_index_once_per_match")]

    def __str__(self) -> str:
        return f"deal {self.index} of match {self.match_id}"


class Fault(models.Model):
    """What a bot did wrong, told to its owner with the offending line and the position."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="fault_set")
    participant = models.ForeignKey(Participant, on_delete=models.CASCADE, related_name="fault_set")
    deal_index = models.PositiveSmallIntegerField(null=True, blank=True, help_text="Null before the first deal.")
    turn = models.PositiveIntegerField(null=True, blank=True)
    verdict = models.CharField(max_length=20)
    reason = models.TextField()
    line = models.TextField(blank=True, help_text="What the bot sent, cut to 2 KiB; for its owner and the staff.")
    view = models.JSONField(null=True, blank=True, help_text="What the bot saw; for its owner and the staff.")

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return f"{self.verdict} in match {self.match_id}"


class BotLog(models.Model):
    """How one bot's process went in one sitting: its stderr and its exit. Shown to its owner and the staff."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="logs")
    participant = models.ForeignKey(Participant, on_delete=models.CASCADE, related_name="logs")
    sitting = models.PositiveSmallIntegerField()
    stderr = models.TextField(blank=True)
    exit = models.JSONField(default=dict, help_text="code, signal, oom, cpu_ms, peak_memory (bytes), reason.")

    class Meta:
        ordering = ["sitting"]
        constraints = [
            models.UniqueConstraint(fields=["participant", "sitting"], name="bot_log_once_per_sitting"),
        ]

    def __str__(self) -> str:
        return f"log of sitting {self.sitting} in match {self.match_id}"
