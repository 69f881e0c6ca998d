"""Who is calling, and tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.authentication import SessionAuthentication
from rest_framework.permissions import IsAuthenticated
from rest_framework.response import Response

from arena.accounts.selectors import token_list
from arena.accounts.services import token_create, token_revoke
from arena.api.authentication import PasswordAuthentication, TokenAuthentication
from arena.api.pagination import NewestFirst
from arena.api.serializers.accounts import MeOut, NewTokenOut, TokenIn, TokenOut
from arena.api.views.base import ArenaView
from arena.errors import NotAllowed

if TYPE_CHECKING:
    from rest_framework.request import Request


class MeView(ArenaView):
    """Who is calling."""

    permission_classes = [IsAuthenticated]
    serializer_class = MeOut

    @extend_schema(operation_id="me", tags=["account"], summary="Who you are")
    def get(self, request: Request) -> Response:
        user = request.user
        return Response(MeOut({"username": user.username, "is_staff": user.is_staff, "bots": user.bots.count()}).data)


class TokensView(ArenaView):
    """The caller's tokens."""

    authentication_classes = [TokenAuthentication, SessionAuthentication, PasswordAuthentication]
    permission_classes = [IsAuthenticated]
    pagination_class = NewestFirst
    serializer_class = TokenIn

    @extend_schema(operation_id="tokens_list", tags=["account"], summary="Your tokens", responses=TokenOut(many=True))
    def get(self, request: Request) -> Response:
        page = self.paginate_queryset(token_list(request.user))
        return self.get_paginated_response(TokenOut(page, many=True).data)

    @extend_schema(
        operation_id="tokens_create",
        tags=["account"],
        summary="Make a token, with a password or a session; its text is shown only in this answer",
        auth=[{"password": []}, {"cookieAuth": []}],
        request=TokenIn,
        responses={201: NewTokenOut},
    )
    def post(self, request: Request) -> Response:
        if isinstance(request.successful_authenticator, TokenAuthentication):
            # It would live on when this token has been revoked.
            raise NotAllowed(
                "A token makes no tokens. Use your user name and password (HTTP Basic), or the page /me/tokens/."
            )
        given = self.checked(request.data)
        token, text = token_create(user=request.user, name=given["name"], expires_at=given.get("expires_at"))
        token.token = text
        return Response(NewTokenOut(token).data, status=status.HTTP_201_CREATED, headers={"Cache-Control": "no-store"})


class TokenView(ArenaView):
    """One of the caller's tokens."""

    permission_classes = [IsAuthenticated]

    @extend_schema(operation_id="tokens_revoke", tags=["account"], summary="Revoke a token", responses={204: None})
    def delete(self, request: Request, token_id: int) -> Response:
        token_revoke(user=request.user, token_id=token_id)
        return Response(status=status.HTTP_204_NO_CONTENT)
