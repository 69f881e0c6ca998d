"""Fixtures for the real parts: PostgreSQL, Valkey and Chromium."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

CHROMIUM_FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)


@pytest.fixture(scope="session")
def postgres() -> str:
    """A real PostgreSQL server, shared by all test processes; returns the URL of its database."""
    from arena.demo.embedded import start_postgres

    server, url = start_postgres(Path(os.environ["ARENA_TEST_ROOT"]) / "pg", "arena")
    server.psql("ALTER SYSTEM SET fsync = off;")
    server.psql("ALTER SYSTEM SET synchronous_commit = off;")
    server.psql("SELECT pg_reload_conf();")
    return url


@pytest.fixture(scope="session")
def django_db_modify_db_settings(postgres: str, django_db_modify_db_settings_parallel_suffix: None) -> None:
    """The test databases, one for each test process, lie on the embedded server."""


@pytest.fixture(scope="session")
def valkey() -> Iterator[str]:
    """A real Valkey server for this test process; yields its URL."""
    from arena.demo.embedded import start_valkey

    url = os.environ["ARENA_REDIS_URL"]
    server = start_valkey(Path(os.environ["ARENA_DATA"]) / "valkey", int(url.rsplit(":", 1)[1].split("/")[0]))
    yield url
    server.terminate()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium from the system, driven by Playwright."""
    from playwright.sync_api import sync_playwright

    executable = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if executable is None:
        pytest.fail("Chromium is not installed: run `make test` as root, or `apt-get install chromium`.")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=executable, args=list(CHROMIUM_FLAGS))
        yield chromium
        chromium.close()


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """A fresh browser profile at desktop width."""
    fresh = browser.new_context(viewport={"width": 1280, "height": 900})
    fresh.set_default_timeout(10_000)
    yield fresh
    fresh.close()


@pytest.fixture
def page(context: BrowserContext) -> Page:
    """An empty page in a fresh profile."""
    return context.new_page()
