"""Control groups of both versions, on trees of plain files in place of the kernel's."""

from __future__ import annotations

from pathlib import Path

import pytest

from sandbox import cgroups
from sandbox.cgroups import Group, Hierarchy, NoCgroups, find_hierarchy
from sandbox.limits import MIB, Limits

LIMITS = Limits(memory_bytes=64 * MIB, pids=16, cpus=0.5)
V1_FILES = {
    "memory": "memory.limit_in_bytes memory.memsw.limit_in_bytes memory.swappiness memory.oom_control",
    "pids": "pids.max",
    "cpu": "cpu.cfs_period_us cpu.cfs_quota_us cpu.shares",
    "cpuacct": "cpuacct.usage",
    "freezer": "freezer.state",
}
V2_FILES = "memory.max memory.swap.max memory.oom.group pids.max cpu.max cpu.weight cgroup.kill cgroup.freeze"


class FakeKernel:
    """Makes the files appear in each new group's folder, as the kernel does."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, version: str) -> None:
        self.version = version
        self._mkdir = Path.mkdir
        kernel = self

        def mkdir(path: Path, *args: object, **kwargs: object) -> None:
            kernel._mkdir(path, *args, **kwargs)  # type: ignore[arg-type]
            kernel.fill(path)

        monkeypatch.setattr(Path, "mkdir", mkdir)

    def fill(self, path: Path) -> None:
        names = V2_FILES
        if self.version == "v1":
            names = next((text for key, text in V1_FILES.items() if f"/{key}/" in f"{path}/"), "")
        for name in [*names.split(), "cgroup.procs", "cgroup.subtree_control"]:
            (path / name).touch()
        (path / "cgroup.controllers").write_text("cpuset cpu io memory pids")


@pytest.fixture
def v1(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Hierarchy:
    for name in V1_FILES:
        (tmp_path / name).mkdir()
        (tmp_path / name / "cgroup.procs").touch()
    FakeKernel(monkeypatch, "v1")
    return find_hierarchy(tmp_path)


@pytest.fixture
def v2(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Hierarchy:
    monkeypatch.setattr("os.geteuid", lambda: 0)
    FakeKernel(monkeypatch, "v2").fill(tmp_path)
    return find_hierarchy(tmp_path)


def test_version_1_limits_are_written_where_the_kernel_reads_them(v1: Hierarchy, tmp_path: Path) -> None:
    group = v1.create("one", LIMITS)
    assert (tmp_path / "memory/durak/one/memory.limit_in_bytes").read_text() == str(64 * MIB)
    assert (tmp_path / "memory/durak/one/memory.memsw.limit_in_bytes").read_text() == str(64 * MIB)
    assert (tmp_path / "pids/durak/one/pids.max").read_text() == "17"
    assert (tmp_path / "cpu/durak/one/cpu.cfs_quota_us").read_text() == "50000"
    group.add(4321)
    for controller in V1_FILES:
        assert (tmp_path / controller / "durak/one/cgroup.procs").read_text() == "4321"
    assert group.pids() == {4321}


def test_version_2_limits_are_written_where_the_kernel_reads_them(v2: Hierarchy, tmp_path: Path) -> None:
    group = v2.create("one", LIMITS)
    folder = tmp_path / "durak/one"
    assert (folder / "memory.max").read_text() == str(64 * MIB)
    assert (folder / "memory.swap.max").read_text() == "0"
    assert (folder / "memory.oom.group").read_text() == "1"
    assert (folder / "pids.max").read_text() == "17"
    assert (folder / "cpu.max").read_text() == "50000 100000"
    group.add(4321)
    assert (folder / "cgroup.procs").read_text() == "4321"
    group.kill()
    assert (folder / "cgroup.kill").read_text() == "1"


def test_version_2_hands_the_controllers_down_to_our_group_and_its_children(v2: Hierarchy, tmp_path: Path) -> None:
    for folder in (tmp_path, tmp_path / "durak"):
        assert (folder / "cgroup.subtree_control").read_text() == "+memory +pids +cpu"


def test_a_delegated_group_with_processes_moves_them_into_a_leaf_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    FakeKernel(monkeypatch, "v2").fill(tmp_path)
    (tmp_path / "cgroup.procs").write_text("11\n12\n")
    real, refused = cgroups._write, []

    def write(path: Path, value: str) -> None:
        if path == tmp_path / "cgroup.subtree_control" and not refused:
            refused.append(value)
            raise OSError(16, "Device or resource busy")
        real(path, value)

    monkeypatch.setattr(cgroups, "_write", write)
    monkeypatch.setenv("DURAK_SANDBOX_CGROUP", str(tmp_path))
    assert find_hierarchy().version == "v2"
    assert refused
    assert (tmp_path / "worker/cgroup.procs").read_text() == "12"  # one a write; the file here keeps the last
    assert (tmp_path / "cgroup.subtree_control").read_text() == "+memory +pids +cpu"


def test_version_1_accounts_tell_kills_and_time(v1: Hierarchy, tmp_path: Path) -> None:
    group = v1.create("one", LIMITS)
    (tmp_path / "memory/durak/one/memory.oom_control").write_text("oom_kill_disable 0\nunder_oom 0\noom_kill 2\n")
    (tmp_path / "memory/durak/one/memory.max_usage_in_bytes").write_text("1048576\n")
    (tmp_path / "cpuacct/durak/one/cpuacct.usage").write_text("2500000\n")
    (tmp_path / "pids/durak/one/pids.events").write_text("max 7\n")
    usage = group.usage()
    assert (usage.oom_kills, usage.peak_memory, usage.cpu_ms, usage.pids_refused) == (2, 1048576, 2.5, 7)


def test_version_2_accounts_tell_kills_and_time(v2: Hierarchy, tmp_path: Path) -> None:
    group = v2.create("one", LIMITS)
    folder = tmp_path / "durak/one"
    (folder / "memory.events").write_text("low 0\nhigh 0\nmax 31\noom 1\noom_kill 3\noom_group_kill 1\n")
    (folder / "memory.peak").write_text("2097152\n")
    (folder / "cpu.stat").write_text("usage_usec 1500\nuser_usec 1000\nsystem_usec 500\nthrottled_usec 250\n")
    (folder / "pids.events").write_text("max 4\n")
    usage = group.usage()
    assert (usage.oom_kills, usage.peak_memory, usage.cpu_ms, usage.pids_refused) == (3, 2097152, 1.5, 4)
    assert usage.throttled_ms == 0.25


def test_what_the_kernel_does_not_tell_is_unknown_and_not_zero(v2: Hierarchy) -> None:
    usage = v2.create("one", LIMITS).usage()
    assert (usage.peak_memory, usage.cpu_ms) == (None, None)


def test_a_group_that_cannot_be_limited_is_not_made(
    v2: Hierarchy, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = cgroups._write

    def write(path: Path, value: str) -> None:
        if path.name == "pids.max":
            raise OSError(13, "Permission denied")
        real(path, value)

    monkeypatch.setattr(cgroups, "_write", write)
    monkeypatch.setattr(Group, "remove", lambda _: True)
    with pytest.raises(OSError, match="Permission denied"):
        v2.create("one", LIMITS)


def test_a_kernel_without_swap_accounting_is_served_all_the_same(
    v2: Hierarchy, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = cgroups._write

    def write(path: Path, value: str) -> None:
        if path.name == "memory.swap.max":
            raise FileNotFoundError(path)
        real(path, value)

    monkeypatch.setattr(cgroups, "_write", write)
    assert v2.create("one", LIMITS).paths


def test_where_no_controller_is_mounted_the_reason_names_them(tmp_path: Path) -> None:
    (tmp_path / "memory").mkdir()
    (tmp_path / "memory/cgroup.procs").touch()
    with pytest.raises(NoCgroups, match="pids, cpu, cpuacct, freezer"):
        find_hierarchy(tmp_path)


def test_a_group_of_the_real_kernel_limits_counts_and_goes() -> None:
    try:
        hierarchy = find_hierarchy()
    except NoCgroups as reason:
        pytest.skip(str(reason))
    group = hierarchy.create("test-of-the-real-kernel", LIMITS)
    assert group.pids() == set()
    assert group.usage().oom_kills == 0
    assert hierarchy.find("test-of-the-real-kernel") is not None
    assert group.remove()
    assert hierarchy.find("test-of-the-real-kernel") is None
