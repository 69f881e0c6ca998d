"""A newcomer's way: sign up, make a bot, play it, check it, upload it, see it play, read why it lost."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.end_to_end.conftest import PATIENCE, Demo

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.timeout(900)]

DURAK = str(Path(sys.executable).with_name("durak"))
PASSWORD = "seven-of-hearts-36"
WORDS_OF_THE_BOT = "six of spades again"


def durak(*arguments: str, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    import os

    done = subprocess.run(
        [DURAK, *arguments],
        cwd=cwd,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done


def eventually(what: Callable[[], Any], why: str) -> Any:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        if found := what():
            return found
        time.sleep(0.5)
    pytest.fail(f"it never happened that {why}")


def sign_up(page: Page, address: str, name: str) -> None:
    page.goto(f"{address}/accounts/signup/")
    page.get_by_label("Username").fill(name)
    page.locator("input[name=password1]").fill(PASSWORD)
    page.locator("input[name=password2]").fill(PASSWORD)
    page.get_by_role("button", name=re.compile("sign up", re.IGNORECASE)).click()
    page.wait_for_url(f"{address}/me/")


def standing(address: str, bot: str) -> dict[str, Any] | None:
    rows = httpx.get(f"{address}/api/v1/ladders/podkidnoy-2/standings/").raise_for_status().json()["results"]
    return next((row for row in rows if row["bot"] == bot and row["deals"]), None)


def test_a_newcomer_goes_from_an_empty_folder_to_the_log_of_a_lost_deal(
    demo: Demo,
    context: BrowserContext,
    page: Page,
    browser: Any,
    tmp_path: Path,
) -> None:
    address = demo.address

    # The reference bots are there and the ladder moves by itself.
    eventually(lambda: standing(address, "counter"), "the counter had played on the ladder")

    # From the template to a bot that has been played and checked on the author's own machine.
    durak("new", "mybot", cwd=tmp_path)
    source = tmp_path / "mybot" / "bot.py"
    idea = "        with_cards ="
    text = source.read_text()
    assert idea in text
    source.write_text(text.replace(idea, f'        print("{WORDS_OF_THE_BOT}")\n{idea}'))
    report = json.loads(durak("play", "mybot", "lowest", "-n", "20", "--json", cwd=tmp_path).stdout)
    assert report["deals"] == 20
    durak("check", "mybot", cwd=tmp_path)

    # Signed up, the bot's zip goes in through the browser.
    sign_up(page, address, "newcomer")
    archive = tmp_path / "mybot.zip"
    with zipfile.ZipFile(archive, "w") as bundle:
        for path in sorted((tmp_path / "mybot").rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                bundle.write(path, path.relative_to(tmp_path))
    page.goto(f"{address}/bots/new/")
    page.locator("input[name=slug]").fill("mybot")
    page.locator("input[name=archive]").set_input_files(archive)
    page.get_by_role("button", name="Make the bot").click()
    page.wait_for_url(re.compile(r"/bots/mybot/versions/1/"))
    expect(page.locator("p.note[role=status]")).to_contain_text("Ready to play", timeout=PATIENCE * 1000)
    expect(page.get_by_role("heading", name="Build log")).to_be_visible()
    validation = page.get_by_role("link", name=re.compile(r"^match \d+$"))
    page.goto(address + str(validation.get_attribute("href")))
    expect(page.get_by_role("heading", level=1)).to_contain_text("finished")

    # It enters the ladder by itself, plays and gets a rating.
    row = eventually(lambda: standing(address, "mybot"), "mybot had played on the ladder")
    assert row["rating"] != 1500
    page.goto(f"{address}/ladders/podkidnoy-2/")
    expect(page.locator("#bot-mybot")).to_be_visible()

    # One of its matches, stepped through in the browser.
    page.goto(f"{address}/matches/?bot=mybot&kind=ladder&state=finished")
    page.locator("table a[href^='/matches/']").first.click()
    match_url = page.url
    page.locator("table.deals a").first.click()
    expect(page.locator("#now")).not_to_contain_text("Loading")
    count = page.locator("#count")
    expect(count).to_have_text(re.compile(r"^0 / \d+$"))
    page.get_by_role("button", name="Step on").click()
    expect(count).to_have_text(re.compile(r"^1 / \d+$"))
    page.keyboard.press("End")
    last = page.locator("#scrub").get_attribute("max")
    expect(count).to_have_text(f"{last} / {last}")
    page.wait_for_url(re.compile(rf"step={last}\b"))

    # Its own log is there for its owner, and for nobody else.
    page.goto(match_url)
    expect(page.get_by_role("heading", name="Logs of your bot")).to_be_visible()
    assert WORDS_OF_THE_BOT in page.content()
    stranger = browser.new_context().new_page()
    sign_up(stranger, address, "stranger")
    for reader in (stranger, browser.new_context().new_page()):
        reader.goto(match_url)
        assert WORDS_OF_THE_BOT not in reader.content()
        assert reader.get_by_role("heading", name="Logs of your bot").count() == 0

    # A second version goes in from the command line with a token.
    page.goto(f"{address}/me/tokens/")
    page.locator("input[name=name]").fill("laptop")
    page.get_by_role("button", name="Make it").click()
    token = page.locator("#token").inner_text()
    page.goto(f"{address}/me/tokens/")
    assert token not in page.content()
    source.write_text(source.read_text() + "\n# the second version\n")
    done = durak("submit", "mybot", "--url", address, "--token", token, cwd=tmp_path)
    assert "ready" in done.stdout.lower()
    again = durak("submit", "mybot", "--url", address, "--token", token, cwd=tmp_path)
    versions = httpx.get(f"{address}/api/v1/bots/mybot/versions/").json()["results"]
    assert len(versions) == 2, again.stdout


def test_a_broken_bot_is_told_why_in_the_browser(demo: Demo, page: Page, tmp_path: Path) -> None:
    address = demo.address
    durak("new", "hasty", cwd=tmp_path)
    source = tmp_path / "hasty" / "bot.py"
    source.write_text("import sys\nsys.stderr.write('I never learnt to play\\n')\nsys.exit(3)\n")
    shutil.make_archive(str(tmp_path / "hasty"), "zip", tmp_path / "hasty")
    sign_up(page, address, "hasty-author")
    page.goto(f"{address}/bots/new/")
    page.locator("input[name=slug]").fill("hasty")
    page.locator("input[name=archive]").set_input_files(tmp_path / "hasty.zip")
    page.get_by_role("button", name="Make the bot").click()
    status = page.locator("p.note[role=status]")
    expect(status).to_contain_text("ailed", timeout=PATIENCE * 1000)
    expect(status).to_contain_text("3")
    page.goto(address + str(page.get_by_role("link", name=re.compile(r"^match \d+$")).get_attribute("href")))
    assert "I never learnt to play" in page.content()


def test_a_scripter_does_the_same_over_rest(demo: Demo, page: Page, tmp_path: Path) -> None:
    address = demo.address
    sign_up(page, address, "scripter")
    page.goto(f"{address}/me/tokens/")
    page.locator("input[name=name]").fill("script")
    page.get_by_role("button", name="Make it").click()
    token = page.locator("#token").inner_text()
    durak("new", "scripted", cwd=tmp_path)
    shutil.make_archive(str(tmp_path / "scripted"), "zip", tmp_path / "scripted")
    with httpx.Client(base_url=f"{address}/api/v1", headers={"Authorization": f"Bearer {token}"}) as api:
        api.post("/bots/", json={"slug": "scripted"}).raise_for_status()
        archive = {"archive": ("scripted.zip", (tmp_path / "scripted.zip").read_bytes())}
        number = api.post("/bots/scripted/versions/", files=archive).raise_for_status().json()["number"]
        eventually(
            lambda: api.get(f"/bots/scripted/versions/{number}/").json()["state"] == "ready",
            "the version was ready",
        )
        challenge = {"bot": "scripted", "opponents": ["lowest"], "preset": "podkidnoy", "sets": 1}
        match = api.post("/matches/", json=challenge).raise_for_status().json()["id"]
        eventually(lambda: api.get(f"/matches/{match}/").json()["state"] == "finished", "the challenge was finished")
        listed = api.get("/matches/", params={"bot": "scripted", "kind": "challenge"}).json()["results"]
        assert [row["id"] for row in listed] == [match]
        record = api.get(f"/matches/{match}/deals/0/record/").raise_for_status().text
        assert api.get("/ladders/podkidnoy-2/standings/").json()["results"]
    (tmp_path / "deal.txt").write_text(record)
    durak("replay", "deal.txt", cwd=tmp_path)
    assert httpx.get(f"{address}/api/v1/schema/").status_code == 200
    page.goto(f"{address}/api/v1/docs/")
    expect(page.get_by_text("/api/v1/ladders/").first).to_be_visible()
