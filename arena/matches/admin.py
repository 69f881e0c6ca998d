"""Matches in the admin: every attempt readable; seeds are not shown."""

from __future__ import annotations

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from arena.bots.admin import ReadOnlyAdmin
from arena.matches.models import Attempt, Match, Participant


class ParticipantInline(admin.TabularInline):
    """Who plays."""

    model = Participant
    fields = readonly_fields = ("index", "version", "deals", "duraks", "draws", "faults", "excluded")
    extra = 0
    can_delete = False

    def get_queryset(self, request: HttpRequest) -> QuerySet[Participant]:
        """With the names of the versions in the same query."""
        return super().get_queryset(request).select_related("version__bot")


class AttemptInline(admin.TabularInline):
    """Every try, and what became of it."""

    model = Attempt
    fields = readonly_fields = ("number", "worker", "started_at", "ended_at", "outcome", "reason", "host")
    extra = 0
    can_delete = False


@admin.register(Attempt)
class AttemptAdmin(ReadOnlyAdmin):
    """Every try of every match: many void ones on a worker mean that its host is overloaded."""

    list_display = ("match", "number", "worker", "outcome", "reason", "deals_done", "started_at", "ended_at")
    list_filter = ("outcome", "started_at")
    list_select_related = ("match",)
    search_fields = ("worker", "reason")
    exclude = ("token",)
    ordering = ("-id",)
    show_full_result_count = False


@admin.register(Match)
class MatchAdmin(ReadOnlyAdmin):
    """Matches and their attempts."""

    list_display = ("id", "kind", "state", "preset", "seats", "sets", "priority", "created_at", "finished_at")
    list_filter = ("kind", "state", "preset")
    exclude = ("seed",)
    inlines = (ParticipantInline, AttemptInline)
