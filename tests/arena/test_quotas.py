"""What one person may have holds however many requests come at once."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connections

from arena.accounts.models import ApiToken, User
from arena.accounts.services import token_create
from arena.bots.models import Bot, BotVersion
from arena.bots.services import bot_create, version_upload
from arena.errors import QuotaExceeded
from arena.matches.models import Match
from arena.matches.services import challenge_create
from tests.arena.factories import RANDOM_BOT, bot_make, bot_zip, user_make, version_make

pytestmark = pytest.mark.django_db(transaction=True)

AT_ONCE = 6
LEFT = 2


def a_token(person: User, number: int) -> None:
    token_create(user=person, name=f"token {number}")


def a_bot(person: User, number: int) -> None:
    bot_create(owner=person, slug=f"another-{number}")


def an_upload(person: User, number: int) -> None:
    version_upload(bot=person.bots.all()[number], by=person, data=bot_zip(f"# {number}\n{RANDOM_BOT}"))


def a_challenge(person: User, number: int) -> None:
    own = BotVersion.objects.filter(bot__owner=person, state="ready").get().bot
    challenge_create(by=person, own=own, opponents=[own], preset="podkidnoy")


QUOTAS: list[tuple[str, int, Callable[[User, int], None], type, str]] = [
    ("TOKENS_PER_USER", LEFT, a_token, ApiToken, "user"),
    ("BOTS_PER_USER", AT_ONCE + LEFT, a_bot, Bot, "owner"),
    ("UPLOADS_PER_DAY", 1 + LEFT, an_upload, BotVersion, "uploaded_by"),
    ("UPLOADS_WAITING", LEFT, an_upload, BotVersion, "uploaded_by"),
    ("CHALLENGES_OPEN", LEFT, a_challenge, Match, "created_by"),
    ("CHALLENGE_DEALS_OPEN", 2 * LEFT, a_challenge, Match, "created_by"),
]


@pytest.mark.parametrize(("setting", "most", "make", "model", "whose"), QUOTAS, ids=[quota[0] for quota in QUOTAS])
def test_of_many_requests_at_once_only_so_many_pass_as_the_quota_has_left(
    settings: Any, setting: str, most: int, make: Callable[[User, int], None], model: Any, whose: str
) -> None:
    person = user_make()
    version_make(bot_make(owner=person))
    for _ in range(AT_ONCE - 1):
        bot_make(owner=person)
    setattr(settings, setting, most)
    before = model.objects.filter(**{whose: person}).count()
    start = threading.Barrier(AT_ONCE)
    refused = []

    def ask(number: int) -> None:
        start.wait()
        try:
            make(person, number)
        except QuotaExceeded as refusal:
            refused.append(refusal)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(AT_ONCE)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert model.objects.filter(**{whose: person}).count() - before == LEFT
    assert len(refused) == AT_ONCE - LEFT


def test_the_quota_of_one_person_keeps_nobody_else_waiting() -> None:
    from arena.accounts.quotas import quota_of

    ann, ben = user_make(), user_make()
    done = threading.Event()

    def other() -> None:
        try:
            a_token(ben, 1)
            Bot.objects.create(owner=ann, slug="written-meanwhile")  # a row that refers to the person who is counted
            done.set()
        finally:
            connections.close_all()

    with quota_of(ann):
        thread = threading.Thread(target=other)
        thread.start()
        assert done.wait(10)
    thread.join()
