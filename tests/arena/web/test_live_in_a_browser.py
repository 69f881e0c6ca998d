"""A match page follows its match, served as in production: by uvicorn, over the event stream."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
import uvicorn
from django.contrib.staticfiles.handlers import ASGIStaticFilesHandler

from arena.matches import live
from arena.matches.spectator import Broadcast, Spectator
from bots_sdk.durak import Chronicle, DealRecord, RuleSet
from bots_sdk.referee import MatchPlan, SittingSpec
from tests.arena.factories import match_make
from tests.arena.web.factories import bots, finish, play
from tests.services import free_port

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def asgi_server() -> Iterator[str]:
    from arena.asgi import application

    port = free_port()
    config = uvicorn.Config(
        ASGIStaticFilesHandler(application), port=port, log_level="error", lifespan="off", timeout_graceful_shutdown=1
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.05)
    yield f"http://127.0.0.1:{port}"
    server.should_exit = True
    thread.join(10)
    assert not thread.is_alive()


def follow(page: Page, address: str) -> None:
    """Open a match's page and wait until it has heard from the stream, whose first event makes it fetch itself anew."""
    with page.expect_response(lambda response: "hx-request" in response.request.headers, timeout=25_000):
        page.goto(address)


def test_a_match_page_shows_progress_and_then_the_result_by_itself(asgi_server: str, page: Page) -> None:
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    match = match_make(bots("fox", "owl"))
    follow(page, f"{asgi_server}/matches/{match.pk}/")
    assert "Waiting for a worker" in page.inner_text("main")
    match.state = "running"
    match.save(update_fields=["state"])
    live.publish(match.pk, {"type": "progress", "deals_done": 1, "deals_total": 2})
    page.get_by_text("Being played").wait_for()
    match.state = "queued"
    match.save(update_fields=["state"])
    finish(match)
    page.get_by_role("heading", name="Deals", exact=True).wait_for(timeout=20_000)
    assert "finished" in page.inner_text("h1")
    assert page.locator("[hx-trigger]").count() == 0
    assert complaints == []


def test_a_page_waits_with_its_news_while_the_keyboard_is_in_them_or_when_told_to(asgi_server: str, page: Page) -> None:
    match = match_make(bots("fox", "owl"))
    follow(page, f"{asgi_server}/matches/{match.pk}/")
    page.locator("#match a").first.focus()
    live.publish(match.pk, {"type": "progress", "deals_done": 0, "deals_total": 2})
    page.wait_for_timeout(1500)
    assert page.evaluate("document.getElementById('match').contains(document.activeElement)")
    page.get_by_role("button", name="Stop updating this page").click()
    finish(match)
    page.wait_for_timeout(1500)
    assert "queued" in page.inner_text("h1")


def test_a_spectator_sees_the_bouts_of_a_running_match_and_no_hidden_card(asgi_server: str, page: Page) -> None:
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    match = match_make(bots("fox", "owl"))
    follow(page, f"{asgi_server}/matches/{match.pk}/")
    assert not page.locator("#live-table").is_visible()
    plan = MatchPlan.build(RuleSet.preset("podkidnoy"), 2, match.sets, bytes(match.seed), orders=match.orders)
    sitting = plan.sittings[0]
    broadcast = Broadcast(match.pk)
    spectator = Spectator(broadcast, SittingSpec.planned(plan, sitting), ["fox", "owl"], is_open=True)
    dealt = sitting.deals[0]
    record = play(DealRecord(plan.rules, dealt.seed, 2, dealt.dealer), [0.9, 0.9], random.Random(1))
    for event in Chronicle.of(record).events:
        spectator.see(dealt.index, event)
    broadcast.flush()
    page.locator("#live-table .seat").first.wait_for()
    seats = page.locator("#live-table .seat")
    assert seats.count() == 2
    assert {name.inner_text() for name in seats.locator(".name").all()} == {"fox", "owl"}
    public = page.locator("#live-table .hand .pc:not(.back):not(.known)")
    page.locator("#live-table .pairs .pc").first.wait_for()
    assert public.count() == 0
    page.locator("#live-table .now.over").wait_for(timeout=60_000)
    assert "durak" in page.locator("#live-table .now").inner_text()
    assert public.count() == 0
    assert complaints == []
