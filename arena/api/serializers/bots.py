"""Bots and their versions."""

from __future__ import annotations

from rest_framework import serializers

from arena.bots.models import BotVersion


class BotFilter(serializers.Serializer):
    """Which bots to list."""

    owner = serializers.CharField(required=False, help_text="A user name.")
    search = serializers.CharField(required=False, max_length=40, help_text="Part of the slug.")


class BotIn(serializers.Serializer):
    """A bot to make."""

    slug = serializers.CharField(max_length=40, help_text="Its name: lower-case letters, digits and inner hyphens.")
    description = serializers.CharField(required=False, allow_blank=True, max_length=200)


class BotChange(serializers.Serializer):
    """What its owner may change of a bot."""

    description = serializers.CharField(required=False, allow_blank=True, max_length=200)
    is_retired = serializers.BooleanField(required=False, help_text="Retired bots get no new matches.")


class BotOut(serializers.Serializer):
    """A bot."""

    slug = serializers.CharField()
    owner = serializers.CharField(source="owner.username")
    description = serializers.CharField()
    current_version = serializers.IntegerField(
        allow_null=True, help_text="Number of the newest version that is ready to play."
    )
    is_anchor = serializers.BooleanField(help_text="Its rating is pinned at 1500.")
    is_retired = serializers.BooleanField(help_text="By its owner.")
    is_suspended = serializers.BooleanField(help_text="By the arena's staff: it gets no new matches and no uploads.")
    created_at = serializers.DateTimeField()


class PauseOut(serializers.Serializer):
    """A ladder on which the bot gets no matches: for its faults, for abandoned matches, or for want of a host."""

    ladder = serializers.CharField(source="ladder.slug")
    version = serializers.IntegerField(source="version.number")
    message = serializers.CharField()


class BotRatingOut(serializers.Serializer):
    """Where the bot stands on one ladder."""

    ladder = serializers.CharField(source="ladder.slug")
    version = serializers.IntegerField(source="version.number")
    rating = serializers.FloatField(source="value")
    rd = serializers.FloatField(source="standing.rd", help_text="Rating deviation; 0 for an anchor.")
    provisional = serializers.BooleanField(source="standing.provisional")
    matches = serializers.IntegerField()
    deals = serializers.IntegerField()
    duraks = serializers.IntegerField()
    draws = serializers.IntegerField()


class BotDetailOut(BotOut):
    """A bot, where it stands and where it is paused."""

    suspension_reason = serializers.CharField(
        allow_null=True, help_text="Why it is suspended, for its owner and the staff; null for everybody else."
    )
    ratings = BotRatingOut(many=True)
    pauses = PauseOut(many=True)


class VersionIn(serializers.Serializer):
    """An archive to upload."""

    archive = serializers.FileField(help_text="A zip or tar.gz with durak.toml at its root.")


class VersionOut(serializers.Serializer):
    """A version of a bot; it never changes after upload."""

    bot = serializers.CharField(source="bot.slug")
    number = serializers.IntegerField()
    state = serializers.ChoiceField(choices=BotVersion.State.choices)
    language = serializers.CharField()
    presets = serializers.ListField(child=serializers.CharField(), help_text="Rule sets that it plays.")
    seats = serializers.ListField(child=serializers.IntegerField(), help_text="Numbers of seats that it plays.")
    sha256 = serializers.CharField(help_text="Of the archive's content, not of its wrapping.")
    size = serializers.IntegerField(help_text="Bytes.")
    uploaded_at = serializers.DateTimeField()
    ready_at = serializers.DateTimeField(allow_null=True)


class VersionDetailOut(VersionOut):
    """A version with what only its owner and the arena's staff are told; null for everybody else."""

    failure = serializers.CharField(allow_null=True, help_text="`build`, `validation` or `host`; empty if none.")
    reason = serializers.CharField(allow_null=True, help_text="Why it failed.")
    build_log = serializers.CharField(allow_null=True)
    validation_match = serializers.IntegerField(
        allow_null=True, help_text="Number of the match it played against itself to be let in."
    )
