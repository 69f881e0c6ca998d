"""The BPF program, run by a small interpreter here, gives every call the answer of the table."""

from __future__ import annotations

import errno
import fcntl
import json
import re
import struct
from pathlib import Path

import pytest

from sandbox.seccomp import bpf, filter_bytes, profile_text
from sandbox.seccomp.numbers import ARCHITECTURES, HIGHEST_KNOWN, NUMBERS
from sandbox.seccomp.policy import ALLOWED, ALLOWED_IF, NAMESPACE_FLAGS, NOT_IMPLEMENTED, allowed_names

EPERM, ENOSYS = bpf.ERRNO | errno.EPERM, bpf.ERRNO | errno.ENOSYS
NEVER = [
    "ptrace",
    "process_vm_readv",
    "process_vm_writev",
    "io_uring_setup",
    "io_uring_enter",
    "io_uring_register",
    "userfaultfd",
    "bpf",
    "keyctl",
    "add_key",
    "request_key",
    "perf_event_open",
    "kexec_load",
    "kexec_file_load",
    "memfd_secret",
    "vmsplice",
    "mount",
    "umount2",
    "pivot_root",
    "chroot",
    "unshare",
    "setns",
    "init_module",
    "finit_module",
    "delete_module",
    "reboot",
    "swapon",
    "setuid",
    "setresuid",
    "setgid",
    "open_by_handle_at",
    "fanotify_init",
    "syslog",
    "clock_settime",
    "settimeofday",
    "sethostname",
    "quotactl",
    "acct",
    "mknodat",
    "shmget",
    "semget",
    "msgget",
    "mq_open",
    "sync",
    "pidfd_getfd",
    "seccomp",
    "kcmp",
    "move_mount",
    "fsopen",
    "open_tree",
    "fsmount",
    "flock",
    "inotify_init1",
    "mincore",
    "cachestat",
]


def run(program: bytes, data: bytes) -> int:
    """Interpret a filter over one `struct seccomp_data`."""
    instructions = [struct.unpack_from("=HBBI", program, at) for at in range(0, len(program), 8)]
    accumulator, counter = 0, 0
    for _ in range(200):
        code, yes, no, k = instructions[counter]
        counter += 1
        if code == bpf.LOAD:
            accumulator = struct.unpack_from("=I", data, k)[0]
        elif code == bpf.AND:
            accumulator &= k
        elif code == bpf.JUMP:
            counter += k
        elif code == bpf.JUMP_EQUAL:
            counter += yes if accumulator == k else no
        elif code == bpf.JUMP_AT_LEAST:
            counter += yes if accumulator >= k else no
        elif code == bpf.RETURN:
            return k
        else:
            raise AssertionError(f"unknown instruction {code:#x}")
    raise AssertionError("the filter does not end")


def call(machine: str, number: int, *arguments: int, locks: bool = False) -> int:
    words = [*arguments, *[0] * (6 - len(arguments))]
    data = struct.pack("=IIQ6Q", number, bpf.AUDIT_ARCHITECTURE[machine], 0, *words)
    return run(filter_bytes(machine, locks=locks), data)


@pytest.mark.parametrize("machine", ARCHITECTURES)
def test_every_call_of_the_table_gets_the_answer_of_the_policy(machine: str) -> None:
    allowed = set(allowed_names())
    for name, number in NUMBERS[machine].items():
        if name in allowed:
            assert call(machine, number) == bpf.ALLOW, name
        elif name in NOT_IMPLEMENTED:
            assert call(machine, number) == ENOSYS, name
        elif name not in ALLOWED_IF:
            assert call(machine, number) == EPERM, name


@pytest.mark.parametrize("machine", ARCHITECTURES)
@pytest.mark.parametrize("name", NEVER)
def test_a_dangerous_call_is_refused(machine: str, name: str) -> None:
    number = NUMBERS[machine][name]
    assert call(machine, number) == EPERM


@pytest.mark.parametrize("machine", ARCHITECTURES)
def test_only_a_build_may_lock_files(machine: str) -> None:
    flock, control = NUMBERS[machine]["flock"], NUMBERS[machine]["fcntl"]
    assert call(machine, flock) == EPERM
    assert call(machine, flock, locks=True) == bpf.ALLOW
    of_a_descriptor = {fcntl.F_DUPFD, fcntl.F_GETFD, fcntl.F_SETFD, fcntl.F_GETFL, fcntl.F_SETFL}
    of_a_descriptor |= {fcntl.F_DUPFD_CLOEXEC, fcntl.F_GETPIPE_SZ, fcntl.F_SETPIPE_SZ}
    of_a_descriptor |= {fcntl.F_ADD_SEALS, fcntl.F_GET_SEALS}
    for name, command in vars(fcntl).items():
        if name.startswith("F_") and name not in {"F_RDLCK", "F_WRLCK", "F_UNLCK", "F_EXLCK", "F_SHLCK"}:
            if not name.startswith("F_SEAL_"):
                expected = bpf.ALLOW if command in of_a_descriptor else EPERM
                assert call(machine, control, 0, command) == expected, name
            assert call(machine, control, 0, command, locks=True) == bpf.ALLOW


