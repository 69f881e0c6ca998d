"""Who stops a bot and who brings it back: its owner, and the staff."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import AnonymousUser
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse

from arena.accounts.models import User
from arena.bots import services
from arena.bots.models import Bot
from arena.bots.selectors import bot_stop, bots_playing, private_may_read, versions_current
from arena.errors import Conflict, Invalid, NotAllowed
from arena.matches.services import challenge_create
from tests.arena.factories import bot_make, bot_zip, host_make, match_finished, match_make, user_make, version_make

pytestmark = pytest.mark.django_db

STOPS = {
    "suspended": (lambda bot: services.bot_suspend(bot=bot, by=staff(), reason="It spins."), "suspended by the arena"),
    "retired": (lambda bot: services.bot_update(bot=bot, by=bot.owner, is_retired=True), "is retired"),
    "of a closed account": (lambda bot: User.objects.filter(pk=bot.owner_id).update(is_active=False), "is closed"),
}


def staff() -> User:
    return User.objects.filter(is_staff=True).first() or user_make(is_staff=True)


def fresh(bot: Bot) -> Bot:
    return Bot.objects.select_related("owner").get(pk=bot.pk)


@pytest.mark.parametrize("how", STOPS)
def test_a_stopped_bot_gets_no_matches_and_no_uploads_and_says_why(how: str) -> None:
    stop, words = STOPS[how]
    version, other = version_make(), version_make()
    stop(version.bot)
    bot = fresh(version.bot)
    assert words in bot_stop(bot)
    assert set(versions_current()) == {other}
    assert set(bots_playing()) == {other.bot}
    for own, opponent, by in ((bot, other.bot, bot.owner), (other.bot, bot, other.bot.owner)):
        with pytest.raises(Conflict, match=words):
            challenge_create(by=by, own=own, opponents=[opponent], preset="podkidnoy")
    with pytest.raises(Conflict, match=words):
        services.version_upload(bot=bot, by=bot.owner, data=bot_zip("# again\n"))


def test_a_bot_that_nothing_stops_plays() -> None:
    version = version_make()
    assert bot_stop(version.bot) == ""
    assert set(bots_playing()) == {version.bot}


def test_its_owner_cannot_end_a_suspension_whatever_was_read_before() -> None:
    version = version_make()
    stale = fresh(version.bot)
    services.bot_suspend(bot=version.bot, by=staff(), reason="It  spins.")
    services.bot_update(bot=stale, by=stale.owner, description="innocent", is_retired=False)
    bot = fresh(version.bot)
    assert (bot.is_suspended, bot.suspension_reason, bot.description) == (True, "It spins.", "innocent")
    with pytest.raises(NotAllowed):
        services.bot_restore(bot=bot, by=bot.owner)
    services.bot_restore(bot=bot, by=staff())
    assert (fresh(bot).is_suspended, fresh(bot).suspension_reason) == (False, "")
    assert set(versions_current()) == {version}


def test_a_change_of_one_thing_leaves_what_was_changed_meanwhile() -> None:
    bot = bot_make()
    stale = fresh(bot)
    services.bot_update(bot=bot, by=bot.owner, is_retired=True)
    services.bot_update(bot=stale, by=stale.owner, description="new")
    assert (fresh(bot).is_retired, fresh(bot).description) == (True, "new")


def test_a_suspension_calls_off_what_has_not_ended_and_leaves_what_has() -> None:
    version, other = version_make(), version_make()
    done = match_finished([version, other])
    waiting, others = match_make([version, other]), match_make([other, version_make()])
    by = staff()
    services.bot_suspend(bot=version.bot, by=by, reason="It spins.")
    for match in (done, waiting, others):
        match.refresh_from_db()
    assert (done.state, waiting.state, others.state) == ("finished", "cancelled", "queued")
    assert waiting.reason == f"{by.username}: {version.bot} is suspended."


@pytest.mark.parametrize("reason", ["", " \n ", "x" * 201])
def test_a_suspension_needs_a_reason(reason: str) -> None:
    bot = bot_make()
    with pytest.raises(Invalid, match="Say why") as refusal:
        services.bot_suspend(bot=bot, by=staff(), reason=reason)
    assert refusal.value.field == "reason"
    assert not fresh(bot).is_suspended


def test_the_database_keeps_no_suspension_without_a_reason_and_no_reason_without_one() -> None:
    bot = bot_make()
    for fields in ({"is_suspended": True}, {"suspension_reason": "x"}):
        with pytest.raises(IntegrityError, match="suspended_bot_has_reason"), transaction.atomic():
            Bot.objects.filter(pk=bot.pk).update(**fields)


def test_only_the_staff_suspend_and_pin_and_the_house_pins_too() -> None:
    bot = bot_make()
    with pytest.raises(NotAllowed):
        services.bot_suspend(bot=bot, by=bot.owner, reason="mine")
    with pytest.raises(NotAllowed):
        services.bot_anchor(bot=bot, by=bot.owner, is_anchor=True)
    services.bot_anchor(bot=bot, by=user_make(is_house=True), is_anchor=True)
    assert fresh(bot).is_anchor
    services.bot_anchor(bot=bot, by=staff(), is_anchor=False)
    assert not fresh(bot).is_anchor


def test_what_is_private_to_a_bot_is_read_by_its_owner_and_the_staff() -> None:
    bot = bot_make()
    assert private_may_read(bot, bot.owner)
    assert private_may_read(bot, staff())
    assert not any(private_may_read(bot, other) for other in (user_make(), AnonymousUser(), None))


def admin_client() -> Client:
    client = Client()
    client.force_login(user_make(is_staff=True, is_superuser=True))
    return client


def act(client: Client, action: str, bot: Bot, **more: Any) -> str:
    data = {"action": action, "_selected_action": [bot.pk], **more}
    return client.post(reverse("admin:bots_bot_changelist"), data, follow=True).content.decode()


def test_the_admin_suspends_for_a_reason_and_brings_back_and_notes_who_did_it(settings: Any) -> None:
    plain(settings)
    client, bot = admin_client(), bot_make()
    assert "Say why" in act(client, "suspend", bot)
    assert not fresh(bot).is_suspended
    assert f"“{bot}” is suspended." in act(client, "suspend", bot, reason="It spins.")
    assert fresh(bot).suspension_reason == "It spins."
    act(client, "restore", bot)
    assert not fresh(bot).is_suspended
    act(client, "pin", bot)
    assert fresh(bot).is_anchor
    act(client, "unpin", bot)
    assert not fresh(bot).is_anchor
    notes = list(LogEntry.objects.order_by("pk").values_list("change_message", flat=True))
    assert notes == ["It was suspended: It spins.", "It was brought back", "It was pinned", "It was let go"]


def test_staff_who_may_only_look_at_bots_are_offered_no_actions(settings: Any) -> None:
    from django.contrib.auth.models import Permission

    plain(settings)
    person, bot, client = user_make(is_staff=True), bot_make(), Client()
    person.user_permissions.add(Permission.objects.get(codename="view_bot"))
    client.force_login(person)
    assert "Suspend" not in client.get(reverse("admin:bots_bot_changelist")).content.decode()
    act(client, "suspend", bot, reason="I may not.")
    assert not fresh(bot).is_suspended


def test_the_admin_offers_no_form_that_makes_or_changes_a_bot(settings: Any) -> None:
    plain(settings)
    client, bot = admin_client(), bot_make()
    assert client.get(reverse("admin:bots_bot_add")).status_code == 403
    assert client.post(reverse("admin:bots_bot_add"), {"description": "x"}).status_code == 403
    change = reverse("admin:bots_bot_change", args=[bot.pk])
    assert client.get(change).status_code == 200
    assert client.post(change, {"is_retired": "on"}).status_code == 403
    assert not fresh(bot).is_retired


def test_the_admin_lists_attempts_by_their_outcome(settings: Any) -> None:
    plain(settings)
    host_make()
    match = match_finished()
    page = admin_client().get(reverse("admin:matches_attempt_changelist"), {"outcome__exact": "finished"})
    assert f"match {match.pk}" in page.content.decode()
    none = admin_client().get(reverse("admin:matches_attempt_changelist"), {"outcome__exact": "void"})
    assert f"match {match.pk}" not in none.content.decode()
    attempt = match.attempts.get()
    shown = admin_client().get(reverse("admin:matches_attempt_change", args=[attempt.pk])).content.decode()
    assert "test/1" in shown
    assert str(attempt.token) not in shown


def plain(settings: Any) -> None:
    """No `collectstatic` is needed to show a page."""
    plain = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    settings.STORAGES = settings.STORAGES | {"staticfiles": plain}
