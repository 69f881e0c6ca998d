"""Tries what would let two sandboxes that see the same file of the host tell each other something."""

import ctypes
import errno
import fcntl
import os
import platform

from honest import log, play, refused

SHARED = "/usr/bin/env"
libc = ctypes.CDLL(None, use_errno=True)
ARM = platform.machine() == "aarch64"
CALLS = {
    # name: (x86_64, aarch64, arguments)
    "inotify": (294, 26, (0,)),
    "cachestat": (451, 451, (0, 0, 0, 0)),
    "mincore": (27, 232, (0, 0, 0)),
}


def attack():
    file = os.open(SHARED, os.O_RDONLY)
    refused("flock", fcntl.flock, file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    refused("a record lock", fcntl.lockf, file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    refused("a lease", fcntl.fcntl, file, fcntl.F_SETLEASE, fcntl.F_RDLCK)
    refused("being told of changes", fcntl.fcntl, os.open("/usr", os.O_RDONLY), fcntl.F_NOTIFY, fcntl.DN_ACCESS)
    for name, (x86, arm, arguments) in CALLS.items():
        ctypes.set_errno(0)
        result = libc.syscall(arm if ARM else x86, *arguments)
        if result >= 0 or ctypes.get_errno() not in (errno.EPERM, errno.ENOSYS):
            log(f"ESCAPED: {name}: {result}, {errno.errorcode.get(ctypes.get_errno())}")
    log("all tried")


play(attack)
