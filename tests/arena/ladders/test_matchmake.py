"""Keeping a ladder's queue filled, with rows and through finished matches."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from itertools import combinations

import pytest
from django.db.models.functions import Now

from arena.bots.hosts import host_report, language_sets
from arena.bots.models import Bot, BotVersion, Host
from arena.ladders.matchmaking import Candidate
from arena.ladders.models import LadderMatch, Rating
from arena.ladders.queueing import candidates
from arena.ladders.selectors import LadderStatus, bot_pauses, ladder_status, standings
from arena.ladders.services import ladder_matchmake, ladder_update
from arena.ladders.tasks import ladders_matchmake
from arena.matches.models import Match, Participant
from arena.matches.queue import attempt_void
from arena.matches.services import match_cancel
from tests.arena.factories import user_make
from tests.arena.ladders.conftest import random_duraks

pytestmark = pytest.mark.django_db


def able(ladder) -> list[Candidate]:
    return candidates(ladder, language_sets())


def status(ladder) -> LadderStatus:
    return ladder_status(ladder, standings(ladder))


def queued(ladder) -> list[Match]:
    return list(Match.objects.filter(ladder_match__ladder=ladder, state="queued").order_by("id"))


def bots_in(matches: list[Match]) -> Counter[int]:
    return Counter(Participant.objects.filter(match__in=matches).values_list("version__bot", flat=True))


def test_the_queue_is_filled_to_its_length_and_no_further(arena, settings):
    settings.LADDER_QUEUE = 3
    ladder = arena.ladder()
    for _ in range(4):
        arena.version()
    assert len(ladder_matchmake(ladder)) == 3
    assert ladder_matchmake(ladder) == []
    arena.claim(queued(ladder)[0])
    assert len(ladder_matchmake(ladder)) == 1
    assert LadderMatch.objects.filter(ladder=ladder, applied_at=None).count() == 4


def test_a_match_is_between_different_bots_of_the_ladders_rules_seats_and_sets(arena):
    ladder = arena.ladder("perevodnoy", 3, sets=2, time_control={"move_ms": 500})
    for _ in range(5):
        arena.version()
    for match in ladder_matchmake(ladder):
        bots = list(match.participants.values_list("version__bot", flat=True))
        assert len(set(bots)) == 3
        assert (match.kind, match.preset, match.sets, match.time_control["move_ms"]) == ("ladder", "perevodnoy", 2, 500)


def test_a_ladder_with_fewer_bots_than_seats_plays_none_and_says_so(arena):
    ladder = arena.ladder(seats=4)
    for _ in range(3):
        arena.version()
    assert ladder_matchmake(ladder) == []
    assert status(ladder).message == "No matches are played: this ladder needs 4 bots, and 3 are able to play."
    arena.version()
    assert len(ladder_matchmake(ladder)) > 0
    assert status(ladder).message == "4 bots play."


def test_a_closed_ladder_gets_no_matches_and_says_so(arena):
    ladder = arena.ladder()
    arena.version(), arena.version()
    ladder_update(ladder=ladder, is_open=False)
    assert ladder_matchmake(ladder) == []
    assert "closed" in status(ladder).message


def retired(arena):
    return arena.version(arena.bot(is_retired=True))


def not_ready(arena):
    version = arena.version()
    BotVersion.objects.filter(pk=version.pk).update(state="uploaded", ready_at=None)
    return version


def of_other_rules(arena):
    return arena.version(presets=["duel"])


def of_other_seats(arena):
    return arena.version(seats=[3])


@pytest.mark.parametrize("unable", [retired, not_ready, of_other_rules, of_other_seats])
def test_bots_that_cannot_play_are_left_out(arena, unable):
    ladder = arena.ladder()
    a, b = arena.version(), arena.version()
    unable(arena)
    assert set(bots_in(ladder_matchmake(ladder))) == {a.bot_id, b.bot_id}


def test_the_newest_ready_version_of_a_bot_plays(arena):
    ladder = arena.ladder()
    old, other = arena.version(), arena.version()
    new = arena.version(old.bot)
    failed = arena.version(old.bot)
    BotVersion.objects.filter(pk=failed.pk).update(state="failed", failure="build", reason="no")
    versions = set(Participant.objects.filter(match__in=ladder_matchmake(ladder)).values_list("version", flat=True))
    assert versions == {new.pk, other.pk}


def test_a_new_bot_is_in_the_next_matches_and_they_come_first_in_the_queue(arena, settings):
    settings.LADDER_QUEUE = 4
    ladder = arena.ladder(sets=12)
    versions = [arena.version() for _ in range(6)]
    for seed in range(18):
        arena.play_random(ladder, [versions[seed % 6], versions[(seed + 1 + seed // 6) % 6]], seed)
    assert not any(candidate.is_new for candidate in able(ladder))
    new = arena.version()
    made = ladder_matchmake(ladder)
    with_new = [match for match in made if match.participants.filter(version=new).exists()]
    assert len(with_new) == 2, "the rest of the queue is for the others"
    assert all(match.priority == 1 for match in with_new)
    assert made[:2] == with_new


def play_all(arena, ladder, rounds: int, crashing: int | None = None) -> list[Match]:
    """Fill the queue and play it, again and again."""
    done = []
    for number in range(rounds):
        for match in ladder_matchmake(ladder):
            out = {
                participant.index for participant in match.participants.all() if participant.version.bot_id == crashing
            }
            lost = random_duraks(ladder, number)
            done.append(arena.finish(match, (lambda *_, out=out: list(out)) if out else lost, excluded=out))
    return done


def test_a_bot_that_crashes_at_once_is_paused_until_it_has_a_new_version(arena):
    ladder = arena.ladder()
    for _ in range(5):
        arena.version()
    bad = arena.version()
    done = play_all(arena, ladder, 12, crashing=bad.bot_id)
    assert bots_in(done)[bad.bot_id] == 3
    assert bots_in(done)[bad.bot_id] <= len(done) * 2 / 6
    line = next(line for line in standings(ladder) if line.bot == bad.bot)
    assert "put out for faults in its last 3 matches" in line.paused
    assert line.rank is None
    assert [pause.ladder for pause in bot_pauses(bad.bot)] == [ladder]
    assert "1 more paused." in status(ladder).message
    fixed = arena.version(bad.bot)
    assert bot_pauses(bad.bot) == []
    assert fixed.pk in {candidate.version for candidate in able(ladder)}


def test_a_bot_whose_turns_get_matches_abandoned_again_and_again_is_paused_for_a_day(arena, settings):
    ladder, other = arena.ladder(), arena.ladder("perevodnoy")
    spinner, rival = arena.version(), arena.version()
    for number in range(3):
        assert bot_pauses(spinner.bot) == []
        match = arena.queue(ladder, [spinner, rival] if number else [rival, spinner])
        for _ in range(settings.MATCH_MAX_ATTEMPTS):
            Match.objects.update(retry_at=None)
            attempt_void(attempt=arena.claim(match), reason="the host is overloaded", in_turn_of=0 if number else 1)
    (pause,) = bot_pauses(spinner.bot)
    assert pause.ladder == ladder
    assert "3 of its matches of the last 24 hours were abandoned" in pause.message
    assert bot_pauses(rival.bot) == []
    assert {candidate.bot for candidate in able(ladder)} == {rival.bot_id}
    assert {candidate.bot for candidate in able(other)} == {rival.bot_id, spinner.bot_id}
    assert [line.paused for line in standings(ladder) if line.bot == spinner.bot] == [pause.message]
    Participant.objects.update(spoilt_at=Now() - timedelta(hours=24))
    assert bot_pauses(spinner.bot) == []
    assert {candidate.bot for candidate in able(ladder)} == {rival.bot_id, spinner.bot_id}


def test_a_clean_match_ends_the_row_of_faults(arena):
    ladder = arena.ladder()
    a, b = arena.version(), arena.version()
    for excluded in ({0}, {0}, set(), {0}, {0}):
        arena.play(ladder, [a, b], 0, excluded=excluded)
    assert {candidate.bot for candidate in able(ladder)} == {a.bot_id, b.bot_id}


def test_four_bots_on_a_four_seat_ladder_all_play_every_match(arena):
    ladder = arena.ladder(seats=4)
    for _ in range(4):
        arena.version()
    done = play_all(arena, ladder, 3)
    assert set(bots_in(done).values()) == {len(done)}


def test_every_pair_meets_and_shares_stay_even(arena):
    ladder = arena.ladder()
    bots = [arena.version().bot_id for _ in range(5)]
    done = play_all(arena, ladder, 15)
    met = Counter(frozenset(match.participants.values_list("version__bot", flat=True)) for match in done)
    assert all(met[frozenset(pair)] >= 2 for pair in combinations(bots, 2))
    shares = bots_in(done).values()
    assert max(shares) - min(shares) <= 4


def test_every_bot_sits_in_every_seat_equally_often(arena):
    ladder = arena.ladder(seats=3, sets=4)
    for _ in range(4):
        arena.version()
    seats: Counter[tuple[int, int]] = Counter()
    for match in play_all(arena, ladder, 2):
        versions = [p.version_id for p in match.participants.all()]
        for deal in match.deals.all():
            seats.update((versions[index], seat) for seat, index in enumerate(deal.seating))
        assert all(seats[version, 0] == seats[version, 1] == seats[version, 2] for version in versions)


def test_participants_are_shuffled_so_that_neighbours_vary(arena, settings):
    settings.LADDER_QUEUE = 40
    ladder = arena.ladder(seats=4)
    for _ in range(4):
        arena.version()
    orders = {
        tuple(match.participants.order_by("index").values_list("version", flat=True))
        for match in ladder_matchmake(ladder)
    }
    assert len(orders) > 10


def test_a_cancelled_match_makes_room_for_another(arena, settings):
    settings.LADDER_QUEUE = 1
    ladder = arena.ladder()
    arena.version(), arena.version()
    (match,) = ladder_matchmake(ladder)
    arena.owner.is_staff = True
    match_cancel(match=match, by=arena.owner, reason="a try")
    assert len(ladder_matchmake(ladder)) == 1


def test_the_task_fills_every_open_ladder(arena, settings):
    settings.LADDER_QUEUE = 2
    ladders = [arena.ladder(), arena.ladder("duel"), arena.ladder(seats=3)]
    ladder_update(ladder=ladders[1], is_open=False)
    for _ in range(3):
        arena.version()
    assert ladders_matchmake() == 4
    assert [len(queued(ladder)) for ladder in ladders] == [2, 0, 2]


def test_making_a_match_takes_a_bounded_number_of_queries(arena, settings, django_assert_max_num_queries):
    settings.LADDER_QUEUE = 1
    ladder = arena.ladder()
    versions = [arena.version() for _ in range(12)]
    for seed in range(20):
        arena.play_random(ladder, [versions[seed % 12], versions[(seed + 1) % 12]], seed)
    with django_assert_max_num_queries(17):
        ladder_matchmake(ladder)


def hosts(**languages: list[str]) -> None:
    """These are the live hosts, and no others."""
    Host.objects.all().delete()
    for name, offered in languages.items():
        host_report(name=name, languages=offered)


def languages_in(match: Match) -> set[str]:
    return set(match.participants.values_list("version__language", flat=True))


def test_a_bot_whose_language_no_live_host_runs_waits_says_so_and_keeps_nobody_from_playing(arena):
    ladder = arena.ladder()
    crab = arena.version(language="rust")
    snakes = {arena.version().bot_id for _ in range(2)}
    for seed in range(6):
        arena.play_random(ladder, [crab, BotVersion.objects.get(bot=min(snakes))], seed)
    hosts(one=["python"])
    host_report(name="broken", languages=["python", "rust"], reason="no sandbox")
    assert set(bots_in(ladder_matchmake(ladder))) == snakes
    words = "No worker that can run rust is there now. It gets matches again as soon as one is."
    line = next(line for line in standings(ladder) if line.bot == crab.bot)
    assert line.paused == words
    assert [(pause.ladder, pause.message) for pause in bot_pauses(crab.bot)] == [(ladder, words)]
    assert status(ladder).message == "2 bots play. 1 more paused; there is no worker that can run rust."
    hosts(one=["python", "rust"])
    assert crab.bot_id in {candidate.bot for candidate in able(ladder)}
    assert bot_pauses(crab.bot) == []
    assert status(ladder).message == "3 bots play."


def test_who_only_waits_for_a_host_keeps_its_rank_and_who_is_paused_for_faults_does_not(arena):
    ladder = arena.ladder(sets=12)
    a, b = arena.version(), arena.version()
    for seed in range(10):
        arena.play_random(ladder, [a, b], seed)
    assert sorted(line.rank for line in standings(ladder)) == [1, 2]
    hosts()
    assert sorted(line.rank for line in standings(ladder)) == [1, 2]
    assert all(line.paused for line in standings(ladder))
    assert "No matches are played" in status(ladder).message
    Rating.objects.filter(version=a).update(faulty_streak=3)
    assert {line.version: line.rank for line in standings(ladder)} == {a: None, b: 1}


def test_nobody_waits_for_a_host_on_a_closed_ladder(arena):
    ladder = arena.ladder()
    version = arena.version()
    ladder_update(ladder=ladder, is_open=False)
    hosts()
    assert [line.paused for line in standings(ladder)] == [""]
    assert bot_pauses(version.bot) == []


def test_matches_that_no_live_host_can_play_fill_no_place_and_hold_nobody_back(arena, settings):
    settings.LADDER_QUEUE = 3
    ladder = arena.ladder()
    crab, snake, other = arena.version(language="rust"), arena.version(), arena.version()
    for _ in range(3):
        arena.queue(ladder, [crab, snake])
    assert len(ladder_matchmake(ladder)) == 3
    assert {candidate.bot: candidate.pending for candidate in able(ladder)} == {snake.bot_id: 3, other.bot_id: 3}
    hosts(one=["python", "rust"])
    assert ladder_matchmake(ladder) == []
    assert {candidate.bot: candidate.pending for candidate in able(ladder)}[snake.bot_id] == 6


def test_bots_meet_only_where_one_host_can_run_them_all(arena, settings):
    settings.LADDER_QUEUE = 30
    ladder = arena.ladder()
    for language in ("python", "rust", "go"):
        arena.version(language=language), arena.version(language=language)
    hosts(one=["python", "go"], two=["python", "rust"], three=["go"])
    met = {frozenset(languages_in(match)) for match in ladder_matchmake(ladder)}
    assert {"rust", "go"} not in met
    assert {"python", "rust"} in met
    assert {"python", "go"} in met


def test_a_ladder_none_of_whose_hosts_can_run_a_whole_table_says_so(arena):
    ladder = arena.ladder()
    arena.version(), arena.version(language="rust")
    hosts(one=["python"], two=["rust"])
    assert ladder_matchmake(ladder) == []
    assert status(ladder).message == (
        "No matches are played: no worker can run the languages of 2 of its bots at once."
    )


def test_one_owners_bots_sit_together_only_if_others_are_too_few(arena, settings):
    settings.LADDER_QUEUE = 12
    ladder = arena.ladder(seats=4)
    mine = [arena.version() for _ in range(6)]
    assert ladder_matchmake(ladder), "with nobody else they play one another"
    Match.objects.filter(state="queued").update(state="cancelled", reason="a test")
    for name in ("ann", "ben", "cem"):
        Bot.objects.filter(pk=arena.version().bot_id).update(owner=user_make(name))
    made = ladder_matchmake(ladder)
    assert len(made) == 12
    for match in made:
        owners = list(match.participants.values_list("version__bot__owner", flat=True))
        assert len(set(owners)) == 4
    assert len(set(bots_in(made)) & {version.bot_id for version in mine}) > 1, "they take turns"


def test_house_bots_sit_together_though_others_could_play(arena, settings):
    settings.LADDER_QUEUE = 12
    ladder = arena.ladder(seats=4)
    arena.owner.is_house = True
    arena.owner.save()
    houses = {arena.version().bot_id for _ in range(4)}
    for _ in range(3):
        Bot.objects.filter(pk=arena.version().bot_id).update(owner=user_make())
    assert max(len(houses & set(bots_in([match]))) for match in ladder_matchmake(ladder)) > 1
