"""A ladder recomputed from its matches is the ladder that grew with them, to the last bit."""

from __future__ import annotations

import random
import sys
from contextlib import contextmanager
from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection, transaction

from arena.ladders.models import Ladder, Rating, RatingEvent
from arena.ladders.rebuild import ladder_rebuild
from arena.matches.models import Match
from arena.matches.services import match_create

pytestmark = pytest.mark.django_db


@pytest.fixture
def ladder(arena):
    """Twelve matches between four bots, one an anchor, two of them with a second version half-way."""
    ladder = arena.ladder(seats=3)
    versions = [arena.version(arena.bot(is_anchor=not n)) for n in range(4)]
    rng = random.Random(7)
    for seed in range(12):
        if seed in (5, 8):
            versions[seed // 4] = arena.version(versions[seed // 4].bot)
        arena.play_random(ladder, rng.sample(versions, 3), seed)
    return ladder


def snapshot() -> tuple[list, list, list]:
    events = RatingEvent.objects.order_by("match", "deal_index", "version").values_list(
        "match", "deal_index", "version", "p", "y", "k", "before", "after"
    )
    ratings = Rating.objects.order_by("version").values_list(
        "version", "value", "information", "matches", "deals", "duraks", "draws", "faulty_streak", "is_current"
    )
    return list(events), list(ratings), list(Ladder.objects.values_list("played", "last_finished_at"))


def test_a_rebuild_proves_the_ladder_identical(ladder):
    report = ladder_rebuild(ladder, check=True)
    assert report.identical
    assert (report.matches, report.events) == (12, 12 * 3 * 3)


def test_a_rebuild_from_nothing_gives_the_same_numbers(ladder):
    before = snapshot()
    RatingEvent.objects.all().delete()
    Rating.objects.all().delete()
    ladder.last_finished_at = None
    ladder.save()
    report = ladder_rebuild(ladder)
    assert not report.identical
    assert report.written
    assert snapshot() == before
    assert ladder_rebuild(ladder, check=True).identical


TAMPERINGS = {
    "an event's rating in its last bit": lambda: RatingEvent.objects.filter(pk=some_event().pk).update(
        after=some_event().after * (1 + sys.float_info.epsilon)
    ),
    "an event's k": lambda: RatingEvent.objects.filter(pk=some_event().pk).update(k=0),
    "a missing event": lambda: some_event().delete(),
    "an event of no deal": lambda: RatingEvent.objects.filter(pk=some_event().pk).update(deal_index=99),
    "a rating": lambda: Rating.objects.filter(pk=some_rating().pk).update(value=1777),
    "a count": lambda: Rating.objects.filter(pk=some_rating().pk).update(deals=999),
    "a missing rating": lambda: some_rating().delete(),
    "a faulty streak": lambda: Rating.objects.filter(pk=some_rating().pk).update(faulty_streak=3),
    "the number of its matches": lambda: Ladder.objects.update(played=7),
    "when its last match was rated": lambda: Ladder.objects.update(last_finished_at=None),
    "no current version": lambda: Rating.objects.filter(is_current=True).update(is_current=False),
}


def some_event() -> RatingEvent:
    return RatingEvent.objects.exclude(k=0).order_by("id")[20]


def some_rating() -> Rating:
    return Rating.objects.order_by("id")[2]


@contextmanager
def as_superuser():
    """As who has the whole database in hand and lets no trigger stop him."""
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        yield
        cursor.execute("SET LOCAL session_replication_role = origin")


def test_the_database_lets_no_event_be_changed(ladder):
    with pytest.raises(IntegrityError, match="never changes"), transaction.atomic():
        RatingEvent.objects.filter(pk=some_event().pk).update(after=2000)


@pytest.mark.parametrize("what", TAMPERINGS)
def test_a_rebuild_finds_and_mends(ladder, what):
    before = snapshot()
    with as_superuser():
        TAMPERINGS[what]()
    checked = ladder_rebuild(ladder, check=True)
    assert not checked.identical
    assert checked.differences
    assert not checked.written
    assert snapshot() != before, "a check changes nothing"
    assert ladder_rebuild(ladder).written
    assert snapshot() == before


def test_events_of_a_match_that_is_not_on_the_ladder_are_found_and_removed(arena, ladder):
    event = some_event()
    stray = match_create(kind="challenge", versions=[event.version, arena.version()], preset="podkidnoy")
    with as_superuser():
        RatingEvent.objects.filter(pk=event.pk).update(match=stray)
    report = ladder_rebuild(ladder)
    assert any("not a finished one" in line for line in report.differences)
    assert not stray.rating_events.exists()
    assert ladder_rebuild(ladder, check=True).identical


def test_the_order_of_matches_is_by_time_and_a_changed_time_is_noticed(ladder):
    first = Match.objects.order_by("finished_at").first()
    Match.objects.filter(pk=first.pk).update(finished_at=first.finished_at + timedelta(days=1))
    assert not ladder_rebuild(ladder, check=True).identical


def test_a_rebuild_takes_a_bounded_number_of_queries(ladder, django_assert_max_num_queries):
    with django_assert_max_num_queries(16):
        ladder_rebuild(ladder, check=True)


def test_the_command_says_identical(ladder):
    out = StringIO()
    call_command("rebuild_ladder", ladder.slug, "--check", stdout=out)
    assert out.getvalue() == f"{ladder.slug}: 12 matches, 108 rating events: identical\n"


def test_the_command_with_check_fails_naming_what_differs(ladder):
    rating = some_rating()
    Rating.objects.filter(pk=rating.pk).update(value=1234.5)
    err = StringIO()
    with pytest.raises(CommandError, match=ladder.slug):
        call_command("rebuild_ladder", "--check", stdout=StringIO(), stderr=err)
    assert f"{rating.version}: value is 1234.5, should be {rating.value!r}" in err.getvalue()


def test_the_command_without_check_puts_it_right(ladder):
    Rating.objects.filter(pk=some_rating().pk).update(value=1234.5)
    out = StringIO()
    call_command("rebuild_ladder", ladder.slug, stdout=out, stderr=StringIO())
    assert "1 differences, put right" in out.getvalue()
    assert ladder_rebuild(ladder, check=True).identical


def test_the_command_names_a_ladder_that_there_is_not():
    with pytest.raises(CommandError, match="no-such"):
        call_command("rebuild_ladder", "no-such")
