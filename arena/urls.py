"""All addresses of the arena."""

from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.urls import include, path

# Signing in to the admin is signing in to the arena: the same limits on guessing, the same verified address.
admin.site.login = secure_admin_login(admin.site.login)

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