@pytest.mark.parametrize("machine", ARCHITECTURES)
def test_calls_newer_than_the_table_look_as_if_the_kernel_were_older(machine: str) -> None:
    for number in (HIGHEST_KNOWN + 1, 500, 1000, 0x3FFF_FFFF):
        assert call(machine, number) == ENOSYS


def test_the_second_call_table_of_x86_64_is_fatal() -> None:
    for number in (0x4000_0000, 0x4000_0000 | NUMBERS["x86_64"]["ptrace"], 0xFFFF_FFFF):
        assert call("x86_64", number) == bpf.KILL_PROCESS


@pytest.mark.parametrize("machine", ARCHITECTURES)
def test_a_call_of_another_architecture_is_fatal(machine: str) -> None:
    for architecture in (0x4000_0003, 0, *(set(bpf.AUDIT_ARCHITECTURE.values()) - {bpf.AUDIT_ARCHITECTURE[machine]})):
        data = struct.pack("=IIQ6Q", NUMBERS[machine]["read"], architecture, 0, *[0] * 6)
        assert run(filter_bytes(machine), data) == bpf.KILL_PROCESS


@pytest.mark.parametrize("machine", ARCHITECTURES)
@pytest.mark.parametrize(
    ("family", "allowed"), [(1, True), (2, False), (10, False), (16, False), (17, False), (40, False)]
)
def test_only_local_sockets_can_be_made(machine: str, family: int, allowed: bool) -> None:
    expected = bpf.ALLOW if allowed else EPERM
    assert call(machine, NUMBERS[machine]["socket"], family, 1, 0) == expected
    assert call(machine, NUMBERS[machine]["socketpair"], family, 1, 0) == expected
    # The kernel looks at the low half only, and so must the filter.
    assert call(machine, NUMBERS[machine]["socket"], family | 1 << 40, 1, 0) == expected


@pytest.mark.parametrize("machine", ARCHITECTURES)
def test_clone_makes_threads_and_processes_but_no_namespaces(machine: str) -> None:
    number = NUMBERS[machine]["clone"]
    assert call(machine, number, 0x003D_0F00) == bpf.ALLOW  # what pthread_create passes
    assert call(machine, number, 0x0120_0011) == bpf.ALLOW  # what fork passes
    for bit in range(32):
        if NAMESPACE_FLAGS >> bit & 1:
            assert call(machine, number, 1 << bit | 17) == EPERM


@pytest.mark.parametrize("own_kernel", [False, True], ids=["host's kernel", "gVisor"])
def test_the_two_forms_of_the_policy_name_the_same_calls(*, own_kernel: bool) -> None:
    for machine in ARCHITECTURES:
        profile = json.loads(profile_text(machine, own_kernel=own_kernel))
        by_action: dict[str, set[str]] = {}
        for rule in profile["syscalls"]:
            if rule["args"]:
                assert rule["names"][0] in ALLOWED_IF
            else:
                by_action.setdefault(rule["action"], set()).update(rule["names"])
        assert by_action == {
            "SCMP_ACT_ALLOW": set(allowed_names()),
            "SCMP_ACT_TRACE" if own_kernel else "SCMP_ACT_ERRNO": set(NOT_IMPLEMENTED),
        }
        assert profile["defaultAction"] == "SCMP_ACT_ERRNO"
        assert len(profile["architectures"]) == 1


def test_every_name_in_the_policy_is_a_call_of_some_architecture() -> None:
    known = set().union(*NUMBERS.values())
    assert {*allowed_names(), *ALLOWED_IF, *NOT_IMPLEMENTED} <= known
    assert len(allowed_names()) == len(set(allowed_names())) == sum(len(names.split()) for names in ALLOWED.values())


def test_the_numbers_are_those_of_the_kernels_headers() -> None:
    header = Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h")
    if not header.exists():
        pytest.skip("the kernel's headers are not installed (linux-libc-dev)")
    theirs = {name: int(number) for name, number in re.findall(r"#define __NR_(\w+) (\d+)", header.read_text())}
    ours = NUMBERS["x86_64"]
    assert {name: ours[name] for name in theirs if theirs[name] <= HIGHEST_KNOWN} == {
        name: number for name, number in theirs.items() if number <= HIGHEST_KNOWN
    }


def test_the_filter_is_short_and_shallow() -> None:
    for machine in ARCHITECTURES:
        assert len(filter_bytes(machine)) // 8 < 1000  # the kernel takes 4096 instructions
