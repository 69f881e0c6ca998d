"""Opening and closing ladders, by service, command and admin; and the official table."""

from __future__ import annotations

import json
import threading
from io import StringIO

import pytest
from django.core.cache import cache
from django.core.management import CommandError, call_command
from django.db import IntegrityError, transaction

from arena.accounts.models import User
from arena.bots.models import Bot
from arena.errors import Conflict, Invalid
from arena.ladders import official, services
from arena.ladders.models import Ladder
from arena.ladders.official import official_table
from arena.ladders.services import ladder_create, ladder_update
from bots_sdk.durak import RuleSet
from bots_sdk.ratings import fit

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("preset", RuleSet.presets())
def test_any_preset_can_be_a_ladder(preset):
    seats = RuleSet.preset(preset).seat_counts[0]
    ladder = ladder_create(preset=preset, seats=seats)
    assert (ladder.slug, ladder.name) == (f"{preset}-{seats}", f"{preset}, {seats} seats")


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"preset": "podkidnoi", "seats": 2}, "preset"),
        ({"preset": "pairs", "seats": 3}, "seats"),
        ({"preset": "podkidnoy", "seats": 1}, "seats"),
        ({"preset": "full", "seats": 7}, "seats"),
        ({"preset": "duel", "seats": 2, "slug": "A b"}, "slug"),
        ({"preset": "duel", "seats": 2, "slug": "x" * 61}, "slug"),
        ({"preset": "duel", "seats": 2, "name": "x" * 81}, "name"),
        ({"preset": "podkidnoy", "seats": 2, "sets": 0}, "sets"),
        ({"preset": "podkidnoy", "seats": 2, "time_control": {"move_ms": -1}}, "time_control"),
        ({"preset": "podkidnoy", "seats": 2, "time_control": {"moves_ms": 1}}, "time_control"),
        ({"preset": "podkidnoy", "seats": 2, "time_control": {"move_ms": 3_600_000}}, "time_control"),
    ],
)
def test_a_ladder_that_cannot_be_played_is_refused_naming_the_field(fields, field):
    with pytest.raises(Invalid) as refusal:
        ladder_create(**fields)
    assert refusal.value.field == field
    assert not Ladder.objects.exists()


def test_two_open_ladders_of_one_shape_are_refused_also_by_the_database():
    first = ladder_create(preset="duel", seats=2)
    with pytest.raises(Conflict):
        ladder_create(preset="duel", seats=2, slug="another")
    with pytest.raises(IntegrityError), transaction.atomic():
        Ladder.objects.create(slug="x", name="x", preset="duel", seats=2)
    ladder_update(ladder=first, is_open=False)
    assert ladder_create(preset="duel", seats=2, slug="another").is_open


def test_a_slug_that_is_taken_is_refused():
    ladder_update(ladder=ladder_create(preset="duel", seats=2), is_open=False)
    with pytest.raises(Conflict) as refusal:
        ladder_create(preset="duel", seats=2)
    assert refusal.value.field == "slug"


def test_the_command_opens_a_ladder():
    out = StringIO()
    call_command("open_ladder", "pairs", "4", "--sets", "3", "--move-ms", "100", "--name", "Pairs", stdout=out)
    ladder = Ladder.objects.get()
    assert (ladder.slug, ladder.name, ladder.sets, ladder.time_control) == ("pairs-4", "Pairs", 3, {"move_ms": 100})
    assert "12 deals a match" in out.getvalue()


def test_the_command_may_be_run_again_with_if_missing():
    call_command("open_ladder", "duel", "2", stdout=StringIO())
    call_command("open_ladder", "duel", "2", "--if-missing", stdout=StringIO())
    assert Ladder.objects.count() == 1
    with pytest.raises(CommandError, match="already"):
        call_command("open_ladder", "duel", "2", stdout=StringIO())


def test_the_command_names_what_is_wrong():
    with pytest.raises(CommandError, match="podkidnoy"):
        call_command("open_ladder", "podkidnoi", "2")


@pytest.fixture
def staff(client, settings):
    plain = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    settings.STORAGES = settings.STORAGES | {"staticfiles": plain}
    client.force_login(User.objects.create_superuser("root"))
    return client


FORM = {"name": "Duel", "slug": "duel", "preset": "duel", "seats": 2, "sets": 6, "time_control": "{}", "is_open": "on"}


def test_the_admin_opens_a_ladder(staff):
    answer = staff.post("/admin/ladders/ladder/add/", FORM)
    assert answer.status_code == 302
    assert Ladder.objects.get().slug == "duel"


@pytest.mark.parametrize(
    "change",
    [{"preset": "nonsense"}, {"seats": 3}, {"sets": 0}, {"time_control": '{"x": 1}'}, {"slug": "Duel"}, {"name": ""}],
)
def test_the_admin_refuses_what_cannot_be_played(staff, change):
    answer = staff.post("/admin/ladders/ladder/add/", FORM | change)
    assert answer.status_code == 200
    assert b"errorlist" in answer.content
    assert not Ladder.objects.exists()


