"""The film of a deal, over every preset."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import pytest

from arena.errors import Invalid
from arena.matches.replays import ALL, Eyes, Film, perspective_parse
from bots_sdk.durak import DealRecord, RuleSet
from tests.arena.web.factories import play

PRESETS = RuleSet.presets()


def record_of(preset: str, *, seats: int | None = None, chance: int = 1, **more: Any) -> DealRecord:
    rules = PRESETS[preset]
    seats = seats or rules.seat_counts[min(2, len(rules.seat_counts) - 1)]
    dealt = DealRecord(rules, bytes([chance]) * 16, seats)
    return play(dealt, [0.8] * seats, random.Random(chance), **more)


def frames_of(record: DealRecord, timings: Sequence[tuple[int, int, float]] = ()) -> list[dict[str, Any]]:
    film = Film(record.deal(), [f"bot{seat}" for seat in range(record.seats)])
    return list(film.of_record(record, timings, "It said 9X."))


def seen_by(perspective: int | str | None, frames: list[dict[str, Any]]) -> list[dict[str, Any]]:
    eyes = Eyes(perspective)
    return [eyes.see(frame) for frame in frames]


def unrolled(deltas: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What the page's script makes of the frames."""
    now: dict[str, Any] = {"hands": {}}
    states = []
    for delta in deltas:
        now = {**now, **delta, "hands": {**now["hands"], **delta.get("hands", {})}}
        states.append(now)
    return states


def cards_in(frame: dict[str, Any]) -> int:
    table = sum(1 if defence is None else 2 for _, defence in frame["table"])
    return sum(map(len, frame["hands"])) + table + len(frame["pile"]) + frame["talon"] + frame["discarded"]


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("chance", [1, 2, 3])
def test_every_frame_shows_every_card_once(preset: str, chance: int) -> None:
    record = record_of(preset, chance=chance)
    for frame in frames_of(record):
        assert cards_in(frame) == PRESETS[preset].cards, frame["text"]


@pytest.mark.parametrize("preset", PRESETS)
def test_the_last_frame_is_the_end_of_the_record(preset: str) -> None:
    record = record_of(preset)
    last = frames_of(record)[-1]
    result = record.result
    assert last["kind"] == "over"
    assert last["duraks"] == sorted(result.duraks)
    assert tuple(map(len, last["hands"])) == result.cards_left


@pytest.mark.parametrize("preset", PRESETS)
def test_every_move_of_the_record_is_a_frame(preset: str) -> None:
    record = record_of(preset)
    assert [frame["move"] for frame in frames_of(record) if "move" in frame] == [str(move) for move in record.moves]


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("perspective", [0, 1, None])
def test_a_perspective_shows_what_the_games_own_view_shows(preset: str, perspective: int | None) -> None:
    record = record_of(preset)
    settled = []
    for frame in unrolled(seen_by(perspective, frames_of(record))):
        if frame["kind"] == "bout":
            settled[-1] = frame
        elif frame["kind"] != "over":
            settled.append(frame)
    real = record.deal()
    assert_same_view(settled[0], real, perspective)
    for move, frame in zip(record.moves, settled[1:], strict=True):
        real.play(move)
        assert_same_view(frame, real, perspective)


def hands_of(state: Any, perspective: int | None) -> dict[str, Any]:
    view = state.view(perspective)
    hands = {}
    for seat, size in enumerate(view["hand_sizes"]):
        if seat == perspective:
            hands[str(seat)] = sorted(view["hand"])
        else:
            hands[str(seat)] = {"count": size, "known": sorted(view["known"][seat])}
    return hands


def assert_same_view(shown: dict[str, Any], state: Any, perspective: int | None) -> None:
    seen = {
        seat: sorted(hand) if isinstance(hand, list) else {"count": hand["count"], "known": sorted(hand["known"])}
        for seat, hand in shown["hands"].items()
    }
    assert seen == hands_of(state, perspective), shown["text"]
    assert shown["talon"] == state.view(None)["talon"]
    assert shown["discarded"] == state.view(None)["discarded"]


def test_a_fault_has_its_own_frame_at_the_step_where_it_happened() -> None:
    record = record_of("podkidnoy", seats=3, stop_after=5)
    *_, fault, over = frames_of(record)
    assert fault["kind"] == "fault"
    assert fault["fault"] == {"seat": record.fault.seat, "verdict": "illegal_move", "reason": "It said 9X."}
    assert "illegal move" in fault["text"]
    assert over["fault"] == fault["fault"]


def test_a_fault_before_the_first_move_is_shown_too() -> None:
    record = record_of("podkidnoy", seats=2, stop_after=0)
    assert [frame["kind"] for frame in frames_of(record)] == ["deal", "fault", "over"]


def test_how_long_a_decision_took_is_told_only_to_who_may_know_that_it_was_asked() -> None:
    record = record_of("podkidnoy", seats=2)
    timings = [(turn, 0, 2.0) for turn in range(500)]
    assert any("ms" in frame for frame in seen_by(ALL, frames_of(record, timings)))
    assert not any("ms" in frame for frame in seen_by(None, frames_of(record, timings)))
    assert {frame["seat"] for frame in seen_by(1, frames_of(record, timings)) if "ms" in frame} == {1}


def test_frames_hold_only_what_changed() -> None:
    deltas = seen_by(ALL, frames_of(record_of("podkidnoy", seats=4)))
    assert all("trumps" not in frame for frame in deltas[1:])
    assert all(len(frame.get("hands", {})) <= 1 for frame in deltas if frame["kind"] == "attack")


@pytest.mark.parametrize(("text", "wanted"), [("", ALL), ("all", ALL), ("none", None), ("0", 0), ("3", 3)])
def test_a_perspective_is_read(text: str, wanted: object) -> None:
    assert perspective_parse(text, 4) == wanted


@pytest.mark.parametrize("text", ["4", "-1", "x", "00000000001", "²", "1 "])
def test_an_unknown_perspective_is_refused(text: str) -> None:
    with pytest.raises(Invalid, match="perspective"):
        perspective_parse(text, 4)
