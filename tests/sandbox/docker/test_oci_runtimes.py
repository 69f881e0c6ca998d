"""The Docker backend with each OCI runtime: what it holds, a sitting of reference bots, and attacks."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from bots_sdk.durak import RuleSet
from bots_sdk.referee import DealSpec, HostFault, SittingSpec, TimeControl, play_sitting
from bots_sdk.referee.player import PlayerFault
from sandbox.base import NoSandbox
from sandbox.cgroups import find_hierarchy
from sandbox.docker import DockerSandbox
from sandbox.docker.oci import KERNEL_BYTES, group_limits, has_own_kernel
from sandbox.images import build_image
from sandbox.limits import Limits
from sandbox.packages import prepare
from sandbox.probe import WORDS
from sandbox.runtimes import RUNTIMES, Runtime
from sandbox.spec import Labels, SandboxSpec
from tests.docker_host.fixtures import DockerHost
from tests.docker_host.runtimes import BROKEN, UNFILTERED
from tests.sandbox.attacks.table import ATTACKS, UNDER_GVISOR, Attack
from tests.sandbox.attacks.test_attacks import BUSY, Table, host_things
from tests.sandbox.conftest import run_folder

pytestmark = pytest.mark.alone

__all__ = ["host_things"]

REFERENCE = Path(__file__).parents[3] / "bots_sdk" / "reference"
real = [pytest.mark.docker, pytest.mark.slow, pytest.mark.xdist_group("docker")]


@pytest.fixture(scope="module")
def python(docker_host: DockerHost) -> Runtime:
    """The Python row with its own image, which has the SDK."""
    prepare()
    client = docker_host.client()
    try:
        with docker_host.lock("image-python"):
            build_image(client, RUNTIMES["python"], network="host")
    finally:
        client.close()
    return RUNTIMES["python"]


@pytest.fixture(scope="module", params=[pytest.param(name, marks=real) for name in ("runc", "crun", "runsc")])
def sandbox(request: pytest.FixtureRequest, docker_host: DockerHost, python: Runtime) -> Iterator[DockerSandbox]:
    with run_folder() as run, pytest.MonkeyPatch.context() as patch:
        patch.setenv("DURAK_SANDBOX_RUNTIME", request.param)
        opened = DockerSandbox(docker_host.socket, run=run, pool_bytes=0)
        yield opened
        opened.close()


@pytest.fixture(scope="module")
def table_of_two(
    sandbox: DockerSandbox, python: Runtime, host_things: dict[str, str], tmp_path_factory: pytest.TempPathFactory
) -> Table:
    return Table(sandbox, python, host_things, tmp_path_factory.mktemp("programs"))


def test_the_probe_finds_every_control_held_with_each_runtime(sandbox: DockerSandbox) -> None:
    found = sandbox.probe()
    assert {control.name: control.detail for control in found.controls if control.state != "held"} == {}
    assert {control.name for control in found.controls} == set(WORDS)
    assert found.safe
    assert f"runtime {sandbox.oci_runtime}" in found.notes


def test_reference_bots_play_a_sitting_without_a_fault(sandbox: DockerSandbox, python: Runtime) -> None:
    specs = [
        SandboxSpec(
            runtime=python,
            folder=REFERENCE / name,
            argv=python.run_argv("bot.py"),
            labels=Labels(match="reference", deadline=time.time() + 120),
        )
        for name in ("counter", "lowest")
    ]
    deals = tuple(DealSpec(number, number, bytes([number]) * 32) for number in range(2))
    sitting = SittingSpec(RuleSet.preset("podkidnoy"), 2, deals, TimeControl(30_000, 1_000, 30_000))
    for attempt in range(5):
        try:
            outcome = play_sitting(sitting, [sandbox.start(spec) for spec in specs])
            break
        except HostFault as fault:
            if not BUSY.search(fault.reason) or attempt == 4:
                raise
    assert outcome.faults == ()
    assert [deal.result.reason for deal in outcome.deals if deal.result.reason == "fault"] == []
    assert len(outcome.deals) == 2
    assert all(report is not None and report.cpu_ms and report.peak_memory for report in outcome.exits)


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name)
def test_an_attack_fails_with_the_right_verdict_under_each_runtime(attack: Attack, table_of_two: Table) -> None:
    assert isinstance(table_of_two.sandbox, DockerSandbox)
    differs = UNDER_GVISOR.get(attack.name, {}) if table_of_two.sandbox.own_kernel else {}
    table_of_two.withstands(replace(attack, **differs))


def test_no_device_of_the_host_has_changed_hands_with_each_runtime(sandbox: DockerSandbox, python: Runtime) -> None:
    """Before 1.24, crun gives the host's /dev/null to the user of a container whose stdin nobody has attached."""
    before = owners_of_devices()
    for argv in (("true",), ("sh", "-c", "exec <&- >&- 2>&-; sleep 0.2")):
        folder = REFERENCE / "random"
        session = sandbox.start(SandboxSpec(runtime=python, folder=folder, argv=argv, labels=Labels()))
        with contextlib.suppress(PlayerFault):
            session.receive(time.monotonic() + 5)
        session.stop()
    assert owners_of_devices() == before


