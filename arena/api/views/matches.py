"""Matches: listing, challenging, following, and reading what was played."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import status
from rest_framework.permissions import IsAuthenticated
from rest_framework.response import Response

from arena.api.pagination import ByIndex, InOrder, NewestFirst
from arena.api.serializers.matches import (
    CancelIn,
    ChallengeIn,
    DealOut,
    EventsOut,
    FaultOut,
    LogOut,
    MatchDetailOut,
    MatchFilter,
    MatchOut,
    SeatFilter,
)
from arena.api.views.base import ArenaView, query_of
from arena.bots.selectors import bot_get
from arena.errors import Conflict
from arena.ladders.selectors import ladder_get, match_rating_changes
from arena.matches.models import Deal, Match
from arena.matches.replays import SPECTATOR, perspective_parse
from arena.matches.selectors import deal_get, deal_list, faults_for, logs_for, match_get, match_list, match_progress
from arena.matches.services import challenge_create, match_cancel
from bots_sdk.durak import Chronicle, DealRecord

if TYPE_CHECKING:
    from rest_framework.request import Request


def match_detail(match_id: int) -> dict[str, Any]:
    """A match with everything that anybody may know of it now."""
    match = match_get(match_id)
    match.deals_done, _ = match_progress(match)
    match.rating_changes = match_rating_changes(match)
    return MatchDetailOut(match).data


def finished_match(match_id: int) -> Match:
    """A finished match; `Conflict` while it is not, and for one that never will be."""
    match = match_get(match_id)
    if match.state != Match.State.FINISHED:
        raise Conflict(
            f"Match {match_id} is {match.state}; its deals are shown when it is finished.",
            code="not_finished",
            details={"state": match.state},
        )
    return match


def finished_deal(match_id: int, index: int) -> tuple[Match, Deal]:
    """A deal of a finished match."""
    match = finished_match(match_id)
    return match, deal_get(match, index)


class MatchesView(ArenaView):
    """All matches."""

    pagination_class = NewestFirst
    throttle_scope = "challenge"
    serializer_class = ChallengeIn

    @extend_schema(
        operation_id="matches_list",
        tags=["matches"],
        summary="Matches, the newest first",
        parameters=[MatchFilter],
        responses=MatchOut(many=True),
    )
    def get(self, request: Request) -> Response:
        asked = query_of(request, MatchFilter)
        if "bot" in asked:
            asked["bot"] = bot_get(asked["bot"])
        if "ladder" in asked:
            asked["ladder"] = ladder_get(asked["ladder"])
        page = self.paginate_queryset(match_list(**asked))
        return self.get_paginated_response(MatchOut(page, many=True).data)

    @extend_schema(
        operation_id="matches_challenge",
        tags=["matches"],
        summary="Challenge other bots to an unrated match",
        request=ChallengeIn,
        responses={201: MatchDetailOut},
    )
    def post(self, request: Request) -> Response:
        given = self.checked(request.data)
        match = challenge_create(
            by=request.user,
            own=bot_get(given["bot"]),
            opponents=[bot_get(slug) for slug in given["opponents"]],
            preset=given["preset"],
            sets=given["sets"],
        )
        where = request.build_absolute_uri(f"{match.pk}/")
        return Response(match_detail(match.pk), status=status.HTTP_201_CREATED, headers={"Location": where})


class MatchView(ArenaView):
    """One match."""

    @extend_schema(
        operation_id="matches_read",
        tags=["matches"],
        summary="A match: poll this until its state is `finished`, `abandoned` or `cancelled`",
        responses=MatchDetailOut,
    )
    def get(self, request: Request, match_id: int) -> Response:
        return Response(match_detail(match_id))


class MatchCancelView(ArenaView):
    """Calling a match off."""

    permission_classes = [IsAuthenticated]
    serializer_class = CancelIn

    @extend_schema(
        operation_id="matches_cancel",
        tags=["matches"],
        summary="Call off a challenge of yours that has not ended; the staff may call off any match",
        request=CancelIn,
        responses=MatchDetailOut,
    )
    def post(self, request: Request, match_id: int) -> Response:
        match_cancel(match=match_get(match_id), by=request.user, reason=self.checked(request.data)["reason"])
        return Response(match_detail(match_id))


class DealsView(ArenaView):
    """The deals of a match."""

    pagination_class = ByIndex

    @extend_schema(
        operation_id="deals_list",
        tags=["matches"],
        summary="The deals of a finished match",
        responses=DealOut(many=True),
    )
    def get(self, request: Request, match_id: int) -> Response:
        page = self.paginate_queryset(deal_list(finished_match(match_id)))
        return self.get_paginated_response(DealOut(page, many=True).data)


class DealRecordView(ArenaView):
    """The record of a deal."""

    @extend_schema(
        operation_id="deals_record",
        tags=["matches"],
        summary="A deal's record as text; it replays to the same end",
        responses={(200, "text/plain"): OpenApiResponse(OpenApiTypes.STR, "The record.")},
    )
    def get(self, request: Request, match_id: int, index: int) -> HttpResponse:
        _, deal = finished_deal(match_id, index)
        return HttpResponse(
            deal.record,
            content_type="text/plain; charset=utf-8",
            headers={"Content-Disposition": f'attachment; filename="match-{match_id}-deal-{index}.txt"'},
        )


class DealEventsView(ArenaView):
    """What happened in a deal."""

    @extend_schema(
        operation_id="deals_events",
        tags=["matches"],
        summary="A deal's events as one seat, a spectator or all saw them",
        parameters=[SeatFilter],
        responses=EventsOut,
    )
    def get(self, request: Request, match_id: int, index: int) -> Response:
        match, deal = finished_deal(match_id, index)
        viewer = perspective_parse(query_of(request, SeatFilter)["seat"], match.seats)
        events = Chronicle.of(DealRecord.parse(deal.record)).seen_by(viewer)
        return Response({"seat": SPECTATOR if viewer is None else str(viewer), "events": events})


class FaultsView(ArenaView):
    """What bots did wrong in a match."""

    pagination_class = InOrder

    @extend_schema(
        operation_id="faults_list",
        tags=["matches"],
        summary="A match's faults, as they happened; line and view only of your own bots, and for the staff",
        responses=FaultOut(many=True),
    )
    def get(self, request: Request, match_id: int) -> Response:
        page = self.paginate_queryset(faults_for(match_get(match_id), request.user))
        return self.get_paginated_response(FaultOut(page, many=True).data)


class LogsView(ArenaView):
    """What bots wrote to stderr in a match."""

    permission_classes = [IsAuthenticated]
    pagination_class = InOrder

    @extend_schema(
        operation_id="logs_list",
        tags=["matches"],
        summary="The stderr and exits of your own bots in a match; of all bots for the staff",
        responses=LogOut(many=True),
    )
    def get(self, request: Request, match_id: int) -> Response:
        page = self.paginate_queryset(
            logs_for(match_get(match_id), request.user).order_by("sitting", "participant__index")
        )
        return self.get_paginated_response(LogOut(page, many=True).data)
