"""Reads on matches: bounded queries, and nothing before its time or to the wrong eyes."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser

from arena.bots.models import BotVersion
from arena.errors import Invalid, NotAllowed, NotFound, QuotaExceeded
from arena.matches.models import Match
from arena.matches.queue import attempt_finish, attempt_renew
from arena.matches.results import PlayedFault, PlayedLog, PlayedMatch
from arena.matches.selectors import (
    deal_get,
    deal_list,
    faults_for,
    logs_for,
    match_get,
    match_list,
    match_progress,
)
from arena.matches.services import challenge_create, match_create
from tests.arena.factories import (
    bot_make,
    match_claim_it,
    match_finished,
    match_make,
    play_at_random,
    user_make,
    version_make,
)

pytestmark = pytest.mark.django_db


def finished_with_faults() -> Match:
    match = match_make(2)
    played = PlayedMatch(
        deals=play_at_random(match).deals,
        faults=[
            PlayedFault(index, 0, 3, "malformed", f"reason {index}", f"line {index}", {"v": index}) for index in (0, 1)
        ],
        logs=[PlayedLog(index, 0, f"stderr {index}", {"code": index}) for index in (0, 1)],
    )
    assert attempt_finish(attempt=match_claim_it(match), played=played).applied
    return match_get(match.pk)


def owner(match: Match, index: int) -> Any:
    return match.participants.all()[index].version.bot.owner


def test_a_list_of_matches_takes_two_queries_whatever_its_length_and_never_reads_seeds(
    django_assert_num_queries: Any,
) -> None:
    versions = [version_make() for _ in range(3)]
    for _ in range(4):
        match_finished(versions)
    with django_assert_num_queries(2) as queries:
        for match in match_list():
            for participant in match.participants.all():
                assert participant.version.bot.owner.username
            assert match.preset
    text = " ".join(query["sql"] for query in queries)
    assert '"seed"' not in text
    assert "record" not in text
    assert "archive" not in text
    assert "build_log" not in text


def test_one_match_with_its_attempts_takes_three_queries(django_assert_num_queries: Any) -> None:
    match = match_finished()
    with django_assert_num_queries(3):
        found = match_get(match.pk)
        assert len(found.attempts.all()) == 1
        assert len({each.version.bot.owner.username for each in found.participants.all()}) == 2


def test_matches_are_filtered_by_bot_kind_state_and_preset() -> None:
    first, second = match_make(), match_finished(preset="perevodnoy")
    bot = first.participants.first().version.bot
    assert [match.pk for match in match_list(bot=bot)] == [first.pk]
    assert [match.pk for match in match_list(state="finished")] == [second.pk]
    assert [match.pk for match in match_list(preset="perevodnoy")] == [second.pk]
    assert [match.pk for match in match_list(kind="ladder")] == []
    assert [match.pk for match in match_list(kind="challenge")] == [second.pk, first.pk]


def test_a_match_of_a_bot_against_itself_is_listed_once() -> None:
    version = version_make()
    match = match_make([version, version])
    assert [found.pk for found in match_list(bot=version.bot)] == [match.pk]


@pytest.mark.parametrize("state", ["queued", "running"])
def test_before_a_match_is_finished_nobody_reaches_its_deals_or_its_seed(state: str) -> None:
    match = match_make()
    if state == "running":
        match_claim_it(match)
        match.refresh_from_db()
    assert match.revealed_seed is None
    assert list(deal_list(match)) == []
    with pytest.raises(NotFound, match=f"it is {state}"):
        deal_get(match, 0)


def test_a_finished_match_gives_out_its_deals_and_names_those_it_has() -> None:
    match = match_finished(3)
    assert [deal.index for deal in deal_list(match)] == [0, 1, 2]
    assert deal_get(match, 2).record.startswith("durak deal 1")
    with pytest.raises(NotFound, match="numbered 0 to 2"):
        deal_get(match, 3)


def test_a_list_of_deals_does_not_read_records(django_assert_num_queries: Any) -> None:
    match = match_finished()
    with django_assert_num_queries(1) as queries:
        assert len(list(deal_list(match))) == 2
    assert "record" not in queries[0]["sql"]


def test_the_progress_of_a_match_is_what_its_worker_last_said() -> None:
    match = match_make(sets=5)
    assert match_progress(match) == (0, 10)
    attempt_renew(attempt=match_claim_it(match), deals_done=7)
    assert match_progress(match) == (7, 10)
    assert match_progress(match_finished()) == (2, 2)


def test_an_owner_reads_the_logs_of_their_own_bot_and_nobody_else_s() -> None:
    match = finished_with_faults()
    assert [entry.stderr for entry in logs_for(match, owner(match, 0))] == ["stderr 0"]
    assert [entry.stderr for entry in logs_for(match, owner(match, 1))] == ["stderr 1"]
    for stranger in (user_make(), AnonymousUser(), None):
        assert list(logs_for(match, stranger)) == []
    assert len(logs_for(match, user_make(is_staff=True))) == 2


def test_everyone_reads_verdict_and_reason_of_a_fault_but_line_and_view_only_its_owner() -> None:
    match = finished_with_faults()
    for reader, sees in ((owner(match, 0), {0}), (owner(match, 1), {1}), (user_make(), set()), (None, set())):
        faults = faults_for(match, reader)
        assert [(fault.verdict, fault.reason) for fault in faults] == [("malformed", f"reason {i}") for i in (0, 1)]
        for index, fault in enumerate(faults):
            assert (fault.line, fault.view) == ((f"line {index}", {"v": index}) if index in sees else ("", None))


def test_faults_and_logs_take_one_query_each(django_assert_num_queries: Any) -> None:
    match = finished_with_faults()
    reader = owner(match, 0)
    with django_assert_num_queries(1):
        assert [fault.participant.version.bot.slug for fault in faults_for(match, reader)]
    with django_assert_num_queries(1):
        assert [entry.participant.version.bot.slug for entry in logs_for(match, reader)]


def test_a_challenge_pits_the_newest_ready_versions_against_each_other_unrated() -> None:
    mine, theirs = version_make(), version_make()
    newer = version_make(theirs.bot)
    match = challenge_create(by=mine.bot.owner, own=mine.bot, opponents=[theirs.bot], preset="podkidnoy", sets=2)
    assert [each.version for each in match.participants.all()] == [mine, newer]
    assert (match.kind, match.sets, match.created_by) == ("challenge", 2, mine.bot.owner)


def test_a_challenge_is_refused_with_the_reason() -> None:
    mine, theirs = version_make(), version_make(seats=(2,))
    person = mine.bot.owner
    with pytest.raises(NotAllowed, match="somebody else"):
        challenge_create(by=user_make(), own=mine.bot, opponents=[theirs.bot], preset="podkidnoy")
    with pytest.raises(Invalid, match="at least one opponent"):
        challenge_create(by=person, own=mine.bot, opponents=[], preset="podkidnoy")
    with pytest.raises(Invalid, match="did you mean podkidnoy"):
        challenge_create(by=person, own=mine.bot, opponents=[theirs.bot], preset="podkidnoi")
    with pytest.raises(Invalid, match="does not play podkidnoy with 3 seats"):
        challenge_create(by=person, own=mine.bot, opponents=[theirs.bot, theirs.bot], preset="podkidnoy")
    with pytest.raises(Exception, match="no version that is ready"):
        challenge_create(by=person, own=mine.bot, opponents=[bot_make()], preset="podkidnoy")


def test_a_person_may_have_only_so_many_challenges_open(settings: Any) -> None:
    settings.CHALLENGES_OPEN = 1
    mine, theirs = version_make(), version_make()

    def challenge() -> Match:
        return challenge_create(by=mine.bot.owner, own=mine.bot, opponents=[theirs.bot], preset="podkidnoy")

    first = challenge()
    with pytest.raises(QuotaExceeded):
        challenge()
    attempt_finish(attempt=match_claim_it(first), played=play_at_random(first))
    assert challenge().state == "queued"


def test_a_person_may_have_only_so_many_deals_in_open_challenges(settings: Any) -> None:
    settings.CHALLENGE_DEALS_OPEN = 6
    mine, theirs = version_make(), version_make()

    def challenge(sets: int, opponents: int = 1) -> Match:
        bots = [theirs.bot] * opponents
        return challenge_create(by=mine.bot.owner, own=mine.bot, opponents=bots, preset="podkidnoy", sets=sets)

    first = challenge(sets=1, opponents=2)
    with pytest.raises(
        QuotaExceeded, match=r"has 4 deals, and your open challenges have 3; .* 6\. Ask for fewer"
    ) as no:
        challenge(sets=2)
    assert no.value.field == "sets"
    assert challenge(sets=1).state == "queued"
    attempt_finish(attempt=match_claim_it(first), played=play_at_random(first))
    assert challenge(sets=2).state == "queued"


def test_the_house_may_challenge_as_often_as_it_likes(settings: Any) -> None:
    settings.CHALLENGES_OPEN = settings.CHALLENGE_DEALS_OPEN = 0
    house = user_make(is_house=True)
    mine = version_make(bot_make(owner=house))
    assert challenge_create(by=house, own=mine.bot, opponents=[mine.bot], preset="podkidnoy").state == "queued"


@pytest.mark.parametrize(
    ("terms", "field"),
    [
        ({"preset": "pairs"}, "seats"),
        ({"sets": 0}, "sets"),
        ({"sets": 51}, "sets"),
        ({"time_control": {"move_ms": -1}}, "time_control"),
        ({"time_control": {"tempo": 1}}, "time_control"),
    ],
)
def test_a_match_on_terms_that_cannot_be_is_refused(terms: dict[str, Any], field: str) -> None:
    versions: list[BotVersion] = [version_make(), version_make()]
    with pytest.raises(Invalid) as refusal:
        match_create(**{"kind": "challenge", "versions": versions, "preset": "podkidnoy"} | terms)
    assert refusal.value.field == field
    assert not Match.objects.exists()
