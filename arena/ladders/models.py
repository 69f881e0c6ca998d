"""Ladders, the ratings on them and the ledger of every rating change."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q

from bots_sdk.ratings import Standing


class Ladder(models.Model):
    """A standing competition under one preset and seat count."""

    slug = models.SlugField(max_length=60, unique=True)
    name = models.CharField(max_length=80)
    preset = models.CharField(max_length=40)
    seats = models.PositiveSmallIntegerField()
    sets = models.PositiveSmallIntegerField(default=6, help_text="Duplicate sets per match.")
    time_control = models.JSONField(default=dict, blank=True, help_text="Overrides of the default time control, ms.")
    is_open = models.BooleanField(default=True)
    created_at = models.DateTimeField(auto_now_add=True)
    last_finished_at = models.DateTimeField(null=True, blank=True, help_text="Of the last match applied; only grows.")
    played = models.PositiveIntegerField(default=0, db_default=0, editable=False, help_text="Matches rated.")

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["preset", "seats"], condition=Q(is_open=True), name="one_open_ladder_per_shape"
            ),
            models.CheckConstraint(condition=Q(seats__gte=2, sets__gte=1), name="ladder_has_seats_and_sets"),
        ]

    def __str__(self) -> str:
        return self.name


class LadderMatch(models.Model):
    """Says that a match counts on a ladder."""

    match = models.OneToOneField(
        "matches.Match", primary_key=True, on_delete=models.CASCADE, related_name="ladder_match"
    )
    ladder = models.ForeignKey(Ladder, on_delete=models.PROTECT, related_name="ladder_matches")
    applied_at = models.DateTimeField(null=True, blank=True, help_text="When its rating events were written.")

    class Meta:
        indexes = [
            models.Index(fields=["ladder", "-match"], name="ladder_match_newest"),
            models.Index(fields=["ladder", "-applied_at"], name="ladder_match_rated"),
        ]

    def __str__(self) -> str:
        return f"match {self.match_id} on {self.ladder}"


class Rating(models.Model):
    """A version's live rating on a ladder: a running total of its events."""

    ladder = models.ForeignKey(Ladder, on_delete=models.CASCADE, related_name="ratings")
    version = models.ForeignKey("bots.BotVersion", on_delete=models.PROTECT, related_name="ratings")
    bot = models.ForeignKey("bots.Bot", on_delete=models.PROTECT, related_name="ratings")
    value = models.FloatField(help_text="Elo points.")
    information = models.FloatField(help_text="1 / RD^2, in 1 / Elo^2.")
    matches = models.PositiveIntegerField(default=0)
    deals = models.PositiveIntegerField(default=0)
    duraks = models.PositiveIntegerField(default=0)
    draws = models.PositiveIntegerField(default=0)
    faulty_streak = models.PositiveIntegerField(
        default=0, help_text="Matches in a row in which it was put out for faults."
    )
    is_current = models.BooleanField(default=True, help_text="The version of its bot that stands on the ladder.")
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["-value", "id"]
        constraints = [
            models.UniqueConstraint(fields=["ladder", "version"], name="rating_once_per_version_and_ladder"),
            models.UniqueConstraint(
                fields=["ladder", "bot"],
                condition=Q(is_current=True),
                name="one_current_rating_per_bot_and_ladder",
            ),
            models.CheckConstraint(condition=Q(information__gt=0), name="rating_has_information"),
            models.CheckConstraint(condition=Q(deals__gte=F("duraks") + F("draws")), name="rating_totals_add_up"),
        ]

    def __str__(self) -> str:
        return f"{self.version} on {self.ladder}: {self.value:.0f}"

    @property
    def standing(self) -> Standing:
        """As the formulas see it: with its RD, whether it is provisional or ranked. Needs the bot loaded."""
        return Standing(self.value, self.information, pinned=self.bot.is_anchor)


class RatingEvent(models.Model):
    """One rating change: one seat in one deal. The database lets nobody change it; a rebuild may replace it."""

    ladder = models.ForeignKey(Ladder, on_delete=models.CASCADE, related_name="events")
    match = models.ForeignKey("matches.Match", on_delete=models.PROTECT, related_name="rating_events")
    deal_index = models.PositiveSmallIntegerField()
    version = models.ForeignKey("bots.BotVersion", on_delete=models.PROTECT, related_name="rating_events")
    p = models.FloatField(help_text="Probability of being durak, before the deal.")
    y = models.FloatField(help_text="1 durak, 0 safe, 1/n in a draw.")
    k = models.FloatField()
    before = models.FloatField()
    after = models.FloatField()

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["match", "deal_index", "version"], name="rating_event_once_per_deal"),
            models.CheckConstraint(
                condition=Q(p__gte=0, p__lte=1, y__gte=0, y__lte=1, k__gte=0),
                name="rating_event_is_a_probability",
            ),
        ]
        indexes = [models.Index(fields=["ladder", "version", "-id"], name="rating_event_by_version")]

    def __str__(self) -> str:
        return (
            f"{self.version} in deal {self.deal_index} of match {self.match_id}: {self.before:.1f} to {self.after:.1f}"
        )
