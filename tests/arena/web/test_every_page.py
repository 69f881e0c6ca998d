"""A walk over all pages: what must hold for each of them."""

from __future__ import annotations

import re
from collections import Counter
from html.parser import HTMLParser
from urllib.parse import urljoin, urlsplit

import pytest
from django.contrib.staticfiles import finders
from django.test import Client

from arena.accounts.models import User
from arena.ladders.services import ladder_create
from tests.arena.factories import match_make, version_make
from tests.arena.web.factories import bots, ladder_match, person, played_match

pytestmark = pytest.mark.django_db
STARTS = [
    "/",
    "/me/",
    "/me/tokens/",
    "/bots/new/",
    "/matches/new/",
    "/accounts/login/",
    "/accounts/signup/",
    "/nowhere/",
]
STARTS += ["/accounts/password/reset/", "/accounts/password/change/", "/accounts/email/"]
NOT_OURS = ("/api/", "/admin/")
MOST_PAGES = 250
STEP_LINK = re.compile(r"step=\d+")


class Page(HTMLParser):
    """What a page is made of."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.files: list[str] = []
        self.ids: Counter[str] = Counter()
        self.tags: Counter[str] = Counter()
        self.labelled: set[str] = set()
        self.controls: list[dict[str, str | None]] = []
        self.problems: list[str] = []
        self._label_depth = 0
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.tags[tag] += 1
        if "id" in found:
            self.ids[found["id"]] += 1
        self._check_policy(tag, found)
        if tag == "a" and "href" in found:
            self.links.append(found["href"])
        if tag in {"script", "link", "img"} and (source := found.get("src") or found.get("href")):
            self.files.append(source)
        if tag == "img" and "alt" not in found:
            self.problems.append("an image without alt")
        if tag == "label":
            self._label_depth += 1
            self.labelled.add(found.get("for") or "")
        if (
            tag in {"input", "select", "textarea"}
            and found.get("type") not in {"hidden", "submit"}
            and not self._label_depth
        ):
            self.controls.append(found)

    def handle_endtag(self, tag: str) -> None:
        if tag == "label":
            self._label_depth -= 1

    def _check_policy(self, tag: str, found: dict[str, str | None]) -> None:
        if tag == "style" or "style" in found:
            self.problems.append(f"inline style on <{tag}>")
        if tag == "script" and "src" not in found and found.get("type") != "application/json":
            self.problems.append("inline script")
        self.problems += [f"{name} handler on <{tag}>" for name in found if name.startswith("on") or name == "hx-on"]
        for name in ("href", "src", "action"):
            if (found.get(name) or "").startswith(("javascript:", "http:", "https:", "//", "data:")):
                self.problems.append(f"{name} leaves the site: {found[name]}")

    def faults(self, policy: str) -> list[str]:
        """Everything that is wrong with it, in words."""
        unnamed = [c for c in self.controls if c.get("id") not in self.labelled and not c.get("aria-label")]
        own = [link[1:] for link in self.links if link.startswith("#")]
        return [
            *self.problems,
            *(f"id {name} is there {n} times" for name, n in self.ids.items() if n > 1),
            *(f"nothing names the control {c.get('name') or c.get('id')}" for c in unnamed),
            *(f"#{name} is nowhere on the page" for name in own if not self.ids[name]),
            *(f"{file} is no static file" for file in self.files if file.startswith("/") and not is_static(file)),
            *(f"{self.tags[tag]} times <{tag}>" for tag in ("h1", "main", "title") if self.tags[tag] != 1),
            *(["the policy lets in more than our own"] if "default-src 'self'" not in policy else []),
        ]

    def own_links(self, path: str) -> list[str]:
        """Addresses of our other pages that it links to; the steps of a deal are all one page."""
        found = []
        for link in self.links:
            target = urlsplit(urljoin(path, link))
            address = target.path + (f"?{target.query}" if target.query else "")
            if not target.netloc and not address.startswith(NOT_OURS) and not STEP_LINK.match(target.query):
                found.append(address)
        return found


def is_static(address: str) -> bool:
    return address.startswith("/static/") and finders.find(address.removeprefix("/static/")) is not None


@pytest.fixture
def world() -> None:
    ladder = ladder_create(preset="podkidnoy", seats=3, name="Three at a table")
    ann = person("ann")
    mine = bots("fox", owner=ann)
    others = bots("owl", "hare")
    ladder_match(ladder, mine + others)
    ladder_match(ladder, mine + others, chance=2, fault_in=1)
    played_match(mine + others[:1], preset="perevodnoy")
    match_make(mine + others[:1], created_by=ann)
    version_make(mine[0].bot, ready=False)


@pytest.mark.parametrize("who", ["a stranger", "an owner", "an organiser"])
def test_every_page_is_clean_and_every_link_leads_somewhere(world: None, who: str) -> None:
    client = Client()
    if who == "an owner":
        client.force_login(User.objects.get(username="ann"))
    if who == "an organiser":
        client.force_login(person("olga", is_staff=True, is_superuser=True))
    waiting, seen, broken = list(STARTS), set(STARTS), []
    for _ in range(MOST_PAGES):
        if not waiting:
            break
        path = waiting.pop(0)
        answer = client.get(path)
        if answer.status_code not in {200, 302} and (path, answer.status_code) != ("/nowhere/", 404):
            broken.append(f"{path}: status {answer.status_code}")
        if answer.status_code != 302 and answer["Content-Type"].startswith("text/html"):
            page = Page(answer.content.decode())
            broken += [f"{path}: {problem}" for problem in page.faults(answer["Content-Security-Policy"])]
            new = [address for address in page.own_links(path) if address not in seen]
            seen.update(new)
            waiting += dict.fromkeys(new)
    assert broken == []
    assert not waiting, "the walk did not come to its end"
    assert len(seen) > 60, "the walk missed most of the arena"


@pytest.mark.parametrize(
    ("html", "fault"),
    [
        ('<p style="color: red">', "inline style on <p>"),
        ("<script>alert(1)</script>", "inline script"),
        ('<a onclick="x()">', "onclick handler on <a>"),
        ('<img src="https://elsewhere.example/a.png" alt="">', "src leaves the site: https://elsewhere.example/a.png"),
        ('<input name="q">', "nothing names the control q"),
        ('<a href="#gone">', "#gone is nowhere on the page"),
        ('<p id="a"><p id="a">', "id a is there 2 times"),
        ('<script src="/static/web/gone.js"></script>', "/static/web/gone.js is no static file"),
    ],
)
def test_the_walk_sees_each_kind_of_fault(html: str, fault: str) -> None:
    clean = "<title>t</title><main><h1>h</h1></main>"
    assert Page(clean + html).faults("default-src 'self'") == [fault]
