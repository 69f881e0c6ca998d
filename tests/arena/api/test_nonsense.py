"""Nonsense of every kind at every address: refused in the one shape, never a failure of the arena's."""

from __future__ import annotations

import itertools
from typing import Any
from urllib.parse import urlencode

import pytest

from arena.accounts.models import User
from arena.bots.models import VersionFiles
from arena.ladders.models import Ladder
from bots_sdk.durak import RuleSet, deal
from tests.arena.api.conftest import schema

TEXTS = [
    "",
    "0",
    "-1",
    "1",
    "9" * 30,
    "1.5",
    "true",
    "null",
    "[]",
    "é",
    "'; --",
    "%00",
    "cD1uby1rZXk=",  # a cursor's form, with a key that is none
    "\0",
    "../..",
    "a" * 5_000,
    "🂡",
]
VALUES: list[Any] = [None, True, -1, 0, 10**30, 1.5, "", "x", "\0", "é" * 300, [], [[]], [None], {}, {"a": {"b": []}}]

OPERATIONS = [
    pytest.param(path, method, operation, id=f"{method} {path}")
    for path, methods in schema()["paths"].items()
    for method, operation in methods.items()
]


def filled(path: str, known: dict[str, str], **changed: str) -> str:
    for name, value in (known | changed).items():
        path = path.replace(f"{{{name}}}", value)
    return path


@pytest.fixture
def known(finished) -> dict[str, str]:
    """Path parameters that lead to something."""
    version = finished.participants.first().version
    VersionFiles.objects.create(version=version, archive=b"PK")
    bot = version.bot.slug
    return {
        "slug": bot,
        "number": "1",
        "match_id": str(finished.pk),
        "index": "0",
        "token_id": "1",
        "name": "podkidnoy",
    }


def parameters(operation: dict[str, Any], where: str) -> list[str]:
    return [parameter["name"] for parameter in operation.get("parameters", ()) if parameter["in"] == where]


def fields(operation: dict[str, Any]) -> list[str]:
    for media in operation.get("requestBody", {}).get("content", {}).values():
        name = media["schema"]["$ref"].rsplit("/", 1)[1]
        return list(schema()["components"]["schemas"][name]["properties"])
    return []


@pytest.fixture(autouse=True)
def _no_throttle(monkeypatch) -> None:
    monkeypatch.setattr("rest_framework.throttling.SimpleRateThrottle.allow_request", lambda *_: True)


@pytest.mark.parametrize(("path", "method", "operation"), OPERATIONS)
def test_nonsense_is_refused_without_a_failure(owner, known, path, method, operation):
    if path == "/api/v1/tokens/":  # a token makes none
        owner.credentials()
        owner.force_login(User.objects.get(username="owner"))
    if path.startswith("/api/v1/ladders/"):
        known["slug"] = Ladder.objects.get().slug
    call = getattr(owner, method)
    for name, text in itertools.product(parameters(operation, "path"), TEXTS):
        assert call(filled(path, known, **{name: text.replace("\0", "%00")})).status_code < 500
    whole = filled(path, known)
    for name, text in itertools.product(parameters(operation, "query"), TEXTS):
        assert call(f"{whole}?{urlencode({name: text})}").status_code < 500
    if method != "get":
        form = "multipart" if "multipart/form-data" in operation.get("requestBody", {}).get("content", {}) else "json"
        for value in VALUES:
            if form == "json":
                assert call(whole, value, format="json").status_code < 500
            for name in fields(operation):
                if form == "json" or isinstance(value, str | bytes):
                    assert call(whole, {name: value}, format=form).status_code < 500


@pytest.mark.parametrize("preset", ["podkidnoy", "proyezdnoy", "pairs-adjacent", "prostoy", "severny", "svoi-kozyri"])
def test_a_position_of_nonsense_is_refused_without_a_failure(anyone, db, preset):
    rules = RuleSet.preset(preset)
    state = deal(rules, rules.seat_counts[-1], bytes(16), 0)
    for _ in range(5):
        state.play(state.legal_moves()[0])
    whole = state.to_position()
    assert anyone.post("/api/v1/positions/", {"position": whole}, format="json").status_code == 200
    for name, value in itertools.product(
        whole, [*VALUES, ["6S"], [["6S"]], "6S", 99, [0], [99], [["6S", "6S"]], ["9Z"]]
    ):
        answer = anyone.post("/api/v1/positions/", {"position": whole | {name: value}}, format="json")
        assert answer.status_code in (200, 400), (name, value)
    for name in whole:
        left_out = {key: value for key, value in whole.items() if key != name}
        assert anyone.post("/api/v1/positions/", {"position": left_out}, format="json").status_code in (200, 400), name
