"""Sessions, scores and the ladder (R3.3, R9.5, R10)."""

from __future__ import annotations

import random

import pytest

from bots_sdk.durak import DurakError, Result, Session
from tests.bots_sdk.durak.tables import PRESETS, rules


def lost_by(*seats: int, double: bool = False) -> Result:
    return Result(frozenset(seats), "last_holder", (0, 0, 0, 0), double)


def finished(session: Session, *results: Result) -> Session:
    for number, result in enumerate(results):
        session.next_deal(number.to_bytes(16, "big"))
        session.finish(result)
    return session


DRAW = Result(frozenset(), "both_empty", (0, 0, 0, 0))


def test_r10_1_the_durak_deals_next() -> None:
    session = finished(Session(PRESETS["podkidnoy"], 4, dealer=1), lost_by(3))
    assert session.dealer == 3
    state = session.next_deal(bytes(16))
    assert state.dealer == 3
    assert state.first == 0, "the left of the dealer begins a later deal"


def test_r3_3_the_first_deal_is_begun_by_the_lowest_trump() -> None:
    state = Session(PRESETS["podkidnoy"], 4).next_deal(bytes(16))
    assert state.deal_info.lowest_trump is not None


def test_r3_3_after_a_draw_the_old_dealer_deals_again() -> None:
    assert finished(Session(PRESETS["podkidnoy"], 4, dealer=1), lost_by(3), DRAW).dealer == 3


def test_r3_3_of_a_team_the_next_one_from_the_old_dealer_deals() -> None:
    assert finished(Session(PRESETS["pairs"], 4, dealer=1), lost_by(0, 2)).dealer == 2


def test_r10_2_the_champion_was_durak_least_often_and_ties_stand() -> None:
    session = finished(Session(PRESETS["podkidnoy"], 4), lost_by(3), lost_by(0), lost_by(3), DRAW)
    assert session.times == [1, 0, 0, 2]
    assert session.draws == 1
    assert session.deals == 4
    assert session.champions == (1, 2)


def test_r10_3_the_durak_pays_each_other_player_a_chip() -> None:
    assert finished(Session(PRESETS["podkidnoy"], 4), lost_by(3)).chips == [1, 1, 1, -3]
    assert finished(Session(PRESETS["pairs"], 4), lost_by(0, 2)).chips == [-2, 2, -2, 2]


def test_r10_3_a_double_durak_is_recorded_only_unless_the_rules_say_more() -> None:
    session = finished(Session(PRESETS["podkidnoy"], 3), lost_by(2, double=True))
    assert (session.doubles, session.points, session.chips) == ([0, 0, 1], [0, 0, 1], [1, 1, -2])


def test_r10_3_counts_double_counts_and_pays_twice() -> None:
    session = finished(Session(rules(double_durak="counts_double"), 3), lost_by(2, double=True), lost_by(1))
    assert (session.points, session.times, session.chips) == ([0, 1, 2], [0, 1, 1], [3, 0, -3])


def test_r10_3_deals_twice_has_the_double_durak_deal_the_next_two() -> None:
    session = finished(Session(rules(double_durak="deals_twice"), 3), lost_by(2, double=True))
    assert session.dealer == 2
    assert finished(session, lost_by(0)).dealer == 2, "his second deal"
    assert finished(session, lost_by(1)).dealer == 1


def test_r9_5_who_was_durak_twice_starts_with_seven_and_three_times_or_more_with_eight() -> None:
    session = Session(PRESETS["ladder"], 3)
    sizes = []
    for number in range(5):
        state = session.next_deal(number.to_bytes(16, "big"))
        sizes.append([hand.bit_count() for hand in state.hands])
        session.finish(lost_by(1))
    assert sizes == [[6, 6, 6], [6, 6, 6], [6, 7, 6], [6, 8, 6], [6, 8, 6]]


def test_r9_5_other_rules_have_no_ladder() -> None:
    assert finished(Session(PRESETS["perevodnoy"], 3), lost_by(1), lost_by(1), lost_by(1)).extra == ()


def test_a_session_plays_one_deal_after_the_other() -> None:
    session = Session(PRESETS["podkidnoy"], 2)
    with pytest.raises(DurakError, match="no deal of this session is in play"):
        session.finish(DRAW)
    session.next_deal(bytes(16))
    with pytest.raises(DurakError, match="is not finished"):
        session.next_deal(bytes(16))


@pytest.mark.parametrize("name", PRESETS)
def test_a_session_of_every_preset_plays_through_and_its_chips_add_up_to_nothing(name: str) -> None:
    choose = random.Random(name)
    session = Session(PRESETS[name], PRESETS[name].seat_counts[0])
    for _ in range(5):
        state = session.next_deal(choose.randbytes(16))
        while not state.is_over:
            state.play(choose.choice(state.legal_moves()))
        assert state.result is not None
        session.finish(state.result)
    assert sum(session.chips) == 0
    assert session.deals == 5
