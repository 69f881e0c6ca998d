"""The house and its reference bots."""

from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from arena.accounts.models import User
from arena.accounts.services import house_get
from arena.bots.models import Bot, BotVersion
from arena.errors import Conflict
from arena.ladders.models import Ladder
from tests.arena.factories import bot_make, host_make, user_make

pytestmark = pytest.mark.django_db
REFERENCE = ["counter", "hoarder", "lowest", "random"]


def house_bots() -> str:
    out = StringIO()
    call_command("house_bots", stdout=out)
    return out.getvalue()


def test_the_command_gives_the_house_the_reference_bots_one_of_them_the_anchor() -> None:
    host_make()
    said = house_bots()
    assert sorted(Bot.objects.filter(owner__is_house=True).values_list("slug", flat=True)) == REFERENCE
    assert list(BotVersion.objects.values_list("state", flat=True)) == ["uploaded"] * 4
    assert [bot.slug for bot in Bot.objects.filter(is_anchor=True)] == ["lowest"]
    assert "lowest v1, anchor: uploaded" in said


def test_the_command_may_be_run_again_and_leaves_what_is_there_alone() -> None:
    host_make()
    house_bots()
    Bot.objects.update(is_anchor=False)
    Bot.objects.filter(slug="counter").update(is_anchor=True)
    assert "counter v1, anchor: waiting for its build" in house_bots()
    assert BotVersion.objects.count() == 4
    assert [bot.slug for bot in Bot.objects.filter(is_anchor=True)] == ["counter"]


def test_without_a_worker_the_command_says_so_and_makes_nothing() -> None:
    with pytest.raises(CommandError, match="No worker is running"):
        house_bots()
    assert not Bot.objects.exists()


def test_a_bot_of_somebody_else_never_becomes_the_anchor() -> None:
    host_make()
    bot_make("lowest", user_make("ann"))
    with pytest.raises(CommandError, match="A bot of ann's is named “lowest”"):
        house_bots()
    assert not Bot.objects.exclude(slug="lowest").exists()
    assert not Bot.objects.filter(is_anchor=True).exists()


def test_a_person_with_the_houses_name_never_becomes_the_house(client, settings) -> None:
    plain = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    settings.STORAGES = settings.STORAGES | {"staticfiles": plain}
    form = {"username": "House", "password1": "correct horse", "password2": "correct horse", "email": "h@example.org"}
    client.post("/accounts/signup/", form)
    assert not User.objects.exists()
    client.post("/accounts/signup/", form | {"username": "ann"})
    assert User.objects.filter(username="ann").exists(), "the form is right but for the name"
    user_make("House")
    with pytest.raises(Conflict, match="rename it"):
        house_get()


def test_the_house_is_known_by_what_it_is_not_by_its_name() -> None:
    house = house_get()
    User.objects.filter(pk=house.pk).update(username="arena")
    assert house_get() == house


def test_the_demo_is_seeded_with_ladders_and_the_houses_bots(monkeypatch) -> None:
    host_make()
    monkeypatch.setenv("ARENA_ADMIN_PASSWORD", "a long password")
    for _ in range(2):
        call_command("seed_demo")
    assert [ladder.slug for ladder in Ladder.objects.order_by("pk")] == ["podkidnoy-2", "podkidnoy-4"]
    assert sorted(Bot.objects.values_list("slug", flat=True)) == REFERENCE
    assert User.objects.get(username="admin").check_password("a long password")
