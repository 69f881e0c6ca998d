"""Where control groups are of version 1: the tests of version 2, in a kernel that runs as a program of ours.

User-mode Linux has the host's files as its root, read-only, and version 2 alone.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.sandbox import test_unified_groups

REPOSITORY = Path(__file__).parents[2]
INIT = """\
#!/bin/sh
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t tmpfs tmpfs /run
mount -t cgroup2 cgroup2 /sys/fs/cgroup
mkdir -p /dev/shm /dev/pts
mount -t tmpfs -o mode=1777 tmpfs /dev/shm
mount -t devpts devpts /dev/pts
mkdir -m 1777 /run/tmp
export TMPDIR=/run/tmp HOME=/run PATH=/usr/sbin:/usr/bin:/sbin:/bin PYTHONDONTWRITEBYTECODE=1
cd {repository}
{python} -m pytest -q -p no:cacheprovider -p no:randomly {tests}
echo "exit code $?"
echo o >/proc/sysrq-trigger
sleep 60
"""


@pytest.mark.alone
@pytest.mark.slow
@pytest.mark.skipif(test_unified_groups.is_unified(), reason="this host's own control groups are of version 2")
def test_version_2_of_control_groups_holds_too(tmp_path: Path) -> None:
    kernel = shutil.which("linux.uml")
    assert kernel, "apt-get install user-mode-linux"
    init = tmp_path / "init"
    init.write_text(INIT.format(repository=REPOSITORY, python=sys.executable, tests=test_unified_groups.__file__))
    init.chmod(0o755)
    done = subprocess.run(
        [
            *(kernel, "mem=2048M", "ro", "root=/dev/root", "rootfstype=hostfs", "rootflags=/", f"init={init}"),
            *("con=null", "con0=fd:0,fd:1", "quiet"),
        ],
        cwd=tmp_path,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=280,
        check=False,
    )
    assert "exit code 0" in done.stdout, done.stdout[-6000:]
    passed = re.search(r"(\d+) passed", done.stdout)
    assert passed, done.stdout[-2000:]
    assert int(passed[1]) >= 7
    assert "skipped" not in done.stdout