def test_the_admin_leaves_the_shape_of_a_ladder_as_it_is(staff):
    ladder = ladder_create(preset="duel", seats=2)
    staff.post(f"/admin/ladders/ladder/{ladder.pk}/change/", FORM | {"name": "Two", "preset": "podkidnoy", "seats": 4})
    ladder.refresh_from_db()
    assert (ladder.name, ladder.preset, ladder.seats) == ("Two", "duel", 2)


CHANGES = {"sets": 3, "time_control": {"move_ms": 400}, "preset": "perevodnoy", "seats": 3, "slug": "other"}


@pytest.mark.parametrize("field", CHANGES)
def test_nobody_changes_what_a_ladders_matches_are_played_with(staff, arena, field):
    ladder = arena.ladder()
    arena.queue(ladder, [arena.version(), arena.version()])
    asked = FORM | {"slug": ladder.slug, field: json.dumps(CHANGES[field])}
    staff.post(f"/admin/ladders/ladder/{ladder.pk}/change/", asked)
    before = getattr(ladder, field)
    ladder.refresh_from_db()
    assert (ladder.name, getattr(ladder, field)) == ("Duel", before)
    with pytest.raises(Conflict) as refusal:
        ladder_update(ladder=ladder, **{field: CHANGES[field]})
    assert refusal.value.field == field


@pytest.mark.parametrize("field", ["sets", "time_control"])
def test_sets_and_clock_of_a_ladder_without_matches_can_be_changed(staff, field):
    ladder = ladder_create(preset="duel", seats=2)
    staff.post(f"/admin/ladders/ladder/{ladder.pk}/change/", FORM | {field: json.dumps(CHANGES[field])})
    ladder.refresh_from_db()
    assert getattr(ladder, field) == CHANGES[field]


def test_the_admin_opens_no_second_ladder_of_one_shape(staff):
    first = ladder_create(preset="duel", seats=2)
    answer = staff.post("/admin/ladders/ladder/add/", FORM | {"slug": "second"})
    assert b"Close it first" in answer.content
    staff.post(f"/admin/ladders/ladder/{first.pk}/change/", FORM | {"is_open": ""})
    second = ladder_create(preset="duel", seats=2, slug="second")
    answer = staff.post(f"/admin/ladders/ladder/{first.pk}/change/", FORM | {"slug": first.slug})
    assert b"Close it first" in answer.content
    assert list(Ladder.objects.filter(is_open=True)) == [second]


def test_the_admin_writes_through_the_services(staff, monkeypatch):
    called = []
    for name in ("ladder_create", "ladder_update"):
        service = getattr(services, name)
        monkeypatch.setattr(
            f"arena.ladders.admin.{name}", lambda service=service, **fields: called.append(service) or service(**fields)
        )
    monkeypatch.setattr(Ladder, "save_base", counting(Ladder.save_base, called))
    staff.post("/admin/ladders/ladder/add/", FORM)
    pk = Ladder.objects.get().pk
    staff.post(f"/admin/ladders/ladder/{pk}/change/", FORM | {"name": "Two"})
    staff.post("/admin/ladders/ladder/", {"action": "close", "_selected_action": [pk]})
    assert called == [ladder_create, "saved", ladder_update, "saved", ladder_update, "saved"]
    assert (Ladder.objects.get().name, Ladder.objects.get().is_open) == ("Two", False)


def counting(save, called):
    def saved(self, *args, **kwargs):
        called.append("saved")
        return save(self, *args, **kwargs)

    return saved


def test_the_admin_changes_no_rating(staff, arena):
    arena.play(arena.ladder(), [arena.version(), arena.version()], 0)
    assert staff.get("/admin/ladders/rating/add/").status_code == 403


def test_the_official_table_does_not_depend_on_the_order_of_matches(arena):
    versions = [arena.version(arena.bot(is_anchor=not n)) for n in range(3)]
    games = [((0, 1), 1), ((0, 1), 0), ((1, 2), 0), ((0, 2), 1), ((1, 2), 1), ((0, 2), 1)]
    tables = []
    for preset, order in (("podkidnoy", games), ("perevodnoy", games[::-1])):
        ladder = arena.ladder(preset)
        for pair, loser in order:
            arena.play(ladder, [versions[index] for index in pair], loser)
        tables.append({line.version.pk: (line.rating, line.error) for line in official_table(ladder)})
    first, second = tables
    for version, (rating, error) in first.items():
        assert second[version] == (pytest.approx(rating), pytest.approx(error))
    assert first[versions[0].pk] == (1500, 0)


