"""Parts of the demo that can be looked at without starting it."""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.demo import environment
from arena.demo.embedded import open_to_other_users


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder whose parents are open to everybody, which pytest's own are not."""
    path = Path(tempfile.mkdtemp(prefix="demo-", dir=os.environ["ARENA_TEST_ROOT"]))
    path.chmod(0o755)
    yield path
    shutil.rmtree(path)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_what_is_kept_is_for_its_user_alone_and_is_the_arena_s_only(folder: Path) -> None:
    (folder / environment.NAME).write_text("of an older start")
    (folder / environment.NAME).chmod(0o644)
    kept = environment.environment_keep(folder, {"ARENA_SECRET_KEY": "s", "DURAK_SANDBOX_RUN": "/run", "PATH": "/bin"})
    assert mode(kept) == 0o600
    assert "PATH" not in kept.read_text()


def test_a_command_takes_what_the_demo_has_kept_but_for_what_it_was_told(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    odd = "two lines\nand = “signs”"
    environment.environment_keep(folder, {"ARENA_SECRET_KEY": odd, "ARENA_REDIS_URL": "redis://kept/0"})
    monkeypatch.setattr(os, "environ", {"ARENA_DATA": str(folder), "ARENA_REDIS_URL": "redis://told/0"})
    assert environment.environment_join()
    assert os.environ["ARENA_SECRET_KEY"] == odd
    assert os.environ["ARENA_REDIS_URL"] == "redis://told/0"


def test_without_a_demo_nothing_is_taken(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told = {"ARENA_DATA": str(folder)}
    monkeypatch.setattr(os, "environ", dict(told))
    assert not environment.environment_join()
    assert os.environ == told


@pytest.mark.parametrize(("user", "opens"), [(0, True), (1000, False)])
def test_root_opens_the_folders_above_the_data_and_says_which_and_nobody_else_does(
    folder: Path, monkeypatch: pytest.MonkeyPatch, user: int, opens: bool
) -> None:
    data = folder / "closed" / "open" / "data"
    data.mkdir(parents=True)
    for path, bits in ((folder / "closed", 0o700), (folder / "closed" / "open", 0o755), (data, 0o750)):
        path.chmod(bits)
    monkeypatch.setattr(os, "geteuid", lambda: user)
    assert open_to_other_users(data) == ([data, folder / "closed"] if opens else [])
    assert mode(folder / "closed") == (0o701 if opens else 0o700), "to pass through, not to list"
    assert mode(data) == (0o751 if opens else 0o750)
    assert open_to_other_users(data) == []
