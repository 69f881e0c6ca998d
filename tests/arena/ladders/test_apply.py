"""What a finished match does to its ladder, within the transaction that saves it."""

from __future__ import annotations

import pytest

from arena.ladders.models import LadderMatch, Rating, RatingEvent
from arena.ladders.rebuild import ladder_rebuild
from arena.ladders.services import ladder_apply
from arena.matches.models import Match
from arena.matches.queue import attempt_finish, attempt_void
from arena.matches.services import challenge_create, match_cancel
from bots_sdk.ratings import C
from tests.arena.ladders.conftest import played, random_duraks

pytestmark = pytest.mark.django_db


def test_a_finished_match_writes_an_event_for_each_seat_of_each_deal(arena):
    ladder = arena.ladder(seats=3, sets=2)
    match = arena.play_random(ladder, [arena.version() for _ in range(3)], seed=1)
    events = match.rating_events.all()
    assert len(events) == 2 * 3 * 3
    assert {(event.deal_index, event.version_id) for event in events} == {
        (deal, p.version_id) for deal in range(6) for p in match.participants.all()
    }
    assert LadderMatch.objects.get(match=match).applied_at == match.finished_at


def test_a_rating_is_where_its_last_event_left_it(arena):
    ladder = arena.ladder()
    a, b = arena.version(), arena.version()
    for seed in range(5):
        arena.play_random(ladder, [a, b], seed)
    for rating in Rating.objects.all():
        events = list(rating.version.rating_events.order_by("id"))
        assert rating.value == events[-1].after
        assert [event.before for event in events[1:]] == [event.after for event in events[:-1]]
        assert (rating.matches, rating.deals) == (5, 10)


def test_the_first_two_bots_move_by_the_formula(arena):
    ladder = arena.ladder()
    a, b = arena.version(), arena.version()
    arena.play(ladder, [a, b], 0)
    k = C * 150**2
    first = RatingEvent.objects.get(version=a, deal_index=0)
    assert (first.p, first.y, first.before) == (0.5, 1, 1500)
    assert first.k == pytest.approx(k)
    assert first.after == pytest.approx(1500 - k / 2)
    assert sum(Rating.objects.values_list("value", flat=True)) == pytest.approx(3000)


def test_saving_the_result_a_second_time_rates_nothing_and_says_so(arena):
    ladder = arena.ladder()
    match = arena.queue(ladder, [arena.version(), arena.version()])
    attempt = arena.claim(match)
    result = played(match, random_duraks(ladder, 3))
    assert attempt_finish(attempt=attempt, played=result).applied
    before = list(RatingEvent.objects.values()), list(Rating.objects.values())
    again = attempt_finish(attempt=attempt, played=result)
    assert not again.applied
    assert "already" in again.message
    assert (list(RatingEvent.objects.values()), list(Rating.objects.values())) == before


def test_applying_a_rated_match_again_changes_nothing(arena):
    ladder = arena.ladder()
    match = arena.play(ladder, [arena.version(), arena.version()], 0)
    before = list(RatingEvent.objects.values()), list(Rating.objects.values())
    assert ladder_apply(match) is False
    assert (list(RatingEvent.objects.values()), list(Rating.objects.values())) == before


def test_matches_of_a_ladder_finish_at_strictly_increasing_times(arena):
    """All of them are saved within this test's one transaction, for which the database's clock stands still."""
    ladder = arena.ladder()
    versions = [arena.version(), arena.version()]
    times = [arena.play(ladder, versions, 0).finished_at for _ in range(4)]
    assert times == sorted(set(times))
    ladder.refresh_from_db()
    assert ladder.last_finished_at == times[-1]


def test_cancelled_void_and_queued_matches_count_for_nothing(arena):
    ladder = arena.ladder()
    a, b = arena.version(), arena.version()
    arena.owner.is_staff = True
    match_cancel(match=arena.queue(ladder, [a, b]), by=arena.owner, reason="a try")
    void = arena.queue(ladder, [a, b])
    attempt_void(attempt=arena.claim(void), reason="the daemon went away")
    arena.queue(ladder, [a, b])
    assert not Rating.objects.exists()
    assert not RatingEvent.objects.exists()
    ladder.refresh_from_db()
    assert ladder.last_finished_at is None


