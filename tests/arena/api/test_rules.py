"""Rule sets, and judging positions."""

from __future__ import annotations

import pytest

from bots_sdk.durak import GameState, RuleSet, deal

pytestmark = pytest.mark.django_db
URL = "/api/v1/positions/"


def test_every_preset_is_listed(anyone):
    rows = anyone.get("/api/v1/rulesets/", {"limit": 200}).json()["results"]
    assert [row["name"] for row in rows] == list(RuleSet.presets())
    assert rows[0]["summary"] == RuleSet.preset("podkidnoy").summary
    assert 2 in rows[0]["seats"]


@pytest.mark.parametrize("name", RuleSet.presets())
def test_a_rule_set_is_told_in_words_and_in_every_option(anyone, name):
    body = anyone.get(f"/api/v1/rulesets/{name}/").json()
    assert RuleSet.from_dict(body["options"]) == RuleSet.preset(name)
    assert body["explanation"] == RuleSet.preset(name).explain()


def test_a_misspelt_rule_set_names_the_one_that_was_meant(anyone):
    answer = anyone.get("/api/v1/rulesets/podkidnoi/")
    assert answer.status_code == 404
    assert "podkidnoy" in answer.json()["error"]["message"]


def test_a_position_tells_its_legal_moves(anyone):
    state = deal(RuleSet.preset("podkidnoy"), 2, bytes(16), 0)
    body = anyone.post(URL, {"position": state.to_position()}, format="json").json()
    assert body["legal"] == [str(move) for move in state.legal_moves()]
    assert body["seat_to_move"] == state.seat_to_move
    assert (body["is_over"], body["refusal"]) == (False, None)


def test_a_move_that_is_refused_comes_with_the_rule_and_the_reason(anyone):
    state = deal(RuleSet.preset("podkidnoy"), 2, bytes(16), 0)
    held = state.to_position()["hands"][1 - state.seat_to_move][0]
    refusal = anyone.post(URL, {"position": state.to_position(), "move": f"a{held}"}, format="json").json()["refusal"]
    assert refusal["rule"].startswith("R")
    assert held in refusal["cards"] or held in refusal["message"] or refusal["message"]


def test_a_legal_move_is_not_refused(anyone):
    state = deal(RuleSet.preset("podkidnoy"), 2, bytes(16), 0)
    move = str(state.legal_moves()[0])
    assert anyone.post(URL, {"position": state.to_position(), "move": move}, format="json").json()["refusal"] is None


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "position"),
        ({"position": []}, "position"),
        ({"position": {"hands": [["6S"], ["6S"]]}}, "position"),
        ({"position": {"hands": "x"}}, "position"),
        ({"position": {"nonsense": 1}}, "position"),
        ({"position": {"rules": "podkidnoi"}}, "position"),
        ({"position": deal(RuleSet.preset("podkidnoy"), 2, bytes(16), 0).to_position(), "move": "zzz"}, "move"),
    ],
)
def test_bad_input_is_refused_naming_the_field(anyone, body, field):
    answer = anyone.post(URL, body, format="json")
    assert answer.status_code == 400
    assert answer.json()["error"]["field"] == field


def test_a_finished_position_offers_no_moves(anyone):
    state = deal(RuleSet.preset("podkidnoy"), 2, bytes(16), 0)
    while not state.is_over:
        state.play(state.legal_moves()[0])
    body = anyone.post(URL, {"position": state.to_position()}, format="json").json()
    assert GameState.from_position(state.to_position()).is_over
    assert (body["is_over"], body["legal"], body["seat_to_move"]) == (True, [], None)


def test_positions_are_throttled(anyone, monkeypatch):
    monkeypatch.setattr("arena.api.throttles.WriteThrottle.THROTTLE_RATES", {"position": "1/min"})
    anyone.post(URL, {}, format="json")
    assert anyone.post(URL, {}, format="json").status_code == 429
