"""Which system calls a sandboxed process may make: one table, for every backend.

What is not named here is refused with EPERM. The refused include everything that reaches kernel
code a bot has no business in: mount, ptrace, process_vm_*, io_uring_*, userfaultfd, bpf, keyctl,
perf_event_open, kexec, module loading, memfd_secret, vmsplice, System V IPC, message queues,
new namespaces, choosing a processor (which could crowd out another bot), and sockets of every
family but AF_UNIX (network namespaces do not isolate AF_VSOCK, so a namespace would not do).
Also what two sandboxes that see the same file could tell each other by: locks (flock, fcntl),
inotify, and asking what the page cache holds (mincore, cachestat).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

AF_UNIX: Final = 1
NAMESPACE_FLAGS: Final = 0x7E02_0000
"""CLONE_NEWNS | NEWCGROUP | NEWUTS | NEWIPC | NEWUSER | NEWPID | NEWNET."""


@dataclass(frozen=True, slots=True)
class Condition:
    """Allow a call only when `argument & mask == value` (the argument's low 32 bits).

    The kernel reads these arguments as 32-bit integers, so the upper half cannot matter.
    """

    argument: int
    value: int
    mask: int = 0xFFFF_FFFF


ALLOWED: Final[dict[str, str]] = {
    "files": (
        "read write open openat openat2 creat close close_range stat fstat lstat newfstatat statx "
        "lseek pread64 pwrite64 readv writev preadv pwritev preadv2 pwritev2 access faccessat "
        "faccessat2 dup dup2 dup3 fsync fdatasync sync_file_range truncate ftruncate "
        "getdents getdents64 getcwd chdir fchdir rename renameat renameat2 mkdir mkdirat rmdir "
        "link linkat unlink unlinkat symlink symlinkat readlink readlinkat chmod fchmod fchmodat "
        "fchmodat2 chown fchown lchown fchownat umask utime utimes futimesat utimensat statfs "
        "fstatfs fallocate fadvise64 readahead sendfile copy_file_range splice tee ioctl "
        "getxattr lgetxattr fgetxattr listxattr llistxattr flistxattr memfd_create"
    ),
    "memory": (
        "mmap mprotect munmap brk mremap msync madvise mlock mlock2 munlock mlockall "
        "munlockall membarrier pkey_alloc pkey_free pkey_mprotect map_shadow_stack mseal"
    ),
    "signals": (
        "rt_sigaction rt_sigprocmask rt_sigreturn rt_sigpending rt_sigtimedwait rt_sigsuspend "
        "rt_sigqueueinfo rt_tgsigqueueinfo sigaltstack kill tkill tgkill signalfd signalfd4 "
        "pidfd_send_signal restart_syscall pause"
    ),
    "processes": (
        "fork vfork execve execveat exit exit_group wait4 waitid pidfd_open getpid gettid getppid "
        "getpgid getpgrp setpgid getsid setsid getuid geteuid getresuid getgid getegid getresgid "
        "getgroups capget prctl arch_prctl set_tid_address set_robust_list get_robust_list rseq "
        "getpriority setpriority sched_yield sched_getaffinity "
        "sched_getparam sched_setparam sched_getscheduler sched_setscheduler sched_getattr "
        "sched_setattr sched_get_priority_max sched_get_priority_min sched_rr_get_interval "
        "getrlimit setrlimit prlimit64 getrusage times getcpu sysinfo uname getrandom"
    ),
    "time": (
        "nanosleep clock_nanosleep clock_gettime clock_getres gettimeofday time alarm getitimer "
        "setitimer timer_create timer_settime timer_gettime timer_getoverrun timer_delete "
        "timerfd_create timerfd_settime timerfd_gettime"
    ),
    "waiting": (
        "futex futex_waitv futex_wake futex_wait futex_requeue eventfd eventfd2 poll ppoll select "
        "pselect6 epoll_create epoll_create1 epoll_ctl epoll_ctl_old epoll_wait epoll_wait_old "
        "epoll_pwait epoll_pwait2 pipe pipe2"
    ),
    "local sockets": (
        "connect bind listen accept accept4 getsockname getpeername sendto recvfrom sendmsg recvmsg "
        "sendmmsg recvmmsg shutdown getsockopt setsockopt"
    ),
}
"""Purpose to the calls that are always allowed."""

ALLOWED_IF: Final[dict[str, tuple[Condition, ...]]] = {
    "socket": (Condition(0, AF_UNIX),),
    "socketpair": (Condition(0, AF_UNIX),),
    "clone": (Condition(0, 0, NAMESPACE_FLAGS),),
    "fcntl": tuple([Condition(1, command) for command in (*range(5), *range(1030, 1035))]),
    "personality": (Condition(0, 0), Condition(0, 0xFFFF_FFFF)),
}
"""Calls that are allowed when any one of the conditions holds.

The commands of fcntl are those of the descriptor alone (F_DUPFD to F_SETFL, F_DUPFD_CLOEXEC, the
size of a pipe, seals); the others lock, lease or watch the file.
"""

LOCKS: Final = ("flock", "fcntl")
"""Compilers lock their caches, so a build may use these without a condition: it has nothing to tell."""

NOT_IMPLEMENTED: Final = ("clone3",)
"""Answered with ENOSYS: its flags lie in memory, where a filter cannot look; libc then uses clone."""


def allowed_names(*, locks: bool = False) -> tuple[str, ...]:
    """Every call that is always allowed, sorted; with `locks` those on files too."""
    names = [name for names in ALLOWED.values() for name in names.split()]
    return tuple(sorted([*names, *LOCKS] if locks else names))


def conditional(*, locks: bool = False) -> dict[str, tuple[Condition, ...]]:
    """Every call that is allowed on a condition."""
    return {name: conditions for name, conditions in ALLOWED_IF.items() if not (locks and name in LOCKS)}
