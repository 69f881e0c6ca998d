"""Ladders."""

from __future__ import annotations

from typing import TYPE_CHECKING

from drf_spectacular.utils import extend_schema
from rest_framework.response import Response

from arena.api.pagination import InOrder, LastRatedFirst, OldestFirst
from arena.api.serializers.ladders import (
    HistoryFilter,
    HistoryOut,
    LadderDetailOut,
    LadderFilter,
    LadderOut,
    OfficialOut,
    StandingOut,
)
from arena.api.views.base import ArenaView, query_of
from arena.bots.selectors import bot_get
from arena.ladders.official import official_table
from arena.ladders.selectors import (
    bots_counted,
    bots_rated,
    ladder_get,
    ladder_list,
    ladder_status,
    rating_history,
    standings,
)

if TYPE_CHECKING:
    from rest_framework.request import Request


class LaddersView(ArenaView):
    """All ladders."""

    pagination_class = OldestFirst

    @extend_schema(
        operation_id="ladders_list",
        tags=["ladders"],
        summary="Ladders, the oldest first",
        parameters=[LadderFilter],
        responses=LadderOut(many=True),
    )
    def get(self, request: Request) -> Response:
        page = self.paginate_queryset(bots_counted(ladder_list(is_open=query_of(request, LadderFilter)["open"])))
        return self.get_paginated_response(LadderOut(page, many=True).data)


class LadderView(ArenaView):
    """One ladder."""

    @extend_schema(operation_id="ladders_read", tags=["ladders"], summary="A ladder", responses=LadderDetailOut)
    def get(self, request: Request, slug: str) -> Response:
        ladder = ladder_get(slug)
        ladder.bots = bots_rated().filter(ladder=ladder).count()
        ladder.status = ladder_status(ladder, standings(ladder))
        return Response(LadderDetailOut(ladder).data)


class StandingsView(ArenaView):
    """The live standings."""

    pagination_class = InOrder

    @extend_schema(
        operation_id="ladders_standings",
        tags=["ladders"],
        summary="The live standings, from the top",
        responses=StandingOut(many=True),
    )
    def get(self, request: Request, slug: str) -> Response:
        page = self.paginate_queryset(standings(ladder_get(slug)))
        return self.get_paginated_response(StandingOut(page, many=True).data)


class OfficialView(ArenaView):
    """The official table."""

    pagination_class = InOrder

    @extend_schema(
        operation_id="ladders_official",
        tags=["ladders"],
        summary="The official table: every version's maximum-likelihood rating and its interval",
        responses=OfficialOut(many=True),
    )
    def get(self, request: Request, slug: str) -> Response:
        page = self.paginate_queryset(official_table(ladder_get(slug)))
        return self.get_paginated_response(OfficialOut(page, many=True).data)


class HistoryView(ArenaView):
    """A bot's rating over time."""

    pagination_class = LastRatedFirst

    @extend_schema(
        operation_id="ladders_history",
        tags=["ladders"],
        summary="A bot's rating after each of its matches, the newest first",
        parameters=[HistoryFilter],
        responses=HistoryOut(many=True),
    )
    def get(self, request: Request, slug: str) -> Response:
        ladder = ladder_get(slug)
        page = self.paginate_queryset(rating_history(bot_get(query_of(request, HistoryFilter)["bot"]), ladder))
        return self.get_paginated_response(HistoryOut(page, many=True).data)
