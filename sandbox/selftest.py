"""Runs inside a sandbox, tries to get out, and prints what happened: one JSON list a line.

Each line is `[name of the control, held, what was seen]`. It is copied into a program folder by
`sandbox.probe`; the standard library is all that it has.
"""

# ruff: noqa: D103, PTH108, PTH110, PTH112, PTH123, PTH207, PTH208, S108 - checks explain themselves by name
from __future__ import annotations

import contextlib
import ctypes
import errno
import glob
import json
import os
import platform
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

PR_GET_NO_NEW_PRIVS = 39
QUOTA_SLACK = 1.6
X86, ARM = "x86_64", "aarch64"
FORBIDDEN_CALLS = {
    "ptrace": {X86: 101, ARM: 117},
    "unshare": {X86: 272, ARM: 97},
    "mount": {X86: 165, ARM: 40},
    "bpf": {X86: 321, ARM: 280},
    "keyctl": {X86: 250, ARM: 219},
    "perf_event_open": {X86: 298, ARM: 241},
    "userfaultfd": {X86: 323, ARM: 282},
    "io_uring_setup": {X86: 425, ARM: 425},
    "memfd_secret": {X86: 447, ARM: 447},
    "kexec_load": {X86: 246, ARM: 104},
    "process_vm_readv": {X86: 310, ARM: 270},
}
WRITABLE = ("/", "/usr", "/bot", "/etc", "/dev", "/proc/sys/kernel", "/sys")
PRIVATE = ("/etc/shadow", "/root")
KNOWN_DEVICES = {
    "core", "console", "fd", "full", "mqueue", "null", "ptmx", "pts", "random", "shm", "stderr",
    "stdin", "stdout", "tty", "urandom", "zero",
}  # fmt: skip

Seen = tuple[bool, str]


def identity() -> Seen:
    ids = {*os.getresuid(), *os.getresgid(), *os.getgroups()}
    return 0 not in ids, f"uid {os.getuid()}"


def privileges() -> Seen:
    status = _status()
    gained = int(status["CapEff"], 16) | int(status["CapPrm"], 16) | int(status["CapBnd"], 16)
    # Asked of the kernel: gVisor's /proc does not tell.
    no_new_privs = ctypes.CDLL(None).prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0)
    return no_new_privs == 1 and gained == 0, f"no_new_privs {no_new_privs}, capabilities {gained:#x}"


def system_calls() -> Seen:
    if _status()["Seccomp"] != "2":
        # Some of the calls would harm the test itself.
        return False, "no filter is installed"
    libc = ctypes.CDLL(None, use_errno=True)
    let_through = []
    for name, numbers in FORBIDDEN_CALLS.items():
        ctypes.set_errno(0)
        # Arguments that the kernel itself would refuse otherwise than the filter does.
        result = libc.syscall(numbers[platform.machine()], 0, 0, 0, 0, 0)
        if result >= 0 or ctypes.get_errno() != errno.EPERM:
            let_through.append(name)
    return not let_through, f"let through: {', '.join(let_through)}" if let_through else "filtered"


def network() -> Seen:
    opened = []
    for family in ("AF_INET", "AF_INET6", "AF_VSOCK", "AF_NETLINK", "AF_PACKET", "AF_ALG"):
        with contextlib.suppress(OSError):
            kind = socket.SOCK_RAW if family in {"AF_NETLINK", "AF_PACKET"} else socket.SOCK_STREAM
            socket.socket(getattr(socket, family), kind).close()
            opened.append(family)
    with open("/proc/self/net/dev") as file:
        devices = {line.split(":")[0].strip() for line in file.readlines()[2:]} - {"lo"}
    # The kernel gives every new namespace some tunnel devices that lead nowhere.
    devices -= {"tunl0", "sit0", "gre0", "gretap0", "erspan0", "ip_vti0", "ip6_vti0", "ip6tnl0", "ip6gre0"}
    problems = [*opened, *sorted(devices)]
    return not problems, f"open: {', '.join(problems)}" if problems else "only AF_UNIX, no devices"


def read_only() -> Seen:
    written = []
    for folder in WRITABLE:
        with contextlib.suppress(OSError), open(f"{folder}/probe", "w") as file:
            file.write("x")
            written.append(folder)
    with contextlib.suppress(OSError), open("/proc/sys/kernel/core_pattern", "w"):
        written.append("core_pattern")
    return not written, f"written: {', '.join(written)}" if written else "root and code read-only"


