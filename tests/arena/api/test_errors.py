"""The one shape of every error, whatever went wrong."""

from __future__ import annotations

import pytest
from rest_framework.test import APIClient

pytestmark = pytest.mark.django_db


def shape(answer) -> dict:
    assert answer.headers["Content-Type"] == "application/json"
    body = answer.json()
    assert set(body) == {"error"}
    assert set(body["error"]) == {"code", "message", "field", "details"}
    assert body["error"]["message"]
    return body["error"]


@pytest.mark.parametrize("method", ["get", "head", "options", "post", "put", "patch", "delete"])
@pytest.mark.parametrize("path", ["nothing", "nothing/", "bots/a b/", "matches/x/", "matches/1/deals/-1/record/"])
def test_an_unknown_address_is_not_found(anyone, method, path):
    answer = getattr(anyone, method)(f"/api/v1/{path}")
    assert answer.status_code == 404
    if method != "head":
        assert shape(answer)["code"] == "not_found"


@pytest.mark.parametrize(
    ("method", "path"), [("put", "bots/"), ("delete", "bots/"), ("post", "ladders/"), ("get", "positions/")]
)
def test_a_method_that_is_not_taken_says_which_are(owner, method, path):
    answer = getattr(owner, method)(f"/api/v1/{path}")
    assert answer.status_code == 405
    assert shape(answer)["code"] == "method_not_allowed"
    assert answer.headers["Allow"]


def test_json_that_is_none_is_malformed(owner):
    answer = owner.post("/api/v1/bots/", b"{not json", content_type="application/json")
    assert answer.status_code == 400
    assert shape(answer)["code"] == "malformed"


@pytest.mark.parametrize("text", [b'"text"', b"[]", b"null", b"17", b"NaN", b"\xff\xfe"])
def test_json_that_is_no_object_is_refused(owner, text):
    answer = owner.post("/api/v1/bots/", text, content_type="application/json")
    assert answer.status_code == 400
    shape(answer)


def test_a_media_type_that_is_not_taken_is_refused(owner):
    answer = owner.post("/api/v1/bots/", b"<slug/>", content_type="application/xml")
    assert answer.status_code == 415
    assert shape(answer)["code"] == "unsupported_media_type"


def test_a_media_type_that_is_not_offered_is_refused(anyone):
    answer = anyone.get("/api/v1/bots/", HTTP_ACCEPT="application/xml")
    assert answer.status_code == 406
    assert shape(answer)["code"] == "not_acceptable"


def test_a_body_that_is_too_large_is_refused(owner):
    answer = owner.post("/api/v1/bots/", {"slug": "x" * 300_000}, format="json")
    assert answer.status_code == 413
    error = shape(answer)
    assert error["code"] == "too_large"
    assert "262,144" in error["message"]


def test_every_wrong_field_is_in_the_details(owner):
    error = shape(owner.post("/api/v1/matches/", {"sets": "many", "opponents": "x"}, format="json"))
    assert error["code"] == "invalid"
    assert set(error["details"]["fields"]) == {"bot", "opponents", "sets"}


def test_nul_characters_are_refused_not_stored(owner):
    error = shape(owner.post("/api/v1/bots/", {"slug": "a\0b", "description": "x\0"}, format="json"))
    assert set(error["details"]["fields"]) == {"slug", "description"}


def test_too_many_requests_are_told_when_to_come_back(anyone, monkeypatch):
    monkeypatch.setattr("rest_framework.throttling.AnonRateThrottle.THROTTLE_RATES", {"anon": "3/min", "user": "3/min"})
    codes = [anyone.get("/api/v1/bots/").status_code for _ in range(4)]
    assert codes == [200, 200, 200, 429]
    answer = anyone.get("/api/v1/bots/")
    assert shape(answer)["code"] == "throttled"
    assert 0 < int(answer.headers["Retry-After"]) <= 60


def test_a_forged_address_does_not_help_against_the_throttle(anyone, monkeypatch):
    monkeypatch.setattr("rest_framework.throttling.AnonRateThrottle.THROTTLE_RATES", {"anon": "1/min", "user": "9/min"})
    codes = [anyone.get("/api/v1/bots/", HTTP_X_FORWARDED_FOR=f"10.0.0.{n}").status_code for n in range(3)]
    assert codes == [200, 429, 429]


def test_a_failure_of_the_arena_says_no_more_than_that(monkeypatch, caplog):
    def broken(**_: object) -> None:
        raise RuntimeError("postgresql://user:hunter2@db")

    monkeypatch.setattr("arena.api.views.bots.bot_list", broken)
    answer = APIClient(raise_request_exception=False).get("/api/v1/bots/")
    assert answer.status_code == 500
    assert shape(answer)["code"] == "internal"
    assert "hunter2" not in answer.content.decode()
    assert "hunter2" in caplog.text, "the operator must find it in the log"
