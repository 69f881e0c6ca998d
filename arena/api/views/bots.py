"""Bots and their versions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db.models import OuterRef, QuerySet, Subquery
from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import status
from rest_framework.parsers import MultiPartParser
from rest_framework.permissions import IsAuthenticated
from rest_framework.response import Response

from arena.accounts.selectors import user_get
from arena.api.pagination import NewestFirst
from arena.api.serializers.bots import (
    BotChange,
    BotDetailOut,
    BotFilter,
    BotIn,
    BotOut,
    VersionDetailOut,
    VersionIn,
    VersionOut,
)
from arena.api.views.base import KIB, ArenaView, query_of
from arena.bots.models import Bot, BotVersion
from arena.bots.selectors import (
    bot_get,
    bot_list,
    private_may_read,
    version_archive,
    version_get,
    version_list,
)
from arena.bots.services import bot_create, bot_update, version_retry, version_upload
from arena.ladders.selectors import bot_pauses, bot_ratings
from arena.matches.selectors import validation_match

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser
    from rest_framework.request import Request

    from arena.accounts.models import User


def with_current_version(bots: QuerySet[Bot]) -> QuerySet[Bot]:
    """Bots, each with the number of its newest version that is ready."""
    newest = BotVersion.objects.filter(bot=OuterRef("pk"), state=BotVersion.State.READY).order_by("-number")
    return bots.annotate(current_version=Subquery(newest.values("number")[:1]))


def bot_detail(bot: Bot, user: User | AnonymousUser) -> dict[str, Any]:
    """A bot with where it stands, where it is paused, and why it is suspended where the caller may read that."""
    bot = with_current_version(bot_list()).get(pk=bot.pk)
    bot.pauses = bot_pauses(bot)
    if not private_may_read(bot, user):
        bot.suspension_reason = None
    return BotDetailOut(_WithRatings(bot, list(bot_ratings(bot)))).data


class _WithRatings:
    """A bot whose `ratings` are the present ones only."""

    def __init__(self, bot: Bot, ratings: list[Any]) -> None:
        self._bot, self.ratings = bot, ratings

    def __getattr__(self, name: str) -> Any:
        return getattr(self._bot, name)


def version_detail(version: BotVersion, user: User | AnonymousUser) -> dict[str, Any]:
    """A version with its reason and its log where the caller may read them."""
    readable = private_may_read(version.bot, user)
    match = validation_match(version.pk)
    shown = VersionOut(version).data
    return shown | {
        "failure": version.failure if readable else None,
        "reason": version.reason if readable else None,
        "build_log": version.build_log if readable else None,
        "validation_match": match and match.pk,
    }


class BotsView(ArenaView):
    """All bots."""

    pagination_class = NewestFirst
    serializer_class = BotIn

    @extend_schema(
        operation_id="bots_list",
        tags=["bots"],
        summary="Bots, the newest first",
        parameters=[BotFilter],
        responses=BotOut(many=True),
    )
    def get(self, request: Request) -> Response:
        asked = query_of(request, BotFilter)
        owner = user_get(asked["owner"]) if "owner" in asked else None
        page = self.paginate_queryset(with_current_version(bot_list(owner=owner, search=asked.get("search", ""))))
        return self.get_paginated_response(BotOut(page, many=True).data)

    @extend_schema(
        operation_id="bots_create",
        tags=["bots"],
        summary="Make a bot",
        request=BotIn,
        responses={201: BotDetailOut},
    )
    def post(self, request: Request) -> Response:
        bot = bot_create(owner=request.user, **self.checked(request.data))
        return Response(bot_detail(bot, request.user), status=status.HTTP_201_CREATED)


class BotView(ArenaView):
    """One bot."""

    serializer_class = BotChange

    @extend_schema(operation_id="bots_read", tags=["bots"], summary="A bot", responses=BotDetailOut)
    def get(self, request: Request, slug: str) -> Response:
        return Response(bot_detail(bot_get(slug), request.user))

    @extend_schema(
        operation_id="bots_change",
        tags=["bots"],
        summary="Describe, retire or bring back a bot of yours",
        request=BotChange,
        responses=BotDetailOut,
    )
    def patch(self, request: Request, slug: str) -> Response:
        given = self.checked(request.data)
        return Response(bot_detail(bot_update(bot=bot_get(slug), by=request.user, **given), request.user))


class VersionsView(ArenaView):
    """The versions of a bot."""

    largest_body = settings.UPLOAD_MAX_BYTES + 64 * KIB
    parser_classes = [MultiPartParser]
    pagination_class = NewestFirst
    throttle_scope = "upload"
    serializer_class = VersionIn

    @extend_schema(
        operation_id="versions_list",
        tags=["bots"],
        summary="A bot's versions, the newest first",
        responses=VersionOut(many=True),
    )
    def get(self, request: Request, slug: str) -> Response:
        page = self.paginate_queryset(version_list(bot_get(slug)))
        return self.get_paginated_response(VersionOut(page, many=True).data)

    @extend_schema(
        operation_id="versions_upload",
        tags=["bots"],
        summary="Upload a version; content that the bot had before gives the version it had then, with status 200",
        request={"multipart/form-data": VersionIn},
        responses={201: VersionDetailOut, 200: VersionDetailOut},
    )
    def post(self, request: Request, slug: str) -> Response:
        given = self.checked(request.data)
        version, created = version_upload(bot=bot_get(slug), by=request.user, data=given["archive"].read())
        where = request.build_absolute_uri(f"{version.number}/")
        return Response(
            version_detail(version, request.user),
            status=status.HTTP_201_CREATED if created else status.HTTP_200_OK,
            headers={"Location": where},
        )


class VersionView(ArenaView):
    """One version of a bot."""

    @extend_schema(
        operation_id="versions_read",
        tags=["bots"],
        summary="A version: poll this until its state is `ready` or `failed`",
        responses=VersionDetailOut,
    )
    def get(self, request: Request, slug: str, number: int) -> Response:
        return Response(version_detail(version_get(bot_get(slug), number), request.user))


class ArchiveView(ArenaView):
    """The files of a version."""

    permission_classes = [IsAuthenticated]

    @extend_schema(
        operation_id="versions_archive",
        tags=["bots"],
        summary="The files of a version of yours, as a zip",
        responses={(200, "application/zip"): OpenApiResponse(OpenApiTypes.BINARY, "The archive.")},
    )
    def get(self, request: Request, slug: str, number: int) -> HttpResponse:
        version = version_get(bot_get(slug), number)
        return HttpResponse(
            version_archive(version, request.user),
            content_type="application/zip",
            headers={
                "Content-Disposition": f'attachment; filename="{version.archive_name}"',
                "Cache-Control": "private, no-store",
            },
        )


class VersionRetryView(ArenaView):
    """Trying a version again."""

    permission_classes = [IsAuthenticated]
    throttle_scope = "upload"

    @extend_schema(
        operation_id="versions_retry",
        tags=["bots"],
        summary="Build and validate again a version of yours that failed because the arena's hosts did",
        request=None,
        responses=VersionDetailOut,
    )
    def post(self, request: Request, slug: str, number: int) -> Response:
        version = version_retry(version=version_get(bot_get(slug), number), by=request.user)
        return Response(version_detail(version, request.user))
