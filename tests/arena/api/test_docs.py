"""docs/api.md: its examples run as they stand there, and it names every operation and every error code."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db import connection
from django.utils import timezone

from arena.accounts.models import User
from arena.accounts.services import token_create
from arena.bots.hosts import host_report
from arena.bots.models import BotVersion
from arena.matches.queue import attempt_finish, match_claim
from tests.arena.api.conftest import played_out, schema
from tests.arena.ladders.conftest import Arena

ROOT = Path(__file__).parents[3]
TEXT = (ROOT / "docs/api.md").read_text()
BLOCKS = re.findall(r"^```(sh|python)\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)


def test_the_table_has_every_operation_and_no_other():
    listed = set(re.findall(r"^\| `([A-Z]+ /\S+)` \|", TEXT, re.MULTILINE))
    offered = {
        f"{method.upper()} {path.removeprefix('/api/v1')}"
        for path, methods in schema()["paths"].items()
        for method in methods
    }
    assert listed == offered


def test_every_error_code_is_listed():
    code = re.compile(
        r'code="([a-z_]+)"|default_code[^=\n]*= "([a-z_]+)"|exceptions\.\w+: "([a-z_]+)"|body\("([a-z_]+)"'
    )
    used = set()
    for path in (ROOT / "arena").rglob("*.py"):
        if "web" not in path.parts and "demo" not in path.parts:
            used |= {next(filter(None, groups)) for groups in code.findall(path.read_text())}
    used -= {"error"}
    listed = set(re.findall(r"`([a-z_]+)`", TEXT.split("## Errors")[1].split("## Limits")[0]))
    assert used <= listed, used - listed


@pytest.fixture
def worker(transactional_db: None) -> Iterator[None]:
    """Builds and plays whatever waits, in place of a worker with a sandbox."""
    done = threading.Event()

    def work() -> None:
        try:
            while not done.wait(0.1):
                BotVersion.objects.filter(state="uploaded").update(state="ready", ready_at=timezone.now())
                attempt = match_claim(worker="w")
                if attempt is not None:
                    attempt_finish(attempt=attempt, played=played_out(attempt.match))
        finally:
            connection.close()

    thread = threading.Thread(target=work)
    thread.start()
    yield
    done.set()
    thread.join()


@pytest.mark.slow
@pytest.mark.parametrize("language", ["sh", "python"])
def test_the_examples_run_as_they_stand(live_server, worker, tmp_path, language):
    you = User.objects.create_user("you", password="your-password")
    _, token = token_create(user=you, name="for the examples")
    arena = Arena()
    arena.version(arena.bot("lowest"))
    arena.ladder()
    host_report(name="host-1", backend="bubblewrap", languages=["python"])
    environment = {
        "ARENA": live_server.url,
        "TOKEN": token,
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "HOME": str(tmp_path),
    }
    script = "\n".join(text for kind, text in BLOCKS if kind == "sh")
    script = re.sub(r"^export .*\n", "", script, flags=re.MULTILINE)

    def run(argv: list[str], text: str) -> str:
        done = subprocess.run(
            argv, input=text, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=120, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    if language == "sh":
        output = run(["bash", "-euo", "pipefail"], script)
        assert '"token":"durak_' in output
        assert '"kind":"deal_over"' in output
        assert '"name":"podkidnoy"' in output
    else:
        run(["bash", "-euc", "durak new mybot && tar -czf mybot.tar.gz -C mybot ."], "")
        arena.bot("mybot")
        type(you).objects.get(username="owner").bots.filter(slug="mybot").update(owner=you)
        output = run([sys.executable, "-"], next(text for kind, text in BLOCKS if kind == "python"))
        assert output.startswith("ready")
        assert output.count(" lost\n") == 2
        assert output.count("Result(") == 2
