"""Rule sets, and what may be played in a position."""

from __future__ import annotations

from typing import TYPE_CHECKING

from drf_spectacular.utils import extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.response import Response

from arena.api.pagination import InOrder
from arena.api.serializers.rules import PositionIn, PositionOut, RuleSetDetailOut, RuleSetOut
from arena.api.views.base import KIB, ArenaView
from arena.errors import Invalid, NotFound
from bots_sdk.durak import DurakError, GameState, IllegalMove, Move, RuleError, RuleSet

if TYPE_CHECKING:
    from rest_framework.request import Request


class RuleSetsView(ArenaView):
    """All rule sets."""

    pagination_class = InOrder

    @extend_schema(
        operation_id="rulesets_list", tags=["rules"], summary="The named rule sets", responses=RuleSetOut(many=True)
    )
    def get(self, request: Request) -> Response:
        page = self.paginate_queryset(list(RuleSet.presets().values()))
        return self.get_paginated_response(RuleSetOut(page, many=True).data)


class RuleSetView(ArenaView):
    """One rule set."""

    @extend_schema(
        operation_id="rulesets_read",
        tags=["rules"],
        summary="A rule set in words and in every option",
        responses=RuleSetDetailOut,
    )
    def get(self, request: Request, name: str) -> Response:
        try:
            rules = RuleSet.preset(name)
        except RuleError as error:
            raise NotFound(f"{error}.") from error
        return Response(RuleSetDetailOut(rules).data)


class PositionView(ArenaView):
    """What may be played in a position; nothing is kept of it."""

    largest_body = 64 * KIB
    permission_classes = [AllowAny]
    throttle_scope = "position"
    serializer_class = PositionIn

    @extend_schema(
        operation_id="positions_judge",
        tags=["rules"],
        summary="The legal moves of a position, and why a move is refused",
        request=PositionIn,
        responses=PositionOut,
    )
    def post(self, request: Request) -> Response:
        given = self.checked(request.data)
        try:
            state = GameState.from_position(given["position"])
        except DurakError as error:
            raise Invalid(str(error), field="position") from error
        found = {
            "seat_to_move": state.seat_to_move,
            "legal": [str(move) for move in state.legal_moves()],
            "is_over": state.is_over,
            "refusal": refusal(state, given["move"]) if "move" in given else None,
        }
        return Response(PositionOut(found).data)


def refusal(state: GameState, text: str) -> dict[str, object] | None:
    """Why this move may not be played, or None."""
    try:
        state.verify(Move.parse(text))
    except IllegalMove as error:
        return {"rule": error.rule, "message": error.message, "cards": [str(card) for card in error.cards]}
    except DurakError as error:
        raise Invalid(str(error), field="move") from error
    return None
