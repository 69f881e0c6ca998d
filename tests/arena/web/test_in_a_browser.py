"""The pages in Chromium: the replay table, and everything else with JavaScript switched off."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from django.db.models.functions import Now
from django.utils import timezone

from arena.accounts.models import User
from arena.accounts.services import token_create
from arena.bots.models import BotVersion
from arena.ladders.services import ladder_create
from arena.matches.models import Match
from bots_sdk.durak import DealRecord
from tests.arena.factories import bot_zip, host_make, match_make
from tests.arena.web.factories import PASSWORD, bots, finish, ladder_match, played_match

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
PHONE = {"width": 360, "height": 740}


@pytest.fixture
def complaints(page: Page) -> Iterator[list[str]]:
    """What the browser complains of: errors in scripts, and everything that the security policy blocked."""
    found: list[str] = []
    page.on("pageerror", lambda error: found.append(str(error)))
    page.on("console", lambda message: found.append(message.text) if message.type in {"error", "warning"} else None)
    yield found
    assert found == []


@pytest.fixture
def match(complaints: list[str]) -> Match:
    return played_match(bots("fox", "owl", "hare", "lynx"), fault_in=2)


def open_deal(page: Page, live_server, match: Match, index: int = 0, query: str = "") -> None:
    page.goto(f"{live_server.url}/matches/{match.pk}/deals/{index}/{query}")
    page.wait_for_selector("#table .seat")


def step(page: Page) -> int:
    return int(page.locator("#scrub").input_value())


def sideways(page: Page) -> int:
    return page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")


def table_cards(page: Page) -> list[str]:
    return page.locator(".pairs .pc").evaluate_all("cards => cards.map(card => card.dataset.card)")


def until(page: Page, condition: str) -> None:
    """Wait until the expression holds; Playwright's own way to wait for one is blocked by the security policy."""
    for _ in range(100):
        if page.evaluate(condition):
            return
        page.wait_for_timeout(100)
    pytest.fail(f"it never came about that {condition}")


def address(page: Page, step: int, seat: str) -> None:
    page.wait_for_url(re.compile(rf"\?(?=.*\bstep={step}\b)(?=.*\bseat={seat}\b)"))


def test_stepping_plays_the_record_move_by_move(page: Page, live_server, match: Match) -> None:
    open_deal(page, live_server, match)
    first = DealRecord.parse(match.deals.get(index=0).record).moves[0]
    assert table_cards(page) == []
    page.click("#forward")
    assert table_cards(page) == [str(card) for card in first.cards]
    assert "attacks with" in page.inner_text("#now")
    page.click("#back")
    assert table_cards(page) == []
    page.click("#end")
    assert page.locator(".mark.durak").count() >= (0 if "draw" in page.inner_text("#now") else 1)
    page.click("#first")
    assert step(page) == 0


def test_keys_play_step_jump_and_show_help(page: Page, live_server, match: Match) -> None:
    open_deal(page, live_server, match)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert step(page) == 2
    page.keyboard.press("ArrowLeft")
    assert step(page) == 1
    page.keyboard.press("Shift+ArrowRight")
    assert "bout" in page.locator("#now").get_attribute("class")
    page.keyboard.press("End")
    assert step(page) == int(page.locator("#scrub").get_attribute("max"))
    page.keyboard.press("Home")
    assert step(page) == 0
    page.keyboard.press("+")
    assert page.locator("#speed").input_value() == "2"
    page.keyboard.press("-")
    page.keyboard.press("-")
    assert page.locator("#speed").input_value() == "0.5"
    page.keyboard.press("?")
    assert page.locator("#keys").is_visible()
    page.select_option("#speed", "8")
    page.locator("h1").click()
    page.keyboard.press(" ")
    until(page, "Number(document.getElementById('scrub').value) >= 3")
    page.keyboard.press(" ")
    stopped = step(page)
    page.wait_for_timeout(400)
    assert step(page) == stopped


def test_one_request_renews_all_parts_of_the_front_page(page: Page, live_server, complaints: list[str]) -> None:
    ladder = ladder_create(preset="podkidnoy", seats=2, name="Duels")
    pair = bots("fox", "owl")
    ladder_match(ladder, pair)
    page.goto(live_server.url)
    before = page.inner_text("#news")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    newest = ladder_match(ladder, pair, chance=2)
    page.wait_for_selector(f"#latest-rows a[href='/matches/{newest.pk}/']", timeout=15_000)
    assert page.inner_text("#news") != before
    assert len(asked) == 1
    assert [page.locator(part).count() for part in ("#news", "#latest-rows")] == [1, 1]


def test_playing_stops_at_the_end(page: Page, live_server, match: Match) -> None:
    last = 10**6
    open_deal(page, live_server, match, query=f"?step={last}")
    end = step(page)
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    page.select_option("#speed", "8")
    page.click("#play")
    until(page, f"Number(document.getElementById('scrub').value) === {end}")
    assert page.locator("#play").get_attribute("aria-label") == "Play"