def host_hidden() -> Seen:
    marker, secret = os.environ["PROBE_FILE"], os.environ["PROBE_SECRET"]
    found = [marker] if os.path.exists(marker) else []
    found += [path for path in PRIVATE if _tells(path)]
    for path in glob.glob("/proc/[0-9]*/environ"):
        with contextlib.suppress(OSError), open(path, "rb") as file:
            text = file.read()
            # Ours carries the name on purpose; the host's has another value to give away.
            if secret[::-1].encode() in text:
                found.append(path)
    processes = len(glob.glob("/proc/[0-9]*"))
    if processes > 6:
        found.append(f"{processes} processes")
    devices = set(os.listdir("/dev")) - KNOWN_DEVICES - set(os.environ["PROBE_DEVICES"].split())
    if devices:
        found.append(f"devices {', '.join(sorted(devices))}")
    return not found, f"visible: {'; '.join(found)}" if found else "files, processes, environment"


def scratch_space() -> Seen:
    return _fills("/tmp/fill", int(os.environ["PROBE_TMP"]))


def shared_memory() -> Seen:
    return _fills("/dev/shm/fill", int(os.environ["PROBE_SHM"]))


def file_size() -> Seen:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    limit = int(os.environ["PROBE_FILE_BYTES"])
    try:
        with open("/tmp/large", "wb") as file:
            file.truncate(limit + 1)
    except OSError as error:
        return error.errno == errno.EFBIG, f"stopped at {limit} bytes"
    finally:
        with contextlib.suppress(OSError):
            os.unlink("/tmp/large")
    return False, f"a file grew beyond {limit} bytes"


def descriptors() -> Seen:
    opened: list[int] = []
    limit = int(os.environ["PROBE_FILES"])
    try:
        while len(opened) <= limit:
            opened.append(os.open("/dev/null", os.O_RDONLY))
    except OSError:
        return True, f"stopped after {len(opened)}"
    finally:
        for fd in opened:
            os.close(fd)
    return False, f"{len(opened)} were opened"


def processes() -> Seen:
    children: list[int] = []
    limit = int(os.environ["PROBE_PIDS"])
    try:
        while len(children) <= limit:
            child = os.fork()
            if child == 0:
                signal.pause()
            children.append(child)
    except OSError:
        return True, f"stopped after {len(children) + 1}"
    finally:
        for child in children:
            os.kill(child, signal.SIGKILL)
        for child in children:
            os.waitpid(child, 0)
    return False, f"{len(children)} were started"


def processor() -> Seen:
    """Spin in two processes for a while: their time together must stay below the quota."""
    quota, wall = float(os.environ["PROBE_CPUS"]), 0.5
    spin(wall)
    times = os.times()
    used = (times.user + times.system + times.children_user + times.children_system) / wall
    return used < quota * QUOTA_SLACK, f"{used:.2f} of {quota:.2f} cores were had"


CHECKS: dict[str, Callable[[], Seen]] = {
    "identity": identity,
    "privileges": privileges,
    "system calls": system_calls,
    "network": network,
    "read-only": read_only,
    "host hidden": host_hidden,
    "scratch space": scratch_space,
    "shared memory": shared_memory,
    "file size": file_size,
    "descriptors": descriptors,
    "processes": processes,
    "processor": processor,
}


def spin(wall: float) -> None:
    """Keep two processes busy for some seconds."""
    child = os.fork()
    until = time.monotonic() + wall
    while time.monotonic() < until:
        pass
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)


def eat_memory() -> None:
    """Touch memory until something stops it."""
    kept = []
    while True:
        kept.append(b"x" * (1 << 20))


def _tells(path: str) -> bool:
    """Whether a place where a host keeps private things can be read, and holds anything."""
    with contextlib.suppress(OSError):
        if os.path.isdir(path):
            return bool(os.listdir(path))
        with open(path, "rb") as file:
            return bool(file.read(1))
    return False


def _status() -> dict[str, str]:
    with open("/proc/self/status") as file:
        return {key: value.strip() for key, _, value in (line.partition(":") for line in file)}


def _fills(path: str, size: int) -> Seen:
    written = 0
    try:
        with open(path, "wb", buffering=0) as file:
            for piece in _pieces(size + (1 << 20)):
                written += file.write(piece)
    except OSError as error:
        return error.errno in {errno.ENOSPC, errno.EROFS, errno.EFBIG}, f"full after {written} bytes"
    finally:
        with contextlib.suppress(OSError):
            os.unlink(path)
    return False, f"{written} bytes were written"


def _pieces(size: int) -> Iterator[bytes]:
    piece = b"x" * (1 << 16)
    for _ in range(0, size, len(piece)):
        yield piece


def main() -> None:
    """Run every check, or the one thing that ends the process."""
    if sys.argv[1:] == ["memory"]:
        eat_memory()
    if sys.argv[1:] == ["processor"]:
        spin(2.0)
        print("done", flush=True)  # noqa: T201
        return
    for name, check in CHECKS.items():
        result: Any
        try:
            held, seen = check()
            result = [name, held, seen]
        except Exception as error:  # noqa: BLE001 - a check that cannot run holds nothing
            result = [name, False, f"the check failed: {type(error).__name__}: {error}"]
        print(json.dumps(result), flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
