"""The self-test: run `sandbox.selftest` inside the live sandbox and report what it could do."""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import shutil
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from bots_sdk.referee.player import Eof, HostFault, PlayerFault
from sandbox import selftest
from sandbox.capabilities import HELD, MISSING, PARTIAL, Capabilities, Control
from sandbox.limits import MIB, Limits
from sandbox.packages import NotPrepared, prepared
from sandbox.runtimes import RUNTIMES
from sandbox.spec import Labels, SandboxSpec

if TYPE_CHECKING:
    from sandbox.base import Sandbox
    from sandbox.bubblewrap import BubblewrapSandbox
    from sandbox.docker import DockerSandbox

SECONDS: Final = 30.0
ENDING_SECONDS: Final = 2.0
KERNEL_DEVICES: Final = ("fuse", "net")
"""In the /dev of a sandbox with a kernel of its own (gVisor): devices of that kernel, which lead nowhere."""
LIMITS: Final = Limits(
    memory_bytes=96 * MIB,
    pids=12,
    cpus=0.5,
    cpu_seconds=20,
    file_bytes=6 * MIB,
    open_files=64,
    tmp_bytes=4 * MIB,
    shm_bytes=2 * MIB,
)
DELEGATE: Final = (
    "run as root, or have systemd delegate a control group to the worker (Delegate=yes) and set DURAK_SANDBOX_CGROUP"
)
USERNS: Final = "allow user namespaces: sysctl kernel.unprivileged_userns_clone=1 user.max_user_namespaces=15000"
REMEDIES: Final = {
    "self-test": USERNS,
    "system calls": "use a kernel with CONFIG_SECCOMP_FILTER",
    "processes": DELEGATE,
    "processor": DELEGATE,
    "memory": DELEGATE,
}
WORDS: Final = {
    "identity": "runs as an unprivileged user",
    "privileges": "no capabilities, and none to be gained",
    "system calls": "only what a bot needs; no ptrace, bpf, io_uring, ...",
    "network": "none",
    "read-only": "the root and the bot's own code",
    "host hidden": "its files, processes, devices and environment",
    "scratch space": "/tmp is bounded",  # noqa: S108 - words
    "shared memory": "/dev/shm is bounded",  # noqa: S108 - words
    "file size": "bounded",
    "descriptors": "bounded",
    "processes": "bounded, threads included",
    "processor": "a quota for all processes together",
    "memory": "bounded for all processes together, swap included",
    "ending": "nothing outlives the sandbox",
}


def probe_bubblewrap(sandbox: BubblewrapSandbox) -> Capabilities:
    """What bubblewrap holds on this host."""
    languages = {}
    for name, runtime in RUNTIMES.items():
        reason = sandbox.why_not(runtime)
        if not reason and runtime.libraries:
            try:
                prepared()
            except NotPrepared as error:
                reason = str(error)
        languages[name] = reason
    notes = [f"bwrap is {sandbox.binary.path}"]
    if sandbox.no_cgroups:
        offered = sandbox.limits(Limits())
        notes.append(
            f"no control groups ({sandbox.no_cgroups}): at most {offered.pids} processes of "
            f"{offered.memory_bytes // MIB} MiB each are offered"
        )
    if os.geteuid():
        notes.append("not root: all sandboxes run under this user's own uid, in user namespaces")
    version = ".".join(map(str, sandbox.binary.version))
    return _probe(sandbox, version, languages, notes, whole=sandbox.hierarchy is not None)


def probe_docker(sandbox: DockerSandbox) -> Capabilities:
    """What the Docker Engine holds on this host."""
    from sandbox.docker.oci import KERNEL_BYTES  # needs Docker's library

    client = sandbox.daemon.client
    present = {tag for image in client.images() for tag in image["RepoTags"] or ()}
    languages = {
        name: "" if runtime.image in present else f"python -m sandbox images build {name}"
        for name, runtime in RUNTIMES.items()
    }
    options = set(sandbox.info.get("SecurityOptions") or ())
    notes = [f"runtime {sandbox.oci_runtime}"]
    if not any("name=userns" in option for option in options) and not sandbox.own_kernel:
        notes.append("advised: userns-remap in daemon.json, or gVisor (runsc) as the runtime")
    if sandbox.no_cgroups:
        notes.append(f"CPU time and peak memory are not reported: {sandbox.no_cgroups}")
    others = ", ".join(name for name in sandbox.runtimes if name != sandbox.oci_runtime)
    remedies = {
        "self-test": f"mend the runtime {sandbox.oci_runtime} (docs/sandbox.md), "
        f"or set DURAK_SANDBOX_RUNTIME to another: {others}",
    }
    if sandbox.own_kernel:
        notes.append(f"gVisor's own kernel may use {KERNEL_BYTES // MIB} MiB beside each program")
        runtime_args = f"the runtimeArgs of {sandbox.oci_runtime} in daemon.json"
        remedies["system calls"] = f'add "--oci-seccomp" to {runtime_args}: without it the filter is ignored'
    version = str(sandbox.info["ServerVersion"])
    return _probe(sandbox, version, languages, notes, whole=True, remedies=remedies, own_kernel=sandbox.own_kernel)


