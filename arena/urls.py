"""All addresses of the arena."""

from django.contrib import admin
from django.urls import include, path

urlpatterns = [
    path("admin/", admin.site.urls),
    path("accounts/", include("allauth.urls")),
    path("api/v1/", include("arena.api.urls")),
    path("", include("arena.web.urls")),
]

handler400 = "arena.web.views.errors.bad_request"
handler403 = "arena.web.views.errors.forbidden"
handler404 = "arena.web.views.errors.not_found"
handler429 = "arena.web.views.errors.too_many"
handler500 = "arena.web.views.errors.server_error"
