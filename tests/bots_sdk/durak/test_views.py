"""What a seat may know, and no more."""

from __future__ import annotations

import json
import random

import pytest

from bots_sdk.durak import DurakError, deal
from tests.bots_sdk.durak.conceivable import remixed
from tests.bots_sdk.durak.tables import PRESETS, TABLES, play, table


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_a_view_is_the_same_however_the_cards_are_dealt_that_its_seat_cannot_know(name: str, seats: int) -> None:
    choose = random.Random(f"{name} {seats}")
    state = deal(PRESETS[name], seats, choose.randbytes(16))
    step = 0
    while not state.is_over:
        if step % 7 == 0:
            for viewer in [None, *range(seats)]:
                seen = state.view(viewer)
                assert remixed(state, viewer, choose).view(viewer) == seen
                assert json.loads(json.dumps(seen)) == seen
        step += 1
        state.play(choose.choice(state.legal_moves()))
    assert state.view(None)["over"]


def test_legal_moves_are_shown_only_to_the_seat_that_moves() -> None:
    state = play(table("8S KS", "JS JD QS", "9D TS"), "a8S")
    assert state.view(1)["legal"] == ["b8S:JS", "b8S:QS", "take"]
    assert state.view(0)["legal"] == state.view(2)["legal"] == []
    assert "legal" not in state.view(None)


def test_cards_that_were_taken_are_known_until_they_are_played() -> None:
    state = play(table("8S KS", "JC JD QC", "9D TS"), "a8S take pass pass")
    assert state.view(0)["known"] == [[], ["8S"], []]
    play(state, "a9D take")
    assert state.view(1)["known"][0] == ["9D"]


def test_with_two_packs_a_known_card_that_was_played_does_not_betray_its_twin() -> None:
    held = table(
        "9C KS", "8S 8S JD", "9D", "TC", "JC", "QC", rules="two-packs", attacker=1, known=[[], ["8S"], *[[]] * 4]
    )
    play(held, "a8S")
    assert held.view(0)["known"][1] == []


def test_a_seat_that_is_not_there_has_no_view() -> None:
    with pytest.raises(DurakError, match="there is no seat 2; the seats are 0 to 1"):
        table("8S", "9S").view(2)
