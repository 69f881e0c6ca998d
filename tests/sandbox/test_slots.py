"""Slots: leased by file locks, so that a crash gives them back."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from sandbox.slots import NoSlot, Slots
from sandbox.spec import Labels
from sandbox.staging import StagingError, readable_by_others, stage

LABELS = Labels(worker="w1", match="7")


def test_a_taken_slot_is_not_given_twice_and_a_released_one_is(tmp_path: Path) -> None:
    slots = Slots(tmp_path, "bubblewrap", count=2)
    first, second = slots.take(LABELS), slots.take(LABELS)
    assert {first.number, second.number} == {0, 1}
    with pytest.raises(NoSlot, match="all 2"):
        slots.take(LABELS)
    first.release()
    assert slots.take(LABELS).number == first.number


def test_two_objects_over_one_folder_share_its_slots(tmp_path: Path) -> None:
    slots, others = Slots(tmp_path, "docker", count=1), Slots(tmp_path, "docker", count=1)
    slot = slots.take(LABELS)
    assert others.is_held(slot.number)
    with pytest.raises(NoSlot):
        others.take(LABELS)


def test_the_backends_have_different_uids_and_no_slot_has_the_uid_of_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("DURAK_SANDBOX_UID", raising=False)
    uids = [
        slots.first_uid + n for slots in (Slots(tmp_path, "docker"), Slots(tmp_path, "bubblewrap")) for n in range(512)
    ]
    assert len(set(uids)) == len(uids)
    # Below are the uids of systemd's dynamic users, above those of containers' users.
    assert min(uids) > 65_535
    assert max(uids) < 524_288


def test_a_slot_whose_holder_died_waits_for_the_sweep_and_says_whose_it_was(tmp_path: Path) -> None:
    script = (
        "import os, sys; from pathlib import Path; from sandbox.slots import Slots; from sandbox.spec import Labels;"
        f"slot = Slots(Path({str(tmp_path)!r}), 'docker', count=1).take(Labels(worker='dead', match='9'));"
        "(slot.folder / 'left').touch(); os._exit(1)"
    )
    subprocess.run([sys.executable, "-c", script], check=False, cwd=Path(__file__).parents[2])
    slots = Slots(tmp_path, "docker", count=1)
    with pytest.raises(NoSlot):
        slots.take(LABELS)
    ((slot, labels),) = slots.abandoned()
    assert (labels["worker"], labels["match"]) == ("dead", "9")
    assert (slot.folder / "left").exists()
    slot.release()
    assert list(slots.abandoned()) == []
    assert list(slots.take(LABELS).folder.iterdir()) == []


def test_only_slots_past_their_deadline_are_overdue(tmp_path: Path) -> None:
    slots = Slots(tmp_path, "docker")
    late = slots.take(Labels(deadline=time.time() - 1))
    slots.take(Labels(deadline=time.time() + 60))
    assert [number for number, _ in slots.overdue()] == [late.number]


def test_a_slot_that_is_taken_for_somebody_else_names_the_new_one_alone(tmp_path: Path) -> None:
    slots = Slots(tmp_path, "docker")
    slot = slots.take(Labels(worker="a worker of a long name", match="warm", deadline=2.0))
    slot.write(Labels(match="9", deadline=1.5))
    assert [(number, labels["match"]) for number, labels in slots.overdue()] == [(slot.number, "9")]


def test_a_slot_whose_holder_died_while_it_wrote_is_swept_too(tmp_path: Path) -> None:
    slots = Slots(tmp_path, "docker", count=1)
    slots.take(LABELS).leave()
    lease = next(tmp_path.glob("docker/*.lease"))
    lease.write_text('{"worker": "de')
    ((slot, labels),) = slots.abandoned()
    assert labels["match"] == "none"
    slot.release()
    assert slots.take(LABELS)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can make a folder somebody else's")
def test_a_run_folder_of_somebody_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "docker").mkdir()
    os.chown(tmp_path / "docker", 12345, 12345)
    with pytest.raises(PermissionError, match="belongs to uid 12345"):
        Slots(tmp_path, "docker")


def test_staging_gives_a_private_program_the_modes_that_it_needs_inside(tmp_path: Path) -> None:
    source, target = tmp_path / "source", tmp_path / "target"
    (source / "deep").mkdir(parents=True)
    (source / "bot.py").write_text("x")
    (source / "bot.py").chmod(0o600)
    (source / "deep/run").write_text("y")
    (source / "deep/run").chmod(0o4700)
    source.chmod(0o700)
    stage(source, target)
    assert stat.S_IMODE(target.stat().st_mode) == 0o755
    assert stat.S_IMODE((target / "bot.py").stat().st_mode) == 0o644
    assert stat.S_IMODE((target / "deep/run").stat().st_mode) == 0o755


@pytest.mark.parametrize("kind", ["link", "pipe"])
def test_staging_refuses_what_is_neither_file_nor_folder(tmp_path: Path, kind: str) -> None:
    source = tmp_path / "source"
    source.mkdir()
    if kind == "link":
        (source / "x").symlink_to("/etc/shadow")
    else:
        os.mkfifo(source / "x")
    with pytest.raises(StagingError, match="x is neither"):
        stage(source, tmp_path / "target")


def test_a_file_behind_a_private_folder_is_not_readable_by_others(tmp_path: Path) -> None:
    tmp_path.chmod(0o700)
    (tmp_path / "file").write_text("x")
    assert not readable_by_others(tmp_path / "file")
    assert readable_by_others(Path("/usr/bin/env"))
