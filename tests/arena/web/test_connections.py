"""The web server as in production: many requests and watchers at once, few connections to the database."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest
from django.db import connection

from tests.arena.factories import match_make
from tests.services import free_port

pytestmark = pytest.mark.django_db(transaction=True)

POOL = 3
ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def address(transactional_db: None, tmp_path: Path) -> Iterator[str]:
    """A uvicorn with a small pool, on the test's database."""
    name, port = connection.settings_dict["NAME"], free_port()
    url = os.environ["ARENA_DATABASE_URL"].replace("/arena?", f"/{name}?")
    argv = [sys.executable, "-m", "uvicorn", "arena.asgi:application", "--port", str(port), "--lifespan", "off"]
    with (tmp_path / "log").open("wb") as log:
        server = subprocess.Popen(
            argv,
            cwd=ROOT,
            env=os.environ
            | {"ARENA_DATABASE_URL": url, "ARENA_DATABASE_POOL": str(POOL), "ARENA_THROTTLE_ANON": "10000/min"},
            stdout=log,
            stderr=subprocess.STDOUT,
        )
    address = f"http://127.0.0.1:{port}"
    until = time.monotonic() + 60
    while time.monotonic() < until:
        try:
            httpx.get(f"{address}/health/", timeout=10)
            break
        except httpx.TransportError:
            time.sleep(0.1)
    else:
        pytest.fail((tmp_path / "log").read_text())
    yield address
    server.terminate()
    server.wait(20)


def connections_of_others() -> int:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
        return cursor.fetchone()[0]


def test_many_requests_at_once_share_the_connections_of_the_pool(address: str) -> None:
    def ask(_: int) -> int:
        return httpx.get(f"{address}/api/v1/ladders/", timeout=60).status_code

    with ThreadPoolExecutor(30) as threads:
        asked = [threads.submit(ask, number) for number in range(120)]
        most = 0
        while not all(each.done() for each in asked):
            most = max(most, connections_of_others())
    assert {each.result() for each in asked} == {200}
    assert 0 < most <= POOL


def test_whoever_watches_a_match_holds_no_connection(address: str) -> None:
    match = match_make(2)
    open_streams = []
    with ExitStack() as streams:
        for _ in range(4 * POOL):
            answer = streams.enter_context(httpx.stream("GET", f"{address}/matches/{match.pk}/live/", timeout=60))
            open_streams.append(answer.iter_lines())  # a stream whose reader is dropped is closed
            assert any(line.startswith("event:") for line in open_streams[-1])
        assert httpx.get(f"{address}/api/v1/matches/{match.pk}/", timeout=60).status_code == 200
        assert connections_of_others() <= POOL
