"""Ladders in the admin: open, rename and close them; what was played is only read."""

from __future__ import annotations

from copy import copy
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.http import HttpRequest

from arena.errors import ArenaError
from arena.ladders.models import Ladder, Rating
from arena.ladders.services import ladder_check, ladder_create, ladder_fixed, ladder_update


class LadderForm(forms.ModelForm):
    """Checks what the services would refuse, so that it is said beside the field."""

    def clean_time_control(self) -> dict[str, int]:
        return self.cleaned_data["time_control"] or {}

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if not self.errors:
            asked = copy(self.instance)
            for name, value in data.items():
                setattr(asked, name, value)
            try:
                ladder_check(asked)
            except ArenaError as error:
                field = error.field if error.field in self.fields else None
                raise forms.ValidationError({field or forms.forms.NON_FIELD_ERRORS: error.message}) from error
        return data


@admin.register(Ladder)
class LadderAdmin(admin.ModelAdmin):
    """The shape is fixed once a ladder is made, sets and clock once it has matches; other rules are another ladder."""

    form = LadderForm
    fields = ("name", "slug", "preset", "seats", "sets", "time_control", "is_open")
    list_display = ("name", "preset", "seats", "sets", "is_open", "played", "last_finished_at")
    list_filter = ("is_open", "preset")
    prepopulated_fields = {"slug": ("name",)}
    actions = ("close",)

    def get_fields(self, request: HttpRequest, obj: Ladder | None = None) -> tuple[str, ...]:
        return self.fields if obj is not None else self.fields[:-1]

    def get_readonly_fields(self, request: HttpRequest, obj: Ladder | None = None) -> tuple[str, ...]:
        return () if obj is None else tuple(ladder_fixed(obj))

    def get_prepopulated_fields(self, request: HttpRequest, obj: Ladder | None = None) -> dict[str, Any]:
        return {} if obj is not None else self.prepopulated_fields

    def save_model(self, request: HttpRequest, obj: Ladder, form: forms.ModelForm, change: bool) -> None:
        """Leave it to the services; what the form asks for was put into ``obj`` and is asked of them instead."""
        if change:
            ladder_update(ladder=obj, **form.cleaned_data)
        else:
            obj.pk = ladder_create(**form.cleaned_data).pk
            obj.refresh_from_db()

    def has_delete_permission(self, request: HttpRequest, obj: Ladder | None = None) -> bool:
        return False

    @admin.action(description="Close: no new matches, the ratings stand")
    def close(self, request: HttpRequest, queryset: Any) -> None:
        for ladder in queryset.filter(is_open=True):
            ladder_update(ladder=ladder, is_open=False)
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
