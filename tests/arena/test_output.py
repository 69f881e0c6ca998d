"""What a process of the arena writes to its standard output, where an operator looks."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.services import free_port

ROOT = Path(__file__).parents[2]
NO_DATABASE = "postgresql://nobody@127.0.0.1:1/none"


def environment(data: Path, **more: str) -> dict[str, str]:
    """A production's, with a database that does not answer."""
    settings = {"ARENA_DATA": str(data), "ARENA_DATABASE_URL": NO_DATABASE, "ARENA_DEBUG": "", "PYTHONUNBUFFERED": "1"}
    return {**os.environ, **settings, **more}


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with the static files that an error page names."""
    folder = tmp_path_factory.mktemp("data")
    argv = [sys.executable, "manage.py", "collectstatic", "--no-input", "-v", "0"]
    subprocess.run(argv, cwd=ROOT, env=environment(folder), check=True, timeout=120)
    return folder


@pytest.fixture(scope="module")
def served(data: Path) -> Iterator[tuple[str, Path]]:
    """The web server as it runs in production: its address, and the file that its standard output goes to."""
    port, output = free_port(), data / "output"
    argv = [sys.executable, "-m", "uvicorn", "arena.asgi:application", "--port", str(port), "--lifespan", "off"]
    with output.open("wb") as file:
        server = subprocess.Popen(argv, cwd=ROOT, env=environment(data), stdout=file, stderr=subprocess.DEVNULL)
        address = f"http://127.0.0.1:{port}"
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            try:
                httpx.get(f"{address}/docs/nowhere/", timeout=10)
                break
            except httpx.TransportError:
                time.sleep(0.2)
        yield address, output
        server.terminate()
        server.wait(timeout=30)


@pytest.mark.parametrize(
    ("path", "words"), [("/ladders/", "The arena made a mistake"), ("/api/v1/ladders/", "internal")]
)
def test_a_page_that_fails_leaves_its_traceback_there_and_tells_the_visitor_nothing(
    served: tuple[str, Path], path: str, words: str
) -> None:
    address, output = served
    answer = httpx.get(address + path, timeout=30)
    assert (answer.status_code, words in answer.text) == (500, True)
    assert "OperationalError" not in answer.text
    written = output.read_text()
    assert f"ERROR django.request: Internal Server Error: {path}" in written
    assert "Traceback (most recent call last):" in written
    assert "django.db.utils.OperationalError" in written
    assert written.count(f"Internal Server Error: {path}") == 1, "one failure is written once"


def test_what_a_visitor_asked_wrongly_fills_no_log(served: tuple[str, Path]) -> None:
    address, output = served
    assert httpx.get(f"{address}/rules/no-such-rules/").status_code == 404
    assert "django.request: Not Found: /rules/no-such-rules/" not in output.read_text()


def test_the_arena_s_own_words_are_there_from_information_on(tmp_path: Path) -> None:
    script = (
        "import django, logging; django.setup()\n"
        "for name in ('arena.bots', 'somebody.else'):\n"
        "    for level in ('debug', 'info', 'warning'): getattr(logging.getLogger(name), level)(f'{level} of {name}')\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=ROOT,
        env=environment(tmp_path, DJANGO_SETTINGS_MODULE="arena.settings"),
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    said = [line.partition(": ")[2] for line in done.stdout.splitlines()]
    assert said == ["info of arena.bots", "warning of arena.bots", "warning of somebody.else"]