def test_scrubbing_and_clicking_a_move_jump_there(page: Page, live_server, match: Match) -> None:
    open_deal(page, live_server, match)
    page.locator("#scrub").fill("7")
    assert step(page) == 7
    line = page.locator("#moves li").nth(4)
    line.locator("a").click()
    assert step(page) == 4
    assert line.locator("a").get_attribute("aria-current") == "step"
    assert page.inner_text("#now").startswith(line.locator("a").inner_text())


def test_the_address_always_names_deal_step_and_perspective_and_opens_the_same(
    page: Page, live_server, match: Match
) -> None:
    open_deal(page, live_server, match, index=1)
    page.locator("#scrub").fill("6")
    page.select_option("#seat", "2")
    page.wait_for_selector("#table .pc.back")
    address(page, 6, "2")
    table = page.locator("#table").get_attribute("aria-label")
    page.goto(page.url)
    page.wait_for_selector("#table .seat")
    assert step(page) == 6
    assert page.locator("#seat").input_value() == "2"
    assert page.locator("#table").get_attribute("aria-label") == table
    page.click("a[rel=next]")
    page.wait_for_selector("#table .seat")
    assert "/deals/2/" in page.url
    assert page.locator("#seat").input_value() == "2"


def test_a_perspective_opens_its_own_hand_and_only_that(page: Page, live_server, match: Match) -> None:
    open_deal(page, live_server, match, query="?seat=1&step=0")
    own, others = page.locator(".seat[data-seat='1'] .hand"), page.locator(".seat:not([data-seat='1']) .hand")
    assert own.locator(".pc.back").count() == 0
    assert own.locator(".pc").count() == 6
    assert others.locator(".pc:not(.back):not(.known)").count() == 0
    assert page.locator(".seat.near").get_attribute("data-seat") == "1"
    page.select_option("#seat", "none")
    until(page, "document.querySelectorAll('.hand .pc:not(.back):not(.known)').length === 0")
    page.select_option("#seat", "all")
    until(page, "document.querySelectorAll('.hand .pc.back').length === 0")


def test_a_fault_is_shown_at_its_step_with_its_cause_and_the_end_still_opens(
    page: Page, live_server, match: Match
) -> None:
    open_deal(page, live_server, match, index=2, query="?step=last")
    assert "is the durak: illegal move" in page.inner_text("#now")
    page.click("#back")
    assert "cannot be thrown in: no 9 lies on the table" in page.inner_text("#now")
    assert page.locator(".mark.fault").inner_text() == "illegal move"
    page.click("#back")
    assert page.locator(".mark.fault").count() == 0


@pytest.mark.parametrize(
    ("preset", "seats"),
    [
        ("two-packs", 6),
        ("full", 5),
        ("pairs", 4),
        ("pairs-adjacent", 4),
        ("severny", 3),
        ("svoi-kozyri", 4),
        ("proyezdnoy", 3),
        ("mini", 2),
    ],
)
def test_every_step_of_every_kind_of_game_fits_a_phone(
    page: Page, live_server, complaints: list[str], preset: str, seats: int
) -> None:
    """Nothing scrolls sideways, and no seat or card leaves the table."""
    match = finish(match_make(bots(*(f"bot-{n}" for n in range(seats))), preset=preset), skills=[0.7] * seats)
    page.set_viewport_size(PHONE)
    open_deal(page, live_server, match)
    assert sideways(page) == 0
    outside = page.evaluate(
        """async () => {
            const table = document.getElementById("table"), scrub = document.getElementById("scrub"), found = [];
            const box = table.getBoundingClientRect();
            for (let step = 0; step <= Number(scrub.max); step++) {
                scrub.value = step;
                scrub.dispatchEvent(new Event("input"));
                for (const part of table.querySelectorAll(".seat, .hand .pc, .pairs .pc, .mark")) {
                    const its = part.getBoundingClientRect();
                    const wide = its.left < box.left - 1 || its.right > box.right + 1;
                    if (wide || its.top < box.top - 1 || its.bottom > box.bottom + 1)
                        found.push(`${step}: ${part.className} ${part.dataset.card ?? part.textContent}`);
                }
            }
            return found;
        }"""
    )
    assert outside == []
    assert sideways(page) == 0


def test_the_longest_deal_is_fast(page: Page, live_server, complaints: list[str]) -> None:
    """Three hundred bouts: it opens within seconds and a step takes less than a frame of an eye (100 ms)."""
    match = finish(match_make(bots("fox", "owl", "hare")), cowards=True)
    deal = max(match.deals.all(), key=lambda deal: deal.moves)
    assert deal.ended == "max_bouts"
    began = time.monotonic()
    open_deal(page, live_server, match, index=deal.index, query="?seat=0")
    assert time.monotonic() - began < 8
    spent = page.evaluate(
        """() => {
            const scrub = document.getElementById("scrub"), began = performance.now();
            for (let n = 0; n < 50; n++) {
                scrub.value = Math.round(scrub.max * n / 49);
                scrub.dispatchEvent(new Event("input"));
                document.getElementById("table").getBoundingClientRect();
            }
            return (performance.now() - began) / 50;
        }"""
    )
    assert spent < 100


