"""Ladders in the admin: open, rename and close them; what was played is only read."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.http import HttpRequest

from arena.errors import ArenaError
from arena.ladders.models import Ladder, Rating
from arena.ladders.services import ladder_close
from arena.ladders.shapes import check_shape


class LadderForm(forms.ModelForm):
    """Checks that a ladder of this shape can be played."""

    class Meta:
        model = Ladder
        fields = ("name", "slug", "preset", "seats", "sets", "time_control", "is_open")

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if not self.errors:
            shape = {"preset": self.instance.preset, "seats": self.instance.seats} | data
            try:
                check_shape(shape["preset"], shape["seats"], data["sets"], data.get("time_control") or {})
            except ArenaError as error:
                field = error.field if error.field in self.fields else None
                raise forms.ValidationError({field or forms.forms.NON_FIELD_ERRORS: error.message}) from error
        return data


@admin.register(Ladder)
class LadderAdmin(admin.ModelAdmin):
    """The shape is fixed once a ladder is made; other rules are another ladder."""

    form = LadderForm
    list_display = ("name", "preset", "seats", "sets", "is_open", "last_finished_at")
    list_filter = ("is_open", "preset")
    prepopulated_fields = {"slug": ("name",)}
    actions = ("close",)

    def get_readonly_fields(self, request: HttpRequest, obj: Ladder | None = None) -> tuple[str, ...]:
        return () if obj is None else ("slug", "preset", "seats")

    def get_prepopulated_fields(self, request: HttpRequest, obj: Ladder | None = None) -> dict[str, Any]:
        return {} if obj is not None else self.prepopulated_fields

    def has_delete_permission(self, request: HttpRequest, obj: Ladder | None = None) -> bool:
        return False

    @admin.action(description="Close: no new matches, the ratings stand")
    def close(self, request: HttpRequest, queryset: Any) -> None:
        for ladder in queryset.filter(is_open=True):
            ladder_close(ladder=ladder)
            messages.success(request, f"{ladder} is closed.")


@admin.register(Rating)
class RatingAdmin(admin.ModelAdmin):
    """Ratings are computed; `rebuild_ladder` is the one way to change them."""

    list_display = ("ladder", "version", "value", "deals", "duraks", "faulty_streak", "is_current")
    list_filter = ("ladder", "is_current")
    list_select_related = ("ladder", "version__bot")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Rating | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Rating | None = None) -> bool:
        return False
