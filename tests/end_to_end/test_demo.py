"""`make demo` itself: starting twice, a taken port, stopping, and a part that dies."""

from __future__ import annotations

import re
import signal
import socket
import time
from pathlib import Path

import httpx
import psutil
import pytest

from tests.end_to_end.conftest import Demo
from tests.services import free_port

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.timeout(600)]


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


def test_it_stops_cleanly_on_a_signal_and_keeps_its_data_for_the_next_start(tmp_path: Path) -> None:
    port = free_port()
    first = Demo(tmp_path, port)
    address = first.address
    password = (tmp_path / "admin-password").read_text()
    finished = 0
    deadline = time.monotonic() + 120
    while not finished and time.monotonic() < deadline:
        finished = len(httpx.get(f"{address}/api/v1/matches/", params={"state": "finished"}).json()["results"])
        time.sleep(0.5)
    assert finished
    assert first.stop(signal.SIGINT) == 0, first.output
    assert "Traceback" not in first.output
    assert processes_of(tmp_path) == []

    second = Demo(tmp_path, port)
    assert second.address == address
    assert (tmp_path / "admin-password").read_text() == password
    assert len(httpx.get(f"{address}/api/v1/matches/", params={"state": "finished"}).json()["results"]) >= finished
    assert second.stop(signal.SIGTERM) == 0, second.output
    assert processes_of(tmp_path) == []


def test_a_taken_port_is_named_and_another_is_used(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        demo = Demo(tmp_path, port)
        other = demo.address
        assert re.search(rf"port {port} is taken: using \d+", demo.output)
        assert not other.endswith(f":{port}")
        assert demo.stop() == 0


def test_a_second_demo_on_the_same_data_is_refused_with_the_reason(demo: Demo) -> None:
    demo.wait_for("ready: ")
    second = Demo(demo.data, free_port())
    assert second.process.wait(timeout=60) == 1
    second.wait_for("another demo is running")


def test_one_part_dying_is_named_and_ends_all(tmp_path: Path) -> None:
    demo = Demo(tmp_path, free_port())
    demo.wait_for("ready: ")
    pid = int(demo.wait_for(r"beat started \(pid=(\d+)\)").group(1))
    psutil.Process(pid).kill()
    assert demo.process.wait(timeout=60) == 1
    demo.wait_for("`beat` ended by itself")
    assert processes_of(tmp_path) == []
