"""The schema, and a page to browse and try it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView

if TYPE_CHECKING:
    from rest_framework.request import Request
    from rest_framework.response import Response


class SchemaView(SpectacularAPIView):
    """The OpenAPI 3.1 schema."""


class DocsView(SpectacularSwaggerSplitView):
    """Swagger UI without inline scripts or styles; without JavaScript, the list of operations."""

    url_name = "api:schema"
    template_name = "api/docs.html"

    @extend_schema(exclude=True)
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        response = super().get(request, *args, **kwargs)
        if request.GET.get("script") is None:
            response.data["operations"] = operations()
        return response


def operations() -> list[dict[str, str]]:
    """Every operation in the order of the schema."""
    paths = SchemaGenerator().get_schema(request=None, public=True)["paths"]
    return [
        {"method": method.upper(), "path": path, "summary": operation["summary"]}
        for path, methods in paths.items()
        for method, operation in methods.items()
    ]
