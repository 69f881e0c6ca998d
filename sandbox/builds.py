"""From a bundle to a program: check the syntax, or compile, inside the sandbox.

A build is an ordinary sandboxed run with larger limits: the sources are mounted read-only, the compiler writes
into the sandbox's own /tmp, and what it made comes back as text over stdout, where our own reader of archives
takes it apart.  So the host never opens a file, nor follows a link, that foreign code wrote.
"""

from __future__ import annotations

import binascii
import shutil
import signal
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bots_sdk.referee.player import ExitReport, OutputLimit, Player, PlayerFault, Timeout
from sandbox.base import Sandbox
from sandbox.bundles import Bundle, BundleError, BundleLimits
from sandbox.bundles.bundle import plain_files, write_files
from sandbox.bundles.tars import read_tar
from sandbox.limits import MIB, Limits
from sandbox.runtimes import OUTPUT, PRODUCTS, BuildLimits
from sandbox.spec import Labels, SandboxSpec

# 49152 characters of base64 are whole bytes, and a line well below the protocol's longest.
_SCRIPT: Final = f"""\
mkdir {OUTPUT} || exit
"$@" </dev/null >&2; status=$?
if [ $status -eq 0 ]; then tar -C {OUTPUT} -cf {OUTPUT}.tar . && base64 -w 49152 {OUTPUT}.tar; status=$?; fi
echo "status $status"
"""

_LAST_WORDS_SECONDS: Final = 2.0


@dataclass(frozen=True, slots=True)
class BuildReport:
    """How a build went.

    ``log`` is what the compiler said, made printable, its middle left out when it was long; ``reason`` says in
    plain words why there is no program ("" when there is one); ``output`` is the program's folder, to be mounted
    for every match; ``seconds`` is wall time.
    """

    ok: bool
    log: str
    output: Path | None
    reason: str = ""
    seconds: float = 0.0


class _NotBuilt(Exception):
    """The build failed through its author's doing; the message is the report's reason."""


def build(
    sandbox: Sandbox,
    bundle: Bundle,
    folder: Path,
    *,
    limits: BuildLimits | None = None,
    labels: Labels | None = None,
) -> BuildReport:
    """Build ``bundle`` into ``folder``, which is made, or must be empty, and is gone again after a failure.

    The folder then holds the bundle's files and, for a compiled language, ``.build/`` with what was made of them.
    ``limits`` are the language's unless given.

    Raises FileExistsError when something lies in ``folder``, and HostFault when the host failed, not the author.
    """
    runtime = bundle.manifest.runtime
    allowed = limits or runtime.build
    bundle.extract(folder)
    reason = ""
    started = time.monotonic()
    try:
        session = sandbox.start(_spec(bundle, folder, allowed, labels or Labels()))
        try:
            made = _listen(session, started + allowed.seconds, allowed)
            if runtime.compiled:
                write_files(_unpack(made, allowed), folder / PRODUCTS)
        except _NotBuilt as failure:
            reason = str(failure)
        finally:
            # Docker brings stdout and stderr by two ways: the log's end may come after the output's.
            report = session.stop(time.monotonic() + _LAST_WORDS_SECONDS)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    if reason and report.oom:
        reason = f"it needed more than {allowed.memory_bytes // MIB} MiB of memory"
    if reason:
        shutil.rmtree(folder)
    return BuildReport(
        ok=not reason,
        log=_log(report),
        output=None if reason else folder,
        reason=reason,
        seconds=time.monotonic() - started,
    )


def _spec(bundle: Bundle, folder: Path, allowed: BuildLimits, labels: Labels) -> SandboxSpec:
    runtime = bundle.manifest.runtime
    limits = Limits(
        memory_bytes=allowed.memory_bytes,
        pids=allowed.pids,
        cpus=allowed.cpus,
        cpu_seconds=int(allowed.cpus * allowed.seconds) + 1,
        file_locks=True,
        file_bytes=2 * allowed.output_bytes,
        open_files=1024,
        tmp_bytes=allowed.tmp_bytes,
        tmp_inodes=allowed.tmp_inodes,
        stdout_bytes=2 * allowed.output_bytes,
    )
    argv = ("sh", "-c", _SCRIPT, "sh", *runtime.compile_argv(bundle.manifest.entry, bundle.files))
    return SandboxSpec(runtime=runtime, folder=folder, argv=argv, limits=limits, env=runtime.build_env, labels=labels)


def _listen(session: Player, deadline: float, allowed: BuildLimits) -> bytes:
    """Return the archive of what the compiler made."""
    parts: list[bytes] = []
    try:
        while not (line := session.receive(deadline)).startswith(b"status "):
            parts.append(binascii.a2b_base64(line, strict_mode=True))
        status = int(line.removeprefix(b"status "))
    except Timeout as late:
        raise _NotBuilt(f"it was stopped after {allowed.seconds:g} s") from late
    except OutputLimit as flood:
        raise _NotBuilt(_too_large(allowed)) from flood
    except PlayerFault as gone:
        raise _NotBuilt("it ended before its output could be read") from gone
    except ValueError as garbled:
        raise _NotBuilt("something else than the compiler's output came out of it") from garbled
    if status - 128 in signal.valid_signals():  # a shell's way to say that a signal ended it
        raise _NotBuilt(f"the compiler was stopped by the system: {signal.strsignal(status - 128)}; see its log")
    if status:
        raise _NotBuilt(f"the compiler ended with status {status}; see its log")
    return b"".join(parts)


def _unpack(tar: bytes, allowed: BuildLimits) -> Mapping[str, bytes]:
    # Nothing is compressed here, so no ratio is of interest.
    limits = BundleLimits(unpacked_bytes=allowed.output_bytes, files=allowed.output_files, ratio=1000)
    try:
        products = plain_files(read_tar(tar, limits), limits)
    except BundleError as error:
        raise _NotBuilt(f"what the compiler made is refused: {error.where}: {error.what}") from error
    if not products:
        raise _NotBuilt("the compiler made nothing")
    return products


def _too_large(allowed: BuildLimits) -> str:
    return f"what the compiler made is larger than {allowed.output_bytes // MIB} MiB"


def _log(report: ExitReport) -> str:
    text = report.stderr.decode("utf-8", "replace")
    return "".join(c if c.isprintable() or c in "\n\t" else c.encode("unicode_escape").decode() for c in text)