def test_the_official_table_is_computed_once_for_each_state_of_the_ladder(arena, monkeypatch):
    ladder = arena.ladder()
    versions = [arena.version(), arena.version()]
    arena.play(ladder, versions, 0)
    ladder.refresh_from_db()
    first = official_table(ladder)
    with monkeypatch.context() as patched:
        patched.setattr("arena.ladders.official.fit", None)
        assert official_table(ladder) == first
    arena.play(ladder, versions, 0)
    ladder.refresh_from_db()
    assert official_table(ladder) != first


def test_an_official_table_that_takes_long_may_be_a_little_behind(arena, monkeypatch):
    ladder = arena.ladder()
    versions = [arena.version(), arena.version()]
    arena.play(ladder, versions, 0)
    ladder.refresh_from_db()
    monkeypatch.setattr("arena.ladders.official.QUICK_SECONDS", 0)
    monkeypatch.setattr("arena.ladders.official.PATIENCE", 1e6)
    first = official_table(ladder)
    arena.play(ladder, versions, 0)
    ladder.refresh_from_db()
    assert official_table(ladder) == first
    assert official_table(ladder, fresh=True) != first


def test_only_the_pinned_version_is_marked_as_the_anchor(arena):
    ladder = arena.ladder()
    anchor, other = arena.version(arena.bot(is_anchor=True)), arena.version()
    for seed in range(3):
        arena.play_random(ladder, [anchor, other], seed)
    newer = arena.version(anchor.bot)
    arena.play_random(ladder, [newer, other], 4)
    ladder.refresh_from_db()
    lines = {line.version.pk: line for line in official_table(ladder)}
    assert [lines[version.pk].is_anchor for version in (anchor, newer, other)] == [True, False, False]
    assert (lines[anchor.pk].rating, lines[anchor.pk].error) == (1500, 0)
    assert lines[newer.pk].error > 0
    Bot.objects.update(is_anchor=False)
    assert not any(line.is_anchor for line in official_table(ladder)), "whose anchor has changed is computed anew"


def test_the_official_table_is_computed_by_one_at_a_time_and_the_others_get_what_there_is(arena, monkeypatch):
    ladder = arena.ladder()
    versions = [arena.version(), arena.version()]
    arena.play(ladder, versions, 0)
    ladder.refresh_from_db()
    monkeypatch.setattr("arena.ladders.official.WAIT_SECONDS", 0.05)
    lock = f"official-fit:{ladder.pk}:computing"
    cache.add(lock, 1)
    with pytest.raises(Conflict) as refusal:
        official_table(ladder)
    assert refusal.value.code == "computing"
    cache.delete(lock)
    first = official_table(ladder)
    arena.play(ladder, versions, 0)
    ladder.refresh_from_db()
    cache.add(lock, 1)
    assert official_table(ladder) == first
    cache.delete(lock)
    assert official_table(ladder) != first
    assert cache.get(lock) is None, "who has computed lets the next one do it"


def test_who_waited_for_an_official_table_gets_it_without_computing_it_again(arena, monkeypatch):
    ladder = arena.ladder()
    arena.play(ladder, [arena.version(), arena.version()], 0)
    ladder.refresh_from_db()
    computed = []

    def slow_fit(*args, **kwargs):
        computed.append(1)
        threading.Event().wait(0.3)
        return fit(*args, **kwargs)

    monkeypatch.setattr("arena.ladders.official.fit", slow_fit)
    state, key = official._State(ladder.last_finished_at, None), f"official-fit:{ladder.pk}"
    kept = official._compute(ladder, state, key)
    cache.clear()
    cache.add(f"{key}:computing", 1)
    threading.Timer(0.2, lambda: cache.set(key, kept)).start()
    assert [line.rating for line in official_table(ladder)] == [
        kept.numbers[v][0] for v in sorted(kept.numbers, key=lambda v: -kept.numbers[v][0])
    ]
    assert computed == [1]


def test_the_official_table_of_a_team_ladder_rates_members_together(arena):
    ladder = arena.ladder("pairs", 4)
    versions = [arena.version() for _ in range(4)]
    for seed in range(6):
        arena.play_random(ladder, versions, seed)
    assert len(official_table(ladder)) == 4


def test_the_official_table_is_printed_as_text_and_as_json(arena):
    ladder = arena.ladder()
    arena.play(ladder, [arena.version(arena.bot(is_anchor=True)), arena.version()], 1)
    text, data = StringIO(), StringIO()
    call_command("official_table", ladder.slug, stdout=text)
    call_command("official_table", ladder.slug, "--json", stdout=data)
    lines = json.loads(data.getvalue())
    assert [line["rank"] for line in lines] == [1, 2]
    assert [line["anchor"] for line in lines] == [True, False]
    assert all(line["bot"] in text.getvalue() for line in lines)
    with pytest.raises(CommandError):
        call_command("official_table", "nowhere")