def test_cards_do_not_fly_for_who_wants_less_motion(browser: Browser, live_server, match: Match) -> None:
    for wish, flying in (("reduce", 0), ("no-preference", 1)):
        context = browser.new_context(reduced_motion=wish)
        page = context.new_page()
        open_deal(page, live_server, match)
        page.click("#forward")
        assert min(page.locator(".enter").count(), 1) == flying
        context.close()


def test_colours_are_a_choice_that_is_remembered(page: Page, live_server, match: Match) -> None:
    open_deal(page, live_server, match)
    page.click("#colours")
    open_deal(page, live_server, match, index=1)
    assert page.locator("#colours").get_attribute("aria-pressed") == "true"


def test_no_page_scrolls_sideways_on_a_phone(page: Page, live_server, match: Match) -> None:
    ladder = ladder_create(preset="podkidnoy", seats=4, name="Four")
    ladder_match(ladder, [p.version for p in match.participants.all()])
    page.set_viewport_size(PHONE)
    paths = ["/", "/ladders/", f"/ladders/{ladder.slug}/", f"/ladders/{ladder.slug}/official/", "/bots/", "/bots/fox/"]
    paths += ["/bots/fox/versions/1/", "/matches/", f"/matches/{match.pk}/", "/rules/", "/rules/trios/", "/docs/"]
    paths += ["/accounts/login/", "/accounts/signup/"]
    wide = []
    for path in paths:
        page.goto(live_server.url + path)
        if sideways(page):
            wide.append(path)
    assert wide == []


def test_no_button_of_ones_own_pages_is_cut_off_on_a_phone(page: Page, live_server, ann: User, ann_client) -> None:
    token_create(user=ann, name="build server of the department", expires_at=timezone.now() + timedelta(days=300))
    match = match_make(bots("fox", owner=ann) + bots("owl"), created_by=ann)
    page.context.add_cookies(
        [{"name": "sessionid", "value": ann_client.cookies["sessionid"].value, "url": live_server.url}]
    )
    page.set_viewport_size(PHONE)
    paths = ["/me/", "/me/tokens/", "/bots/fox/", "/bots/fox/versions/1/", f"/matches/{match.pk}/cancel/"]
    cut = {}
    for path in paths:
        page.goto(live_server.url + path)
        assert sideways(page) == 0
        cut[path] = page.evaluate(
            """[...document.querySelectorAll(".panel :is(button, a)")]
            .filter((each) => !each.closest(".scroll") && each.getBoundingClientRect().right
                > each.closest(".panel").getBoundingClientRect().right)
            .map((each) => each.innerText)"""
        )
    assert cut == {path: [] for path in paths}


def test_the_ladder_moves_by_itself(page: Page, live_server, complaints: list[str]) -> None:
    ladder = ladder_create(preset="podkidnoy", seats=2, name="Duels")
    pair = bots("fox", "owl")
    page.goto(f"{live_server.url}/ladders/{ladder.slug}/")
    assert "0 matches played" in page.inner_text("#standings")
    ladder_match(ladder, pair)
    until(page, "document.getElementById('standings').innerText.includes('1 matches played')")
    assert page.locator("#bot-fox").count() == 1


def test_the_skip_link_is_the_first_thing_the_keyboard_reaches(page: Page, live_server, complaints: list[str]) -> None:
    page.goto(f"{live_server.url}/")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"


def test_without_javascript_one_signs_up_uploads_challenges_and_reads_a_deal(
    browser: Browser, live_server, complaints: list[str], tmp_path
) -> None:
    host_make()
    bots("owl")
    archive = tmp_path / "bot.zip"
    archive.write_bytes(bot_zip(name="fox"))
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{live_server.url}/")
    page.click("header >> text=Sign up")
    page.fill("[name=username]", "zoe")
    page.fill("[name=password1]", PASSWORD)
    page.fill("[name=password2]", PASSWORD)
    page.click("main button[type=submit]")
    page.click("text=New bot")
    page.fill("[name=slug]", "fox")
    page.set_input_files("[name=archive]", archive)
    page.click("text=Make the bot")
    assert "waiting for its build" in page.inner_text("main").lower()
    assert "Reload this page" in page.inner_text("main")
    BotVersion.objects.filter(bot__slug="fox").update(state="ready", ready_at=Now())
    page.goto(f"{live_server.url}/bots/owl/")
    page.click("text=Challenge")
    page.select_option("[name=own]", "fox")
    page.click("main button")
    assert "Waiting for a worker" in page.inner_text("main")
    match = finish(Match.objects.get())
    page.goto(f"{live_server.url}/matches/{match.pk}/")
    page.click(".deals td a >> nth=0")
    assert page.locator("#moves li").count() > 10
    assert "The table needs JavaScript" in page.inner_text("main")
    assert not page.locator("#table").is_visible()
    context.close()
