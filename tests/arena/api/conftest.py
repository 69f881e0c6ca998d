"""A client that holds every answer against the published schema, and an arena with something in it."""

from __future__ import annotations

import io
import random
import re
import zipfile
from functools import cache
from typing import Any

import pytest
from django.urls import resolve
from drf_spectacular.generators import SchemaGenerator
from jsonschema import Draft202012Validator, FormatChecker
from rest_framework.test import APIClient

from arena.accounts.models import User
from arena.accounts.services import token_create
from arena.bots.hosts import host_report
from arena.matches.models import Match
from arena.matches.queue import attempt_finish
from arena.matches.results import PlayedDeal, PlayedFault, PlayedLog, PlayedMatch
from bots_sdk.durak import DealRecord, RuleSet, deal
from bots_sdk.referee import MatchPlan
from tests.arena.ladders.conftest import Arena

SECRET = "a-secret-line-of-the-bot"
SEEN = {"hand": ["6S"]}


@cache
def schema() -> dict[str, Any]:
    return SchemaGenerator().get_schema(request=None, public=True)


def conforms(response: Any) -> None:
    """Raise unless the schema has this operation, this status, this media type and this body."""
    request = response.wsgi_request
    if request.method == "HEAD":
        return
    route = resolve(request.path_info).route
    path = "/" + re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", route)
    if path not in schema()["paths"]:
        assert response.status_code >= 400, f"{path} is not in the schema"
        answer = {"$ref": "#/components/schemas/Error"}
    else:
        operation = schema()["paths"][path].get(request.method.lower())
        answers = {} if operation is None else operation["responses"]
        found = answers.get(str(response.status_code)) or answers.get("default")
        if response.status_code < 400:
            assert str(response.status_code) in answers, f"{request.method} {path} answers {response.status_code}"
        if response.status_code == 204:
            assert not response.content
            return
        media = response.headers["Content-Type"].split(";")[0]
        if media in {"text/plain", "application/zip"}:
            assert media in found["content"]
            return
        answer = found["content"][media]["schema"] if found else {"$ref": "#/components/schemas/Error"}
    whole = answer | {"components": schema()["components"]}
    Draft202012Validator(closed(whole), format_checker=FormatChecker()).validate(response.json())


def closed(node: Any) -> Any:
    """The schema with objects that take no more than their properties, so that an undeclared field is noticed."""
    if isinstance(node, list):
        return [closed(item) for item in node]
    if not isinstance(node, dict):
        return node
    made = {key: closed(value) for key, value in node.items()}
    if isinstance(made.get("properties"), dict) and "additionalProperties" not in made and "type" in made:
        made["additionalProperties"] = False
    return made


class Client(APIClient):
    """Checks each answer against the schema."""

    def request(self, **kwargs: Any) -> Any:
        response = super().request(**kwargs)
        conforms(response)
        return response

    def bearer(self, user: User) -> Client:
        """Sign in with a fresh token."""
        _, text = token_create(user=user, name=f"token {user.tokens.count()}")
        self.credentials(HTTP_AUTHORIZATION=f"Bearer {text}")
        return self


@pytest.fixture
def arena(db: None) -> Arena:
    return Arena()


@pytest.fixture(autouse=True)
def _plain_static_files(settings) -> None:
    """No `collectstatic` is needed to show a page."""
    plain = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    settings.STORAGES = settings.STORAGES | {"staticfiles": plain}


@pytest.fixture
def anyone() -> Client:
    """Nobody in particular."""
    return Client()


@pytest.fixture
def owner(arena: Arena) -> Client:
    """The owner of the arena's bots."""
    return Client().bearer(arena.owner)


@pytest.fixture
def stranger(db: None) -> Client:
    """A person who owns nothing."""
    return Client().bearer(User.objects.create_user("stranger"))


@pytest.fixture
def host(db: None) -> None:
    """A worker host that runs Python."""
    host_report(name="host-1", backend="bubblewrap", languages=["python"])


def played_out(match: Match, faulty: int | None = None) -> PlayedMatch:
    """Really play every deal of the match with random legal moves; a faulty participant fails at its first turn."""
    rules = RuleSet.from_dict(match.rules)
    plan = MatchPlan.build(rules, match.seats, match.sets, bytes(match.seed))
    deals, faults, rng = [], [], random.Random(1)
    for number, sitting in enumerate(plan.sittings):
        for spec in sitting.deals:
            state, moves = deal(rules, match.seats, spec.seed, spec.dealer), []
            while not state.is_over:
                move = rng.choice(state.legal_moves())
                state.play(move)
                moves.append(move)
            record = DealRecord(rules, spec.seed, match.seats, spec.dealer, tuple(moves), state.result)
            deals.append(
                PlayedDeal(
                    index=spec.index,
                    set_index=spec.set_index,
                    sitting=number,
                    seating=sitting.order,
                    record=record.to_text(),
                    duraks=tuple(sitting.order[seat] for seat in state.result.duraks),
                    ended=state.result.reason,
                    moves=len(moves),
                ),
            )
            if faulty is not None:
                faults.append(
                    PlayedFault(
                        faulty, spec.index, 3, "illegal_move", "It played a card twice.", SECRET, {"hand": ["6S"]}
                    ),
                )
    logs = [
        PlayedLog(participant, number, f"{SECRET} of {participant}\n", {"code": 0, "reason": "left by itself"})
        for number in range(len(plan.sittings))
        for participant in range(match.seats)
    ]
    return PlayedMatch(deals=deals, faults=faults, logs=logs)


@pytest.fixture
def finished(arena: Arena) -> Match:
    """A finished ladder match between two people's bots, in which the second's made faults."""
    ladder = arena.ladder(sets=2)
    rival = User.objects.create_user("rival")
    first, second = arena.version(), arena.version()
    second.bot.owner = rival
    second.bot.save()
    match = arena.queue(ladder, [first, second])
    attempt_finish(attempt=arena.claim(match), played=played_out(match, faulty=1))
    match.refresh_from_db()
    return match


def archive(source: str = "print('hi')\n", **manifest: str) -> bytes:
    """A zip of a Python bot."""
    lines = {"name": '"mybot"', "language": '"python"', "entry": '"bot.py"', "presets": '["podkidnoy"]', "seats": "[2]"}
    text = "\n".join(f"{key} = {value}" for key, value in (lines | manifest).items())
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as packed:
        packed.writestr("durak.toml", text)
        packed.writestr("bot.py", source)
    return data.getvalue()
