"""Reading what bots send: any bytes at all are a reply or a refusal, never anything else."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bots_sdk import protocol
from bots_sdk.durak import Card, Move, NotationError, RuleSet, deal
from bots_sdk.protocol import MalformedLine, Reply, TurnClock, decode_reply, reply_move, shorten

scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text()
values = st.recursive(scalars, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=20)
fields = st.dictionaries(st.sampled_from(["type", "turn", "move", "cards", "target", "x"]), values)


@given(st.binary() | values.map(json.dumps).map(str.encode) | fields.map(json.dumps).map(str.encode))
@example(b"\xef\xbb\xbf{}")
@example(b'{"type":"move","type":1}')
@example(b'{"type":"\\ud800"}')
@example(b'{"type":"move","turn":-0}')
@example(b'{"type":"move","turn":1e2}')
def test_any_line_is_a_reply_or_malformed_and_any_reply_is_a_move_or_none(line: bytes) -> None:
    try:
        reply = decode_reply(line)
    except MalformedLine as error:
        assert str(error)
        return
    assert reply.turn is None or 0 <= reply.turn <= 2**53
    try:
        move = reply_move(reply)
    except NotationError as error:
        assert len(str(error)) < 400
        return
    assert Move.parse(str(move)) == move


@given(st.text(), st.integers(4, 60))
def test_foreign_text_is_quoted_short_and_printable(text: str, limit: int) -> None:
    assert len(shorten(text, limit)) <= limit
    assert shorten(text, limit).isprintable()
    assert shorten(text, limit).isascii()


@pytest.mark.parametrize("preset", sorted(RuleSet.presets()))
def test_what_is_offered_reads_back_as_the_same_move(preset: str) -> None:
    rules = RuleSet.preset(preset)
    state = deal(rules, rules.seat_counts[0], bytes(range(16)))
    steps = 0
    while not state.is_over and steps < 60:
        legal = state.legal_moves()
        line = protocol.turn_message(7, 0, {"seat": state.turn}, legal, [], TurnClock(200, 3_000, 0))
        message: dict[str, Any] = json.loads(line)
        assert message["turn"] == 7
        back = [reply_move(decode_reply(json.dumps({"type": "move", **offer}).encode())) for offer in message["legal"]]
        assert back == list(legal)
        state.play(legal[steps % len(legal)])
        steps += 1


def test_the_order_in_which_cards_are_named_does_not_matter() -> None:
    one = reply_move(Reply("move", 1, "attack", ["8H", "8S"]))
    assert (
        one
        == reply_move(Reply("move", 1, "attack", ["8S", "8H"]))
        == Move("attack", (Card.parse("8S"), Card.parse("8H")))
    )
