"""All addresses of the arena."""

from django.contrib import admin
from django.urls import include, path

urlpatterns = [
    path("admin/", admin.site.urls),
    path("accounts/", include("allauth.urls")),
    path("api/v1/", include("arena.api.urls")),
    path("", include("arena.web.urls")),
]
