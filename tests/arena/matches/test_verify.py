"""Anyone can deal a finished match again from its seed, and referee it again from its records."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from arena.errors import Conflict
from arena.matches.models import Deal, Match, Participant
from arena.matches.verify import match_verify
from tests.arena.factories import match_finished, match_make

pytestmark = pytest.mark.django_db


@pytest.fixture
def forge() -> Any:
    """Change rows behind the back of the triggers, as somebody with the keys of the database could."""

    def change(model: type[Deal | Match | Participant], pk: int, **fields: Any) -> None:
        with connection.cursor() as cursor:
            cursor.execute("SET session_replication_role = replica")
            model.objects.filter(pk=pk).update(**fields)
            cursor.execute("SET session_replication_role = DEFAULT")

    return change


@pytest.mark.parametrize(("preset", "seats"), [("podkidnoy", 2), ("perevodnoy", 3), ("pairs", 4), ("duel", 2)])
def test_an_honest_match_verifies(preset: str, seats: int) -> None:
    found = match_verify(match_finished(seats, preset=preset, sets=2))
    assert found.problems == ()
    assert found.deals == 2 * seats


def test_a_match_that_is_not_finished_cannot_be_verified() -> None:
    with pytest.raises(Conflict, match="queued"):
        match_verify(match_make())


def test_a_seed_other_than_the_one_committed_to_is_found(forge: Any) -> None:
    match = match_finished()
    forge(Match, match.pk, seed=b"x" * 32)
    match.refresh_from_db()
    problems = match_verify(match).problems
    assert "the seed is not the one that was committed to" in problems
    assert any("another seed" in problem for problem in problems)


def test_a_changed_move_is_found(forge: Any) -> None:
    match = match_finished()
    deal = match.deals.first()
    first = deal.record.split("moves ")[1].split()[0]
    forge(Deal, deal.pk, record=deal.record.replace(f"moves {first}", "moves take", 1))
    assert match_verify(match).problems[0].startswith("deal 0: record: move 1")


def test_a_changed_result_is_found_in_record_and_row(forge: Any) -> None:
    match = match_finished()
    deal = match.deals.first()
    forge(Deal, deal.pk, duraks=[1 - index for index in deal.duraks] or [0])
    problems = match_verify(match).problems
    assert any(problem.startswith("deal 0: it ends as") for problem in problems)


def test_changed_totals_are_found(forge: Any) -> None:
    match = match_finished()
    participant = match.participants.first()
    forge(Participant, participant.pk, duraks=participant.duraks + 1, deals=9)
    assert match_verify(match).problems == (
        f"participant 0: {participant.duraks + 1} times durak, the deals say {participant.duraks}",
    )


def test_a_swapped_seating_is_found(forge: Any) -> None:
    match = match_finished()
    deal = match.deals.first()
    forge(Deal, deal.pk, seating=deal.seating[::-1])
    assert any("the plan says" in problem for problem in match_verify(match).problems)


def test_a_missing_deal_is_found() -> None:
    match = match_finished()
    match.deals.first().delete()
    assert any("were planned" in problem for problem in match_verify(match).problems)


def test_the_command_tells_honest_from_forged_by_its_status(capsys: Any, forge: Any) -> None:
    honest, forged = match_finished(), match_finished()
    call_command("verify_match", str(honest.pk))
    assert f"match {honest.pk}: 2 deals verified" in capsys.readouterr().out
    forge(Match, forged.pk, seed=b"x" * 32)
    with pytest.raises(CommandError, match="1 of 2 matches do not verify"):
        call_command("verify_match", str(honest.pk), str(forged.pk))
    assert f"match {forged.pk}: 2 deals DO NOT VERIFY" in capsys.readouterr().out
