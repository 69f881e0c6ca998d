"""What all views share: how large a body may be, and looking things up."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from rest_framework.exceptions import NotFound
from rest_framework.generics import GenericAPIView
from rest_framework.views import APIView

from arena.api.errors import LengthRequired, PayloadTooLarge
from arena.api.throttles import WriteThrottle

if TYPE_CHECKING:
    from rest_framework.request import Request

KIB = 1024


class ArenaView(GenericAPIView):
    """A view of the API. `largest_body` is in bytes."""

    largest_body: ClassVar[int] = 256 * KIB
    filter_backends: ClassVar[list[Any]] = []

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Refuse a body before any of it is parsed, then do what DRF does."""
        if request.META.get("HTTP_TRANSFER_ENCODING") and not request.META.get("CONTENT_LENGTH"):
            raise LengthRequired
        length = int(request.META.get("CONTENT_LENGTH") or 0)
        if length > self.largest_body:
            raise PayloadTooLarge(f"The body has {length:,} bytes; at most {self.largest_body:,} are taken here.")
        super().initial(request, *args, **kwargs)

    def get_throttles(self) -> list[Any]:
        """The general limits, and a narrower one for the writes of a view that has a scope."""
        scoped = [WriteThrottle()] if hasattr(self, "throttle_scope") else []
        return super().get_throttles() + scoped

    def checked(self, data: Any) -> dict[str, Any]:
        """The input, checked by the view's `serializer_class`."""
        serializer = self.get_serializer(data=data)
        serializer.is_valid(raise_exception=True)
        return serializer.validated_data


class UnknownView(APIView):
    """Every address that is not in the API."""

    schema = None
    authentication_classes: ClassVar[list[Any]] = []

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Whatever the method, there is nothing."""
        raise NotFound(f"There is no “{request.path}”. All addresses are at /api/v1/docs/; each ends in a slash.")


def query_of(request: Request, serializer_class: type) -> dict[str, Any]:
    """The address's query, checked; parameters that are not known are left alone."""
    serializer = serializer_class(data=request.query_params)
    serializer.is_valid(raise_exception=True)
    return serializer.validated_data