def test_a_challenge_moves_no_rating(arena):
    ladder = arena.ladder()
    a, b = arena.version(), arena.version()
    match = challenge_create(by=arena.owner, own=a.bot, opponents=[b.bot], preset="podkidnoy")
    arena.finish(match, random_duraks(ladder, 1))
    assert not RatingEvent.objects.exists()


def test_deals_lost_by_faults_count_like_any_other(arena):
    ladder = arena.ladder()
    a, b = arena.version(), arena.version()
    arena.play(ladder, [a, b], 1, excluded={1})
    rating = Rating.objects.get(version=b)
    assert (rating.deals, rating.duraks, rating.faulty_streak) == (2, 2, 1)
    assert rating.value < 1500 < Rating.objects.get(version=a).value


def test_a_new_version_takes_its_bots_place_with_the_rating_it_inherits(arena):
    ladder = arena.ladder(sets=20)
    a, b = arena.version(), arena.version()
    for seed in range(4):
        arena.play_random(ladder, [a, b], seed)
    old = Rating.objects.get(version=a)
    newer = arena.version(a.bot)
    arena.play_random(ladder, [newer, b], 9)
    old.refresh_from_db()
    first = RatingEvent.objects.filter(version=newer).earliest("id")
    assert first.before == old.value
    assert first.k == pytest.approx(C * 53**2)
    assert (old.is_current, Rating.objects.get(version=newer).is_current) == (False, True)


def test_a_late_match_of_the_old_version_leaves_the_new_one_in_its_place(arena):
    ladder = arena.ladder()
    a, b = arena.version(), arena.version()
    arena.play(ladder, [a, b], 0)
    late = arena.queue(ladder, [a, b])
    newer = arena.version(a.bot)
    arena.play(ladder, [newer, b], 1)
    arena.finish(late, random_duraks(ladder, 4))
    assert Rating.objects.get(bot=a.bot, is_current=True).version == newer
    assert ladder_rebuild(ladder, check=True).identical


def test_the_anchor_stays_at_1500(arena):
    ladder = arena.ladder()
    anchor, other = arena.version(arena.bot(is_anchor=True)), arena.version()
    arena.play(ladder, [anchor, other], 0)
    assert Rating.objects.get(version=anchor).value == 1500
    assert Rating.objects.get(version=other).value > 1500


@pytest.mark.parametrize(
    ("preset", "seats"),
    [("pairs", 4), ("trios", 6), ("pairs-adjacent", 4), ("duel", 2), ("svoi-kozyri", 3), ("two-packs", 6)],
)
def test_any_preset_can_be_a_ladder_and_teams_lose_together(arena, preset, seats):
    ladder = arena.ladder(preset, seats)
    versions = [arena.version() for _ in range(seats)]
    for seed in range(3):
        arena.play_random(ladder, versions, seed)
    for match in Match.objects.all():
        for deal in match.deals.all():
            events = match.rating_events.filter(deal_index=deal.index)
            assert sum(event.p for event in events) == pytest.approx(1)
            assert sum(event.y for event in events) == pytest.approx(1)
            lost = [event for event in events if event.y > 0]
            assert len(lost) == (len(deal.duraks) or seats)
    assert ladder_rebuild(ladder, check=True).identical


def test_a_result_that_cannot_be_rated_is_not_saved_at_all(arena, monkeypatch):
    ladder = arena.ladder()
    match = arena.queue(ladder, [arena.version(), arena.version()])
    attempt = arena.claim(match)

    def broken(*_args: object) -> None:
        raise RuntimeError("no")

    monkeypatch.setattr("arena.ladders.services.ratings_write", broken)
    with pytest.raises(RuntimeError):
        attempt_finish(attempt=attempt, played=played(match, random_duraks(ladder, 1)))
    match.refresh_from_db()
    assert match.state == Match.State.RUNNING
    assert not match.deals.exists()
