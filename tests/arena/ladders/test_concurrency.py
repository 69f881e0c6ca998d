"""Results saved at once, from many threads with connections of their own."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection, transaction

from arena.ladders.book import Book
from arena.ladders.facts import match_result
from arena.ladders.models import Rating, RatingEvent
from arena.ladders.rebuild import ladder_rebuild
from arena.ladders.services import ladder_matchmake
from arena.matches.models import Match
from arena.matches.queue import attempt_finish, match_claim
from tests.arena.ladders.conftest import Arena, played, random_duraks

RESULTS = 50
THREADS = 8

pytestmark = pytest.mark.django_db(transaction=True)


def in_threads(work, jobs) -> list:
    def run(job):
        try:
            return work(job)
        finally:
            connection.close()

    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(run, jobs))


def test_50_results_of_one_bot_saved_by_8_threads_equal_the_serial_replay():
    arena = Arena()
    ladder = arena.ladder()
    shared, *others = [arena.version() for _ in range(6)]
    rng = random.Random(3)
    for _ in range(RESULTS):
        arena.queue(ladder, [shared, rng.choice(others)])
    attempts = [match_claim(worker="w") for _ in range(RESULTS)]

    endings = in_threads(
        lambda attempt: attempt_finish(
            attempt=attempt, played=played(attempt.match, random_duraks(ladder, attempt.match_id))
        ),
        attempts,
    )

    assert all(ending.applied for ending in endings)
    order = list(Match.objects.order_by("finished_at", "id"))
    assert len({match.finished_at for match in order}) == RESULTS
    serial = Book()
    changes = []
    for match in order:
        changes += serial.apply(
            match_result(match, match.participants.select_related("version__bot"), match.deals.all())
        )
    stored = RatingEvent.objects.order_by("match__finished_at", "match", "deal_index", "id")
    numbers = ("match_id", "deal_index", "version_id", "p", "y", "k", "before", "after")
    assert sorted(stored.values_list(*numbers)) == sorted(
        (c.match, c.deal, c.version, c.p, c.y, c.k, c.before, c.after) for c in changes
    )
    assert {r.version_id: (r.value, r.information, r.deals) for r in Rating.objects.all()} == {
        version: (track.value, track.information, track.deals) for version, track in serial.tracks.items()
    }
    assert Rating.objects.get(version=shared).matches == RESULTS
    assert ladder_rebuild(ladder, check=True).identical


def test_one_result_brought_by_8_threads_at_once_is_rated_once():
    arena = Arena()
    ladder = arena.ladder()
    match = arena.queue(ladder, [arena.version(), arena.version()])
    attempt = arena.claim(match)
    result = played(match, random_duraks(ladder, 1))
    endings = in_threads(lambda _: attempt_finish(attempt=attempt, played=result), range(THREADS))
    assert sorted(ending.applied for ending in endings) == [False] * (THREADS - 1) + [True]
    assert RatingEvent.objects.count() == 4
    assert ladder_rebuild(ladder, check=True).identical


def test_8_matchmakers_at_once_do_not_overfill_the_queue(settings):
    settings.LADDER_QUEUE = 3
    arena = Arena()
    ladder = arena.ladder()
    for _ in range(4):
        arena.version()
    made = in_threads(lambda _: len(ladder_matchmake(ladder)), range(THREADS))
    assert sum(made) == 3
    assert Match.objects.filter(state="queued").count() == 3


def test_a_rebuild_waits_for_results_that_are_being_saved():
    arena = Arena()
    ladder = arena.ladder()
    a, b = arena.version(), arena.version()
    arena.play(ladder, [a, b], 0)
    match = arena.queue(ladder, [a, b])
    attempt = arena.claim(match)
    result = played(match, random_duraks(ladder, 1))

    def check(_):
        return ladder_rebuild(ladder, check=True)

    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            attempt_finish(attempt=attempt, played=result)
            waiting = pool.submit(lambda: (check(None), connection.close())[0])
            with pytest.raises(TimeoutError):
                waiting.result(timeout=0.5)
        assert waiting.result(timeout=10).identical
        assert waiting.result().matches == 2
