"""Rule sets and positions."""

from __future__ import annotations

from rest_framework import serializers


class RuleSetOut(serializers.Serializer):
    """A rule set."""

    name = serializers.CharField()
    summary = serializers.CharField()
    seats = serializers.ListField(
        source="seat_counts", child=serializers.IntegerField(), help_text="Numbers of seats that it can be played with."
    )


class RuleSetDetailOut(RuleSetOut):
    """A rule set in words and in every option."""

    explanation = serializers.CharField(source="explain")
    options = serializers.DictField(source="to_dict")


class PositionIn(serializers.Serializer):
    """A position to look at."""

    position = serializers.DictField(help_text="As `GameState.to_position` writes it; what is left out has a default.")
    move = serializers.CharField(required=False, max_length=40, help_text="A move to judge, such as `b8S:JS`.")


class RefusalOut(serializers.Serializer):
    """Why a move is not legal."""

    rule = serializers.CharField(help_text="The section of the rules that forbids it.")
    message = serializers.CharField()
    cards = serializers.ListField(child=serializers.CharField())


class PositionOut(serializers.Serializer):
    """What may be played in a position."""

    seat_to_move = serializers.IntegerField(allow_null=True)
    legal = serializers.ListField(child=serializers.CharField())
    is_over = serializers.BooleanField()
    refusal = RefusalOut(allow_null=True, help_text="Of the move that was asked about; null if it is legal.")
