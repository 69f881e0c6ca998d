"""Loaded first (``-p tests.services``): gives every test process its own addresses before Django reads its settings."""

from __future__ import annotations

import atexit
import os
import shutil
import socket
import tempfile
from pathlib import Path

ROOT_VARIABLE = "ARENA_TEST_ROOT"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def prepare_environment() -> None:
    if ROOT_VARIABLE not in os.environ:  # the xdist controller, or the only process
        root = Path(tempfile.mkdtemp(prefix="durak-tests-"))
        root.chmod(0o755)
        os.environ[ROOT_VARIABLE] = str(root)
        atexit.register(shutil.rmtree, root, ignore_errors=True)
    root = Path(os.environ[ROOT_VARIABLE])
    data = root / os.environ.get("PYTEST_XDIST_WORKER", "main")
    (data / "static").mkdir(parents=True, exist_ok=True)
    os.environ.update(
        ARENA_DATA=str(data),
        ARENA_DATABASE_URL=f"postgresql://postgres@/arena?host={root / 'pg'}",
        ARENA_REDIS_URL=f"redis://127.0.0.1:{free_port()}/0",
        ARENA_SECRET_KEY="only-for-tests",
        ARENA_SANDBOX="bubblewrap",
        DJANGO_SETTINGS_MODULE="arena.settings",
        DJANGO_ALLOW_ASYNC_UNSAFE="1",  # Playwright's synchronous API keeps a loop in the test's thread
    )


prepare_environment()