def _probe(
    sandbox: Sandbox,
    version: str,
    languages: dict[str, str],
    notes: list[str],
    *,
    whole: bool,
    remedies: Mapping[str, str] = MappingProxyType({}),
    own_kernel: bool = False,
) -> Capabilities:
    remedies = {**REMEDIES, **remedies}
    if languages["python"]:
        failed = Control("self-test", MISSING, "needs Python inside", languages["python"])
        return Capabilities(sandbox.name, version, (failed,), languages, tuple(notes))
    try:
        controls = [
            *_inside(sandbox, remedies, whole=whole, own_kernel=own_kernel),
            _memory(sandbox, whole=whole),
            _ending(sandbox),
        ]
        if own_kernel:
            controls = [_processor(sandbox) if control.name == "processor" else control for control in controls]
    except (HostFault, PlayerFault) as error:
        controls = [Control("self-test", MISSING, str(error), remedies["self-test"])]
    return Capabilities(sandbox.name, version, tuple(controls), languages, tuple(notes))


def _inside(sandbox: Sandbox, remedies: Mapping[str, str], *, whole: bool, own_kernel: bool) -> Iterator[Control]:
    """The checks that run inside."""
    secret = secrets.token_hex(16)
    with tempfile.NamedTemporaryFile(prefix="durak-probe-") as marker:
        Path(marker.name).chmod(0o644)
        # The reverse of what the bot is told: were it seen inside, it would be the host's.
        os.environ["DURAK_PROBE_SECRET"] = secret[::-1]
        env = {
            "PROBE_SECRET": secret,
            "PROBE_FILE": marker.name,
            "PROBE_TMP": str(LIMITS.tmp_bytes),
            "PROBE_SHM": str(LIMITS.shm_bytes),
            "PROBE_FILE_BYTES": str(LIMITS.file_bytes),
            "PROBE_FILES": str(LIMITS.open_files),
            "PROBE_PIDS": str(LIMITS.pids),
            "PROBE_CPUS": str(LIMITS.cpus),
            "PROBE_DEVICES": " ".join(KERNEL_DEVICES if own_kernel else ()),
        }
        try:
            with _program() as folder:
                session = sandbox.start(_spec(folder, env=env))
                try:
                    until = time.monotonic() + SECONDS
                    seen = [json.loads(session.receive(until)) for _ in selftest.CHECKS]
                finally:
                    ended = session.stop()
        except Eof as error:
            raise HostFault(f"the self-test ended early: {ended.stderr.decode()[-500:]}") from error
        finally:
            del os.environ["DURAK_PROBE_SECRET"]
    for name, held, detail in seen:
        state = HELD if held else MISSING
        if not whole and name in {"processes", "processor"}:
            # Limited for each process or user, by rlimits; nothing holds the sum.
            yield Control(name, PARTIAL, detail, remedies[name], required=False)
        else:
            yield Control(name, state, detail, "" if held else remedies.get(name, ""))


def _processor(sandbox: Sandbox) -> Control:
    """From outside, where the clocks inside are not the host's."""
    began = time.monotonic()
    with _program() as folder:
        session = sandbox.start(_spec(folder, "processor"))
        try:
            session.receive(began + SECONDS)
        finally:
            wall, used = time.monotonic() - began, session.stop().cpu_ms
    if used is None:
        return Control("processor", PARTIAL, "has a quota, which cannot be measured here", DELEGATE, required=False)
    cores = used / 1000 / wall
    detail = f"{cores:.2f} of {LIMITS.cpus:.2f} cores were had"
    held = cores < LIMITS.cpus * selftest.QUOTA_SLACK
    return Control("processor", HELD if held else MISSING, detail, "" if held else DELEGATE)


def _memory(sandbox: Sandbox, *, whole: bool) -> Control:
    with _program() as folder:
        session = sandbox.start(_spec(folder, "memory"))
        with contextlib.suppress(PlayerFault):
            session.receive(time.monotonic() + SECONDS)
        report = session.stop()
    if report.oom:
        return Control("memory", HELD, report.reason)
    if not whole and report.code:
        return Control("memory", PARTIAL, "each process alone is limited", DELEGATE, required=False)
    return Control("memory", MISSING, report.reason, DELEGATE)


def _ending(sandbox: Sandbox) -> Control:
    """A grandchild in a session of its own that ignores signals must be gone after `stop`."""
    mark = f"60.{secrets.randbelow(10**12)}"
    with _program() as folder:
        script = f"trap '' TERM HUP; setsid sleep {mark} & echo up; wait"
        session = sandbox.start(_spec(folder, argv=("sh", "-c", script)))
        session.receive(time.monotonic() + SECONDS)
        began = time.monotonic()
        session.stop()
    took = (time.monotonic() - began) * 1000
    until = time.monotonic() + ENDING_SECONDS
    while alive := _processes_with(mark):
        if time.monotonic() > until:
            return Control("ending", MISSING, f"process {alive[0]} lives on")
        time.sleep(0.01)
    return Control("ending", HELD, f"all gone; stopping took {took:.0f} ms")


def _processes_with(mark: str) -> list[int]:
    """The host's processes that have a word in their command line."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            if mark.encode() in path.read_bytes().split(b"\0"):
                found.append(int(path.parent.name))
    return found


@contextmanager
def _program() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="durak-probe-") as folder:
        shutil.copyfile(selftest.__file__, Path(folder) / "bot.py")
        yield Path(folder)


def _spec(
    folder: Path,
    *words: str,
    env: dict[str, str] | None = None,
    argv: tuple[str, ...] | None = None,
) -> SandboxSpec:
    runtime = RUNTIMES["python"]
    return SandboxSpec(
        runtime=runtime,
        folder=folder,
        argv=argv or (*runtime.run_argv("bot.py"), *words),
        limits=LIMITS,
        env={**runtime.env, **(env or {})},
        labels=Labels(match="probe", deadline=time.time() + 4 * SECONDS),
    )
