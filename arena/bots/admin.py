"""Bots, versions and hosts in the admin: to be looked at; versions never change."""

from __future__ import annotations

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from arena.bots.models import Bot, BotVersion, Host


class ReadOnlyAdmin(admin.ModelAdmin):
    """Shows rows that only services write."""

    def has_add_permission(self, _request: HttpRequest) -> bool:
        """No."""
        return False

    def has_change_permission(self, _request: HttpRequest, _obj: object | None = None) -> bool:
        """No."""
        return False

    def has_delete_permission(self, _request: HttpRequest, _obj: object | None = None) -> bool:
        """No."""
        return False


@admin.register(Bot)
class BotAdmin(admin.ModelAdmin):
    """The staff may retire a bot and pin the anchors."""

    list_display = ("slug", "owner", "is_anchor", "is_retired", "created_at")
    list_filter = ("is_anchor", "is_retired")
    list_select_related = ("owner",)
    search_fields = ("slug", "owner__username")
    readonly_fields = ("owner", "slug", "created_at")


@admin.register(BotVersion)
class BotVersionAdmin(ReadOnlyAdmin):
    """Versions, with their build logs."""

    list_display = ("bot", "number", "language", "state", "failure", "size", "uploaded_by", "uploaded_at")
    list_filter = ("state", "failure", "language")
    search_fields = ("bot__slug", "sha256")

    def get_queryset(self, request: HttpRequest) -> QuerySet[BotVersion]:
        """With the names of the list in the same query."""
        return super().get_queryset(request).select_related("bot", "uploaded_by")


@admin.register(Host)
class HostAdmin(ReadOnlyAdmin):
    """What each worker host's sandbox holds and lacks, and what to do about it."""

    list_display = ("name", "backend", "ok", "reason", "languages", "seen_at")
