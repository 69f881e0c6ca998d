"""Starting and ending a Docker daemon of our own, beside any that the machine may run."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

import docker

from tests.docker_host.runtimes import oci_runtimes

START_SECONDS = 60


class Daemon:
    """`folder` holds its data (kept: it is the cache of built images), `place` its sockets."""

    def __init__(self, folder: Path, place: Path) -> None:
        self.folder, self.place = folder, place
        self.socket = f"unix://{place}/docker.sock"
        self._pid_file = place / "docker.pid"

    @property
    def pid(self) -> int | None:
        """The running daemon's pid."""
        with contextlib.suppress(OSError, ValueError):
            pid = int(self._pid_file.read_text())
            if b"dockerd" in Path(f"/proc/{pid}/cmdline").read_bytes():
                return pid
        return None

    def answers(self) -> bool:
        with contextlib.suppress(Exception):
            client = docker.APIClient(self.socket, timeout=5)
            try:
                return bool(client.ping())
            finally:
                client.close()
        return False

    def start(self) -> None:
        """Start the daemon and wait until it answers.

        Raises:
            RuntimeError: Docker is not installed, we are not root, or it ended with its log's end.
        """
        dockerd = shutil.which("dockerd") or shutil.which("dockerd", path="/usr/sbin:/sbin")
        if os.geteuid() or not dockerd:
            raise RuntimeError("tests with Docker need root and `apt-get install docker.io`")
        for path in (self.folder, self.place):
            path.mkdir(parents=True, exist_ok=True)
        self._pid_file.unlink(missing_ok=True)
        (self.place / "daemon.json").write_text(json.dumps({"runtimes": oci_runtimes(self.place)}))
        log_path = self.folder / "dockerd.log"
        with log_path.open("wb") as log:
            process = subprocess.Popen(
                [
                    dockerd,
                    *("--config-file", str(self.place / "daemon.json")),
                    *("--data-root", str(self.folder / "data")),
                    *("--exec-root", str(self.place / "exec")),
                    *("--pidfile", str(self._pid_file)),
                    *("--host", self.socket),
                    *("--bridge", "none", "--iptables=false", "--ip6tables=false"),
                    *("--ip-masq=false", "--userland-proxy=false", "--log-level", "warn"),
                ],
                stdout=log,
                stderr=log,
                stdin=subprocess.DEVNULL,
                start_new_session=True,
            )
        until = time.monotonic() + START_SECONDS
        while not self.answers():
            if process.poll() is not None or time.monotonic() > until:
                process.kill()
                raise RuntimeError(f"dockerd did not start:\n{log_path.read_text()[-3000:]}")
            time.sleep(0.1)

    def stop(self, seconds: float = 30) -> None:
        """End the daemon by its pid, with all that it and those before it left."""
        pid = self.pid
        if pid is not None:
            os.kill(pid, signal.SIGTERM)
            self._await_end(pid, seconds)
        self._clean()

    def kill(self) -> None:
        """End the daemon, and its containerd, without letting them clean up, as a crash would."""
        pid = self.pid
        if pid is not None:
            os.kill(pid, signal.SIGKILL)
            self._await_end(pid, 10)
        for pid in self._others("containerd "):
            os.kill(pid, signal.SIGKILL)
        for name in ("containerd.pid", "containerd.sock", "containerd.sock.ttrpc"):
            (self.place / "exec" / "containerd" / name).unlink(missing_ok=True)

    def _clean(self) -> None:
        """End what a killed daemon left running, and unmount what every daemon leaves mounted."""
        for pid in self._others(""):
            os.kill(pid, signal.SIGKILL)
        mounts = [line.split()[4] for line in Path("/proc/self/mountinfo").read_text().splitlines()]
        for mount in sorted(mounts, reverse=True):
            if Path(mount).is_relative_to(self.folder) or Path(mount).is_relative_to(self.place):
                subprocess.run(["umount", "-l", mount], check=True)

    def _others(self, word: str) -> list[int]:
        """Processes other than dockerd that were started for this daemon."""
        found = []
        for path in Path("/proc").glob("[0-9]*/cmdline"):
            with contextlib.suppress(OSError):
                line = path.read_bytes().replace(b"\0", b" ").decode(errors="replace")
                if f"{self.place}/exec" in line and word in line:
                    found.append(int(path.parent.name))
        return found

    def _await_end(self, pid: int, seconds: float) -> None:
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            with contextlib.suppress(ChildProcessError):
                os.waitpid(pid, os.WNOHANG)
            if self.pid != pid:
                return
            time.sleep(0.02)
        raise RuntimeError(f"dockerd {pid} did not end in {seconds} s")