def owners_of_devices() -> dict[str, tuple[int, int, int]]:
    """User, group and mode of the devices that any program may open."""
    found = {name: Path("/dev", name).stat() for name in ("null", "zero", "full", "random", "urandom", "tty")}
    return {name: (status.st_uid, status.st_gid, status.st_mode) for name, status in found.items()}


def test_nothing_of_a_container_is_left_with_each_runtime(sandbox: DockerSandbox) -> None:
    assert sandbox.reaper.wait()
    folder = str(sandbox.slots.folder)
    assert not sandbox.daemon.client.containers(all=True, filters={"label": f"durak.sandbox={folder}"})
    assert not [path for path in sandbox.slots.folder.iterdir() if path.is_dir()]
    if sandbox.hierarchy is not None:
        hierarchies = {parent.parent.parent for parent in sandbox.hierarchy.parents.values()}
        assert not [path for root in hierarchies for path in root.glob(f"*/durak/{sandbox.slots.prefix}-*")]


@pytest.mark.docker
@pytest.mark.slow
@pytest.mark.xdist_group("docker")
def test_a_runtime_that_starts_nothing_is_named_by_the_fault_and_by_the_probe(
    docker_host: DockerHost, python: Runtime, tmp_path: Path
) -> None:
    with run_folder() as run:
        sandbox = DockerSandbox(docker_host.socket, oci_runtime=BROKEN, run=run, pool_bytes=0)
        with pytest.raises(HostFault, match=f"could not be started with the runtime {BROKEN}: .*") as raised:
            sandbox.start(SandboxSpec(runtime=python, folder=tmp_path, argv=("true",)))
        assert len(raised.value.reason) > len("could not be started with the runtime")
        found = sandbox.probe()
        sandbox.close()
    assert not found.safe
    (refusal,) = found.refusals
    assert f"with the runtime {BROKEN}" in refusal
    assert f"set DURAK_SANDBOX_RUNTIME to another: crun, runc, runsc, {UNFILTERED}" in refusal


@pytest.mark.docker
@pytest.mark.slow
@pytest.mark.xdist_group("docker")
def test_gvisor_that_ignores_the_filter_is_refused_with_the_argument_that_it_lacks(
    docker_host: DockerHost, python: Runtime
) -> None:
    assert python.libraries
    with run_folder() as run:
        sandbox = DockerSandbox(docker_host.socket, oci_runtime=UNFILTERED, run=run, pool_bytes=0)
        found = sandbox.probe()
        sandbox.close()
    assert not found.safe
    refusal = next(refusal for refusal in found.refusals if refusal.startswith("system calls: no filter is installed"))
    assert f'add "--oci-seccomp" to the runtimeArgs of {UNFILTERED} in daemon.json' in refusal


@pytest.mark.docker
@pytest.mark.slow
@pytest.mark.xdist_group("docker")
def test_a_runtime_that_the_daemon_does_not_know_is_refused_by_name_with_what_to_do(
    docker_host: DockerHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DURAK_SANDBOX_RUNTIME", "nonsense")
    with run_folder() as run, pytest.raises(NoSandbox) as raised:
        DockerSandbox(docker_host.socket, run=run)
    told = str(raised.value)
    assert f"does not know the runtime 'nonsense'; it has {BROKEN}, crun, runc, runsc, {UNFILTERED}: " in told
    assert "/etc/docker/daemon.json" in told
    assert "DURAK_SANDBOX_RUNTIME" in told


@pytest.mark.docker
@pytest.mark.xdist_group("docker")
def test_a_control_group_goes_with_the_groups_that_a_runtime_which_failed_left_in_it() -> None:
    hierarchy = find_hierarchy()
    name = f"docker-test-{os.getpid()}"
    group = hierarchy.create(name, Limits())
    for path in group.paths.values():
        (path / "container").mkdir()
    assert group.remove(seconds=0)
    assert hierarchy.find(name) is None


@pytest.mark.parametrize(
    ("name", "registered", "expected"),
    [
        ("runc", {"path": "runc"}, False),
        ("crun", {"path": "/usr/bin/crun"}, False),
        ("runsc", {"path": "/usr/bin/runsc"}, True),
        ("gvisor", {"path": "/usr/local/bin/runsc"}, True),
        ("gvisor", {"runtimeType": "io.containerd.runsc.v1"}, True),
    ],
)
def test_gvisor_is_known_under_whatever_name(name: str, registered: dict[str, str], expected: bool) -> None:
    assert has_own_kernel(name, registered) is expected


def test_a_kernel_of_its_own_gets_room_beside_the_program() -> None:
    limits = Limits()
    assert group_limits(limits, own_kernel=False) == limits
    larger = group_limits(limits, own_kernel=True)
    assert larger.memory_bytes == limits.memory_bytes + KERNEL_BYTES
    assert larger.pids > 5 * limits.pids + 45
    assert replace(larger, memory_bytes=limits.memory_bytes, pids=limits.pids) == limits
