"""People and tokens."""

from __future__ import annotations

from rest_framework import serializers


class MeOut(serializers.Serializer):
    """Who is calling."""

    username = serializers.CharField()
    is_staff = serializers.BooleanField()
    bots = serializers.IntegerField(help_text="How many bots you have.")


class TokenIn(serializers.Serializer):
    """A token to make."""

    name = serializers.CharField(max_length=60, help_text="What you will know it by.")
    expires_at = serializers.DateTimeField(required=False, allow_null=True, help_text="It never expires without.")


class TokenOut(serializers.Serializer):
    """A token, without its text."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    prefix = serializers.CharField(help_text="The first characters of its text.")
    created_at = serializers.DateTimeField()
    last_used_at = serializers.DateTimeField(allow_null=True)
    expires_at = serializers.DateTimeField(allow_null=True)


class NewTokenOut(TokenOut):
    """A token with its text, which is shown only here."""

    token = serializers.CharField(help_text="Keep it: it cannot be shown again.")
