"""A bot that its owner retired, that the staff suspended, or whose owner's account is closed is on no ladder."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from arena.accounts.models import User
from arena.bots.hosts import host_report
from arena.bots.models import Bot
from arena.bots.services import bot_restore, bot_suspend, bot_update
from arena.ladders.selectors import bots_rated, standings
from arena.ladders.services import ladder_matchmake
from tests.arena.ladders.conftest import Arena

pytestmark = pytest.mark.django_db


def staff() -> User:
    return User.objects.get_or_create(username="staff", is_staff=True)[0]


def owner(bot: Bot, *, is_active: bool) -> None:
    User.objects.filter(pk=bot.owner_id).update(is_active=is_active)


STOPS: dict[str, tuple[Callable[[Bot], object], Callable[[Bot], object]]] = {
    "retired": (
        lambda bot: bot_update(bot=bot, by=bot.owner, is_retired=True),
        lambda bot: bot_update(bot=bot, by=bot.owner, is_retired=False),
    ),
    "suspended": (
        lambda bot: bot_suspend(bot=bot, by=staff(), reason="It spins."),
        lambda bot: bot_restore(bot=bot, by=staff()),
    ),
    "of a closed account": (
        lambda bot: owner(bot, is_active=False),
        lambda bot: owner(bot, is_active=True),
    ),
}


@pytest.mark.parametrize("how", STOPS)
def test_a_stopped_bot_leaves_the_ladder_with_its_rating_kept_and_comes_back_with_it(how: str, arena: Arena) -> None:
    stop, bring_back = STOPS[how]
    host_report(name="box", backend="bubblewrap", languages=["python"])
    ladder = arena.ladder()
    versions = [arena.version() for _ in range(3)]
    bot = versions[0].bot
    bot.owner = User.objects.create_user("another")
    bot.save()
    arena.play(ladder, versions[:2], 1)
    rating = ladder.ratings.get(bot=bot).value
    stop(bot)
    assert bot not in [line.bot for line in standings(ladder)]
    assert bots_rated().filter(ladder=ladder).count() == 1
    made = ladder_matchmake(ladder)
    assert made
    assert not any(match.participants.filter(version__bot=bot).exists() for match in made)
    bring_back(Bot.objects.get(pk=bot.pk))
    assert next(line.rating for line in standings(ladder) if line.bot == bot) == rating
