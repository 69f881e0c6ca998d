"""Bots, versions and hosts in the admin: rows are looked at, and changed by services only."""

from __future__ import annotations

from collections.abc import Callable

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.helpers import ActionForm
from django.db.models import QuerySet
from django.http import HttpRequest

from arena.bots.models import REASON_LENGTH, Bot, BotVersion, Host
from arena.bots.services import bot_anchor, bot_restore, bot_suspend
from arena.errors import ArenaError


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


class ReasonForm(ActionForm):
    """Which action, and why: what suspends a bot asks for it."""

    reason = forms.CharField(required=False, label="Reason, for its owner", max_length=REASON_LENGTH)


@admin.register(Bot)
class BotAdmin(ReadOnlyAdmin):
    """Bots, with what the staff may do with them."""

    list_display = ("slug", "owner", "is_anchor", "is_retired", "is_suspended", "suspension_reason", "created_at")
    list_filter = ("is_anchor", "is_retired", "is_suspended")
    list_select_related = ("owner",)
    search_fields = ("slug", "owner__username")
    action_form = ReasonForm
    actions = ("suspend", "restore", "pin", "unpin")

    def has_moderate_permission(self, request: HttpRequest) -> bool:
        """Whether this person may use the actions."""
        return request.user.has_perm("bots.change_bot")

    @admin.action(description="Suspend: no more matches and uploads", permissions=["moderate"])
    def suspend(self, request: HttpRequest, queryset: QuerySet[Bot]) -> None:
        """For the reason in the form."""
        reason = request.POST.get("reason", "")
        self._each(request, queryset, lambda bot: bot_suspend(bot=bot, by=request.user, reason=reason), "suspended")

    @admin.action(description="Bring back from suspension", permissions=["moderate"])
    def restore(self, request: HttpRequest, queryset: QuerySet[Bot]) -> None:
        """Whatever the reason was."""
        self._each(request, queryset, lambda bot: bot_restore(bot=bot, by=request.user), "brought back")

    @admin.action(description="Pin at 1500 as an anchor", permissions=["moderate"])
    def pin(self, request: HttpRequest, queryset: QuerySet[Bot]) -> None:
        """On every ladder."""
        self._each(request, queryset, lambda bot: bot_anchor(bot=bot, by=request.user, is_anchor=True), "pinned")

    @admin.action(description="Let go: an anchor no more", permissions=["moderate"])
    def unpin(self, request: HttpRequest, queryset: QuerySet[Bot]) -> None:
        """On every ladder."""
        self._each(request, queryset, lambda bot: bot_anchor(bot=bot, by=request.user, is_anchor=False), "let go")

    def _each(self, request: HttpRequest, bots: QuerySet[Bot], change: Callable[[Bot], Bot], done: str) -> None:
        """Change every bot, say so, and note in its history who did it; a refusal ends it."""
        for bot in bots:
            try:
                change(bot)
            except ArenaError as error:
                self.message_user(request, error.message, messages.ERROR)
                return
            because = f": {bot.suspension_reason}" if bot.is_suspended else ""
            self.log_change(request, bot, f"It was {done}{because}")
            self.message_user(request, f"“{bot}” is {done}.", messages.SUCCESS)


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

    list_display = ("name", "backend", "ok", "reason", "detail", "languages", "seen_at", "failures", "probe_at")
