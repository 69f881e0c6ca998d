"""`make demo` itself: starting twice, a taken port, stopping, and a part that dies."""

from __future__ import annotations

import re
import signal
import socket
import time
from collections.abc import Callable
from pathlib import Path

import httpx
import psutil
import pytest

from tests.end_to_end.conftest import PATIENCE, Demo

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.timeout(600)]

Start = Callable[..., Demo]


def finished_matches(address: str) -> int:
    found = httpx.get(f"{address}/api/v1/matches/", params={"state": "finished"}).raise_for_status().json()["results"]
    return len(found)


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

    second = start(first.data, int(address.rsplit(":", 1)[1]))
    assert second.address == address
    assert (second.data / "admin-password").read_text() == password
    assert finished_matches(address) >= finished
    assert second.stop(signal.SIGTERM) == 0, second.output
    assert processes_of(second.data) == []


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
