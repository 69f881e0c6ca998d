"""The real worker path: a bubblewrap sandbox in this process, and Celery workers as processes of their own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as arena_settings
from django.db import connection

from arena.bots import leases
from arena.bots.hosts import host_probe, languages_here, sandbox_close
from arena.matches.models import Match
from arena.matches.play import play_next
from sandbox.packages import prepare

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def host(db: None, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """This host as a worker host, with its real sandbox.

    Leases are long, since a thread that renews one cannot see the rows of the test's open transaction.
    """
    monkeypatch.setattr(leases, "OFTEN_SECONDS", 600)
    settings.MATCH_LEASE_SECONDS = settings.BUILD_LEASE_SECONDS = 600
    prepare()
    yield host_probe()
    sandbox_close()


class Worker:
    """A Celery worker on the test's database and broker."""

    def __init__(self, log: Path, **environment: str) -> None:
        name = connection.settings_dict["NAME"]
        url = os.environ["ARENA_DATABASE_URL"].replace("/arena?", f"/{name}?")
        argv = [sys.executable, "-m", "celery", "-A", "arena.celery", "worker", "--loglevel", "INFO"]
        argv += ["--concurrency", "1", "--hostname", f"{log.stem}@test"]
        self.log = log
        self._file = log.open("wb")
        self.process = subprocess.Popen(
            argv,
            cwd=ROOT,
            env=os.environ | {"ARENA_DATABASE_URL": url, "ARENA_MATCH_LEASE_SECONDS": "3"} | environment,
            stdout=self._file,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )

    def kill(self) -> None:
        """SIGKILL to the worker and its children, as when the power goes: nothing is tidied up."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def stop(self) -> None:
        """End it as its supervisor would."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.kill()
        self._file.close()


@pytest.fixture
def workers(tmp_path: Path, transactional_db: None) -> Iterator[Callable[..., Worker]]:
    """Start Celery workers; all of them are stopped in the end."""
    started: list[Worker] = []

    def start(name: str = "", **environment: str) -> Worker:
        worker = Worker(tmp_path / f"{name or f'worker{len(started)}'}.log", **environment)
        started.append(worker)
        return worker

    yield start
    for worker in started:
        worker.stop()


def eventually(what: Callable[[], Any], *, seconds: float = 150, worker: Worker | None = None) -> Any:
    """Wait until ``what()`` is true; on failure show the worker's log."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if value := what():
            return value
        time.sleep(0.05)
    log = worker.log.read_text(errors="replace")[-4000:] if worker else ""
    pytest.fail(f"it did not happen within {seconds} s; broker {arena_settings.REDIS_URL}\n{log}")


def play_until_it_counts() -> None:
    """Play the first match as the queue would: attempts that an overloaded host spoilt are void and repeated."""
    said = []
    for _ in range(arena_settings.MATCH_MAX_ATTEMPTS):
        Match.objects.filter(state="queued").update(retry_at=None)
        ending = play_next()
        assert ending is not None, (said, list(Match.objects.values("state", "retry_at", "reason")), languages_here())
        if ending.outcome == "finished":
            return
        said.append(ending.message)
    pytest.fail("\n".join(said))
