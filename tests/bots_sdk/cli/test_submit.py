"""`durak submit` against an arena's REST interface, served here by a small one of the same shape."""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Iterator
from email.parser import BytesParser
from email.policy import HTTP
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

import pytest

from sandbox.bundles import Bundle
from tests.bots_sdk.cli.running import Durak

TOKEN = "durak_secret"
NO_ADDRESSES = (
    "arena",
    "http://",
    "http:///x",
    "http://[::1",
    "http://:x",
    "http://é..x",
    "http://\udcff",
    f"http://{'a' * 300}",
)


class Server(ThreadingHTTPServer):
    """Knows bots, takes archives, and lets a version go through its states, one a poll."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.bots: dict[str, list[Bundle]] = {}
        self.states = ["uploaded", "building", "validating", "ready"]
        self.polls = 0
        self.failure: tuple[int, Any] | None = None
        self.location: str | None = None
        self.page: bytes | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def version(self, number: int) -> dict[str, Any]:
        state = self.states[min(self.polls, len(self.states) - 1)]
        failed = state == "failed"
        return {
            "number": number,
            "state": state,
            "sha256": "ab" * 32,
            "reason": "deal 0: it crashed" if failed else "",
            "build_log": "bot.py:3: bad" if failed else "",
        }


class Handler(BaseHTTPRequestHandler):
    server: Server

    def log_message(self, *_: object) -> None:
        """Keep the tests quiet."""

    def say(self, status: int, body: Any) -> None:
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def refuse(self, status: int, message: str, field: str | None = None) -> None:
        self.say(status, {"error": {"code": "x", "message": message, "field": field, "details": {}}})

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.headers["Authorization"] != f"Bearer {TOKEN}":
            return self.refuse(401, "no")
        if self.server.location is not None:
            self.send_response(301)
            self.send_header("Location", self.server.location)
            self.send_header("Content-Length", "0")
            return self.end_headers()
        if self.server.page is not None:
            self.send_response(502)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(self.server.page)))
            self.end_headers()
            self.wfile.write(self.server.page)
            return None
        if self.server.failure is not None:
            return self.say(*self.server.failure)
        if self.path == "/api/v1/bots/":
            self.server.bots[json.loads(body)["slug"]] = []
            return self.say(201, {})
        slug = unquote(self.path.split("/")[4])
        assert self.path == f"/api/v1/bots/{quote(slug, safe='')}/versions/"
        if slug not in self.server.bots:
            return self.refuse(404, "no such bot")
        head = f"Content-Type: {self.headers['Content-Type']}\r\n\r\n".encode()
        (part,) = BytesParser(policy=HTTP).parsebytes(head + body).iter_parts()
        assert part.get_param("name", header="content-disposition") == "archive"
        data = part.get_payload(decode=True)
        assert isinstance(data, bytes)
        self.server.bots[slug].append(Bundle.from_archive(data))
        return self.say(201, self.server.version(len(self.server.bots[slug])))

    def do_GET(self) -> None:
        self.server.polls += 1
        self.say(200, self.server.version(int(self.path.split("/")[6])))


@pytest.fixture
def arena(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    # In the package the name stands for the command, not for its module.
    monkeypatch.setattr(sys.modules["bots_sdk.cli.submit"], "POLL_SECONDS", 0.01)
    with Server() as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture
def mybot(durak: Durak) -> Path:
    durak("new", "My_Bot")
    return Path("My_Bot")


def test_a_bot_is_made_uploaded_and_followed_until_it_is_ready(durak: Durak, arena: Server, mybot: Path) -> None:
    ran = durak("submit", mybot, "--url", arena.url, "--token", TOKEN)
    assert ran.code == 0, ran.err
    assert "my-bot version 1 is ready" in ran.out
    for words in ("waits for its build", "is being built", "plays against itself"):
        assert words in ran.err
    assert arena.bots == {"my-bot": [Bundle.from_folder(mybot)]}


def test_address_and_token_may_come_from_the_environment(
    durak: Durak, arena: Server, mybot: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DURAK_URL", arena.url + "/")
    monkeypatch.setenv("DURAK_TOKEN", TOKEN)
    monkeypatch.chdir(mybot)
    ran = durak("submit", "--bot", "other", "--json")
    assert ran.code == 0
    assert json.loads(ran.out)["state"] == "ready"
    assert list(arena.bots) == ["other"]


def test_a_version_that_failed_shows_the_reason_and_the_log(durak: Durak, arena: Server, mybot: Path) -> None:
    arena.states = ["uploaded", "failed"]
    ran = durak("submit", mybot, "--url", arena.url, "--token", TOKEN)
    assert ran.code == 1
    assert "my-bot version 1 failed: deal 0: it crashed" in ran.out
    assert "bot.py:3: bad" in ran.out


def test_without_waiting_the_state_is_told_as_it_is(durak: Durak, arena: Server, mybot: Path) -> None:
    ran = durak("submit", mybot, "--url", arena.url, "--token", TOKEN, "--wait", "0")
    assert ran.code == 0
    assert "still uploaded" in ran.out
    assert arena.polls == 0


def test_a_wrong_token_is_told_in_words_and_never_printed(durak: Durak, arena: Server, mybot: Path) -> None:
    ran = durak("submit", mybot, "--url", arena.url, "--token", "durak_wrong")
    assert ran.code == 1
    assert "the token is not valid" in ran.err
    assert "durak_wrong" not in ran.err + ran.out


def test_the_arenas_own_words_are_passed_on(durak: Durak, arena: Server, mybot: Path) -> None:
    error = {"error": {"code": "quota", "message": "You have 20 bots.", "field": "slug", "details": {}}}
    arena.failure = (409, error)
    ran = durak("submit", mybot, "--url", arena.url, "--token", TOKEN)
    assert ran.code == 1
    assert "(409): You have 20 bots. (slug)" in ran.err


def test_an_address_where_nobody_answers_is_told_at_once(durak: Durak, mybot: Path) -> None:
    ran = durak("submit", mybot, "--url", "http://127.0.0.1:9", "--token", TOKEN)
    assert ran.code == 1
    assert "cannot reach http://127.0.0.1:9" in ran.err


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--token", TOKEN), "DURAK_URL"),
        (("--url", "http://127.0.0.1:9"), "DURAK_TOKEN"),
        *((("--url", url, "--token", TOKEN), "is no address") for url in NO_ADDRESSES),
        *(
            (("--url", "http://127.0.0.1:9", "--token", token), "the token holds a character that no token has")
            for token in ("té", "a\nb", "a b", "\udcff")
        ),
    ],
)
def test_what_is_missing_or_cannot_be_is_named(durak: Durak, mybot: Path, options: tuple[str, ...], words: str) -> None:
    ran = durak("submit", mybot, *options)
    assert ran.code == 2
    assert words in ran.err


def test_a_name_that_leaves_nothing_for_the_server_has_one_asked_for(durak: Durak, arena: Server) -> None:
    durak("new", "бот")
    ran = durak("submit", "бот", "--url", arena.url, "--token", TOKEN)
    assert ran.code == 2
    assert "give one with --bot" in ran.err
    assert durak("submit", "бот", "--url", arena.url, "--token", TOKEN, "--bot", "bot").code == 0
    assert list(arena.bots) == ["bot"]


@pytest.mark.parametrize(
    ("location", "advice"),
    [
        ("https://arena.example/api/v1/bots/my-bot/versions/", "pass --url https://arena.example"),
        ("https://example.org/durak/api/v1/bots/", "pass --url https://example.org/durak"),
        ("/login/?next=/api", "pass the arena's own address with --url"),
    ],
)
def test_a_redirect_is_not_followed_but_told_with_what_to_pass(
    durak: Durak, arena: Server, mybot: Path, location: str, advice: str
) -> None:
    arena.location = location
    ran = durak("submit", mybot, "--url", arena.url, "--token", TOKEN)
    assert ran.code == 1
    assert f"it points to {location}; {advice}" in ran.err


@pytest.mark.parametrize(
    ("status", "body", "words"),
    [
        (201, [], "did not answer with an object in JSON; is it an arena?"),
        (201, {"number": 1}, "answered without a version's number, state and sha256; is it an arena?"),
        (201, {"number": "1", "state": "ready", "sha256": "ab"}, "is it an arena?"),
        (400, {"error": "no"}, "(400)"),
        (400, {"error": {}}, "(400)"),
        (400, ["no"], "(400)"),
    ],
)
def test_an_answer_of_another_shape_is_not_believed(
    durak: Durak, arena: Server, mybot: Path, status: int, body: Any, words: str
) -> None:
    arena.failure = (status, body)
    ran = durak("submit", mybot, "--url", arena.url, "--token", TOKEN)
    assert (ran.code, ran.out) == (1, "")
    assert words in ran.err


def test_a_page_is_not_printed_as_the_reason(durak: Durak, arena: Server, mybot: Path) -> None:
    arena.page = b"<html><h1>Bad gateway</h1></html>"
    ran = durak("submit", mybot, "--url", arena.url, "--token", TOKEN)
    assert ran.code == 1
    assert "(502): Bad Gateway; it answered with a page, is it an arena?" in ran.err
    assert "<h1>" not in ran.err


def test_a_name_for_the_server_never_changes_the_place_that_is_asked(durak: Durak, arena: Server, mybot: Path) -> None:
    ran = durak("submit", mybot, "--url", arena.url, "--token", TOKEN, "--bot", "../me?[/x]")
    assert ran.code == 0
    assert list(arena.bots) == ["../me?[/x]"]
    assert "../me?[/x] version 1 is ready" in ran.out


def test_an_answer_that_is_no_arenas_is_not_believed(durak: Durak, arena: Server, mybot: Path) -> None:
    arena.failure = (500, {"detail": "boom"})
    ran = durak("submit", mybot, "--url", arena.url, "--token", TOKEN)
    assert ran.code == 1
    assert "(500)" in ran.err
