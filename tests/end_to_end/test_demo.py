"""`make demo` itself: starting twice, a taken port, stopping, and a part that dies."""

from __future__ import annotations

import os
import re
import signal
import socket
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import httpx
import psutil
import pytest

from tests.end_to_end.conftest import PATIENCE, ROOT, Demo

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.timeout(600)]

Start = Callable[..., Demo]


def finished_matches(address: str) -> int:
    found = httpx.get(f"{address}/api/v1/matches/", params={"state": "finished"}).raise_for_status().json()["results"]
    return len(found)


def manage(data: Path, words: str) -> subprocess.CompletedProcess[str]:
    """As `make manage` runs it, in a terminal that knows only where the demo's data are."""
    rule = re.search(r"^manage:.*\n\t@(.*)$", (ROOT / "Makefile").read_text(), re.MULTILINE)[1]
    command = rule.replace("$(ARENA_DATA)", str(data)).replace("$(ARGS)", words)
    command = command.replace("$(BIN)/python", sys.executable)
    known = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    return subprocess.run(["bash", "-c", command], cwd=ROOT, env=known, capture_output=True, text=True, check=False)


def processes_of(data: Path) -> list[str]:
    """Command lines of whatever still runs on the demo's data or address."""
    found = []
    for process in psutil.process_iter(["cmdline", "environ"]):
        words = process.info["cmdline"] or []
        environment = process.info["environ"] or {}
        if process.status() != psutil.STATUS_ZOMBIE and (
            str(data) in " ".join(words) or environment.get("ARENA_DATA") == str(data)
        ):
            found.append(" ".join(words))
    return found


def test_it_stops_cleanly_on_a_signal_and_keeps_its_data_for_the_next_start(start: Start) -> None:
    first = start()
    address = first.address
    password = (first.data / "admin-password").read_text()
    finished = 0
    deadline = time.monotonic() + PATIENCE
    while not finished and time.monotonic() < deadline:
        finished = finished_matches(address)
        time.sleep(0.5)
    assert finished
    assert first.stop(signal.SIGINT) == 0, first.output
    assert "Traceback" not in first.output
    assert processes_of(first.data) == []
    assert not (first.data / "environment.json").exists(), "it holds while the demo runs"

    second = start(first.data, int(address.rsplit(":", 1)[1]))
    assert second.address == address
    assert (second.data / "admin-password").read_text() == password
    assert finished_matches(address) >= finished
    assert second.stop(signal.SIGTERM) == 0, second.output
    assert processes_of(second.data) == []


def test_its_organiser_opens_a_ladder_beside_it_with_a_command_that_is_told_nothing(demo: Demo) -> None:
    address = demo.address
    kept = demo.data / "environment.json"
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    done = manage(demo.data, "open_ladder perevodnoy 3 --name 'Three of us'")
    assert done.returncode == 0, done.stdout + done.stderr
    ladder = httpx.get(f"{address}/api/v1/ladders/perevodnoy-3/").raise_for_status().json()
    assert ladder["name"] == "Three of us"


def test_without_a_demo_a_command_says_what_is_missing(tmp_path: Path) -> None:
    done = manage(tmp_path, "open_ladder perevodnoy 3")
    assert done.returncode != 0
    assert "ARENA_SECRET_KEY is not set. While `make demo` runs, manage.py finds it" in done.stderr


def test_a_taken_port_is_named_and_another_is_used(start: Start) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        demo = start(port=port)
        assert not demo.address.endswith(f":{port}")
        assert re.search(rf"port {port} is taken: using \d+", demo.output)


def test_a_second_demo_on_the_same_data_is_refused_with_the_reason(demo: Demo, start: Start) -> None:
    demo.wait_for("ready: ")
    second = start(demo.data)
    assert second.process.wait(timeout=60) == 1
    second.wait_for("another demo is running")


def test_one_part_dying_is_named_and_ends_all(start: Start) -> None:
    demo = start()
    demo.wait_for("ready: ")
    pid = int(demo.wait_for(r"beat started \(pid=(\d+)\)").group(1))
    psutil.Process(pid).kill()
    assert demo.process.wait(timeout=60) == 1
    demo.wait_for("`beat` ended by itself")
    assert processes_of(demo.data) == []
