"""Matches, their deals, faults and logs."""

from __future__ import annotations

from rest_framework import serializers

from arena.matches.models import Attempt, Match
from arena.matches.services import MAX_SETS


class MatchFilter(serializers.Serializer):
    """Which matches to list."""

    bot = serializers.SlugField(required=False, help_text="A bot that plays in them.")
    ladder = serializers.SlugField(required=False, help_text="The ladder on which they count.")
    kind = serializers.ChoiceField(choices=Match.Kind.choices, required=False)
    state = serializers.ChoiceField(choices=Match.State.choices, required=False)
    preset = serializers.CharField(required=False, max_length=40, help_text="Name of the rule set.")


class ChallengeIn(serializers.Serializer):
    """An unrated match to queue: your bot against others, each in its newest ready version."""

    bot = serializers.SlugField(help_text="A bot of yours.")
    opponents = serializers.ListField(child=serializers.SlugField(), min_length=1, max_length=5)
    preset = serializers.CharField(max_length=40, default="podkidnoy", help_text="Name of the rule set.")
    sets = serializers.IntegerField(
        min_value=1, max_value=MAX_SETS, default=1, help_text="Decks, each played once per rotation of the seats."
    )


class CancelIn(serializers.Serializer):
    """Why a match is called off."""

    reason = serializers.CharField(max_length=200, help_text="It is shown to everybody, after your name.")


class ParticipantOut(serializers.Serializer):
    """One version's place in a match; its totals are null until the match is finished."""

    index = serializers.IntegerField(help_text="From 0; seats rotate, this does not.")
    bot = serializers.CharField(source="version.bot.slug")
    version = serializers.IntegerField(source="version.number")
    owner = serializers.CharField(source="version.bot.owner.username")
    deals = serializers.IntegerField(allow_null=True)
    duraks = serializers.IntegerField(allow_null=True, help_text="Deals that it lost.")
    draws = serializers.IntegerField(allow_null=True)
    faults = serializers.IntegerField(allow_null=True)
    excluded = serializers.BooleanField(help_text="It was put out for its faults.")


class MatchOut(serializers.Serializer):
    """A match."""

    id = serializers.IntegerField()
    kind = serializers.ChoiceField(choices=Match.Kind.choices)
    state = serializers.ChoiceField(choices=Match.State.choices)
    ladder = serializers.SerializerMethodField(help_text="The ladder on which it counts.")
    preset = serializers.CharField()
    seats = serializers.IntegerField()
    sets = serializers.IntegerField()
    deals_total = serializers.IntegerField(help_text="sets x seats")
    participants = ParticipantOut(many=True)
    created_at = serializers.DateTimeField()
    started_at = serializers.DateTimeField(allow_null=True)
    finished_at = serializers.DateTimeField(allow_null=True)

    def get_ladder(self, match: Match) -> str | None:
        link = getattr(match, "ladder_match", None)
        return None if link is None else link.ladder.slug


class AttemptOut(serializers.Serializer):
    """One try of one worker at playing a match."""

    number = serializers.IntegerField()
    outcome = serializers.ChoiceField(choices=Attempt.Outcome.choices)
    reason = serializers.CharField()
    deals_done = serializers.IntegerField()
    started_at = serializers.DateTimeField()
    ended_at = serializers.DateTimeField(allow_null=True)


class RatingChangeOut(serializers.Serializer):
    """What the match did to one participant's rating."""

    participant = serializers.IntegerField()
    before = serializers.FloatField()
    after = serializers.FloatField()


class MatchDetailOut(MatchOut):
    """A match with its terms, its attempts, and how far it is."""

    commitment = serializers.CharField(help_text="SHA-256 of the seed, public from the first.")
    seed = serializers.CharField(source="revealed_seed", allow_null=True, help_text="In hex, once it is finished.")
    rules = serializers.DictField(help_text="Every option of the rule set.")
    time_control = serializers.DictField(child=serializers.IntegerField(), help_text="Milliseconds.")
    reason = serializers.CharField(help_text="Why it was abandoned or cancelled.")
    logs_dropped_at = serializers.DateTimeField(allow_null=True, help_text="When what its bots wrote was dropped.")
    created_by = serializers.CharField(source="created_by.username", allow_null=True, default=None)
    deals_done = serializers.IntegerField()
    attempts = AttemptOut(many=True)
    rating_changes = RatingChangeOut(many=True)


class DealOut(serializers.Serializer):
    """One deal of a finished match."""

    index = serializers.IntegerField()
    set_index = serializers.IntegerField(help_text="The deck that was dealt.")
    sitting = serializers.IntegerField(help_text="The rotation of the participants around the seats.")
    seating = serializers.ListField(child=serializers.IntegerField(), help_text="Participant by seat.")
    duraks = serializers.ListField(child=serializers.IntegerField(), help_text="Participants; none for a draw.")
    ended = serializers.CharField(help_text="Why it ended.")
    moves = serializers.IntegerField()


class SeatFilter(serializers.Serializer):
    """Whose eyes to see a deal with."""

    seat = serializers.CharField(
        required=False, max_length=4, default="all", help_text="A seat's number, `none` for a spectator, or `all`."
    )


class EventsOut(serializers.Serializer):
    """A deal as one seat, a spectator, or someone who sees all cards saw it."""

    seat = serializers.CharField(help_text="Whose eyes: a seat's number, `none` or `all`.")
    events = serializers.ListField(child=serializers.DictField(), help_text="In order; see the docs for the kinds.")


class FaultOut(serializers.Serializer):
    """What a bot did wrong. The line and the view are for its owner and the staff only."""

    participant = serializers.IntegerField(source="participant.index")
    bot = serializers.CharField(source="participant.version.bot.slug")
    version = serializers.IntegerField(source="participant.version.number")
    deal = serializers.IntegerField(source="deal_index", allow_null=True, help_text="Null before the first.")
    turn = serializers.IntegerField(allow_null=True)
    verdict = serializers.CharField()
    reason = serializers.CharField()
    line = serializers.SerializerMethodField(help_text="What it sent, cut to 2 KiB; null unless the bot is yours.")
    view = serializers.DictField(allow_null=True, help_text="What it saw; null unless the bot is yours.")

    def get_line(self, fault: object) -> str | None:
        return fault.line or None


class LogOut(serializers.Serializer):
    """How one of your bots' processes went in one sitting."""

    participant = serializers.IntegerField(source="participant.index")
    bot = serializers.CharField(source="participant.version.bot.slug")
    version = serializers.IntegerField(source="participant.version.number")
    sitting = serializers.IntegerField()
    stderr = serializers.CharField()
    exit = serializers.DictField(help_text="code, signal, oom, cpu_ms, peak_memory (bytes), reason")
