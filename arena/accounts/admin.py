"""People and tokens in the admin."""

from __future__ import annotations

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.http import HttpRequest

from arena.accounts.models import ApiToken, User


@admin.register(User)
class PersonAdmin(UserAdmin):
    """Django's own, and whether it is the house."""

    list_display = ("username", "email", "is_house", "is_staff", "date_joined")
    list_filter = (*UserAdmin.list_filter, "is_house")
    fieldsets = (*UserAdmin.fieldsets, ("Arena", {"fields": ("is_house",)}))


@admin.register(ApiToken)
class ApiTokenAdmin(admin.ModelAdmin):
    """Tokens can be looked at and revoked; making one needs its owner, who alone sees its text."""

    list_display = ("user", "name", "prefix", "created_at", "last_used_at", "expires_at")
    list_select_related = ("user",)
    search_fields = ("user__username", "name", "prefix")
    exclude = ("digest",)

    def has_add_permission(self, _request: HttpRequest) -> bool:
        """No."""
        return False

    def has_change_permission(self, _request: HttpRequest, _obj: ApiToken | None = None) -> bool:
        """No."""
        return False
