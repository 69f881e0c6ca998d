"""Ladders, standings and histories. Ratings and RD are in Elo points."""

from __future__ import annotations

from rest_framework import serializers


class LadderFilter(serializers.Serializer):
    """Which ladders to list."""

    open = serializers.BooleanField(
        required=False, allow_null=True, default=None, help_text="Only open, or only closed."
    )


class LadderOut(serializers.Serializer):
    """A standing competition under one rule set and number of seats."""

    slug = serializers.CharField()
    name = serializers.CharField()
    preset = serializers.CharField()
    seats = serializers.IntegerField()
    sets = serializers.IntegerField(help_text="Duplicate sets per match.")
    time_control = serializers.DictField(
        child=serializers.IntegerField(), help_text="What differs from the default clock, ms."
    )
    is_open = serializers.BooleanField()
    bots = serializers.IntegerField(help_text="Bots that have a rating on it.")
    matches = serializers.IntegerField(source="played", help_text="Matches that were rated.")
    last_finished_at = serializers.DateTimeField(allow_null=True)


class LadderStatusOut(serializers.Serializer):
    """Whether the ladder plays, and if not, why."""

    able = serializers.IntegerField()
    paused = serializers.IntegerField()
    queued = serializers.IntegerField()
    running = serializers.IntegerField()
    finished = serializers.IntegerField()
    message = serializers.CharField()


class LadderDetailOut(LadderOut):
    """A ladder and what it is doing."""

    status = LadderStatusOut()


class StandingOut(serializers.Serializer):
    """One line of a ladder."""

    rank = serializers.IntegerField(
        allow_null=True,
        help_text="Null before its first deal, until the rating is firm (RD <= 50), and while it is paused for anything"
        " but want of a host.",
    )
    bot = serializers.CharField(source="bot.slug")
    owner = serializers.CharField(source="bot.owner.username")
    version = serializers.IntegerField(source="version.number")
    rating = serializers.FloatField()
    rd = serializers.FloatField(help_text="Rating deviation; 0 for an anchor.")
    provisional = serializers.BooleanField(help_text="RD > 75: the rating is a guess still.")
    is_anchor = serializers.BooleanField()
    paused = serializers.CharField(help_text="Why it gets no matches at present; empty if it does.")
    matches = serializers.IntegerField()
    deals = serializers.IntegerField()
    duraks = serializers.IntegerField()
    draws = serializers.IntegerField()
    durak_rate = serializers.FloatField(allow_null=True)
    durak_interval = serializers.ListField(
        child=serializers.FloatField(), allow_null=True, help_text="95 % Wilson interval: low, high."
    )


class OfficialOut(serializers.Serializer):
    """One line of the official table: the maximum-likelihood fit over all deals."""

    rank = serializers.IntegerField()
    bot = serializers.CharField(source="version.bot.slug")
    owner = serializers.CharField(source="version.bot.owner.username")
    version = serializers.IntegerField(source="version.number")
    rating = serializers.FloatField()
    error = serializers.FloatField(help_text="Standard error; 0 for the version that is pinned.")
    interval = serializers.ListField(child=serializers.FloatField(), help_text="95 % confidence interval: low, high.")
    deals = serializers.IntegerField()
    is_anchor = serializers.BooleanField(help_text="It is pinned at 1500, and the others are relative to it.")


class HistoryFilter(serializers.Serializer):
    """Whose history."""

    bot = serializers.SlugField()


class HistoryOut(serializers.Serializer):
    """A bot's rating after one of its matches."""

    match = serializers.IntegerField(source="match_id")
    version = serializers.IntegerField()
    rating = serializers.FloatField()
    finished_at = serializers.DateTimeField(source="applied_at")
