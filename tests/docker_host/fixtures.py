"""The `docker_host` fixture: one daemon for all test processes of a run."""

from __future__ import annotations

import fcntl
import hashlib
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import docker
import pytest

from tests.docker_host.base_image import TAG, base_tarball
from tests.docker_host.daemon import Daemon

REPOSITORY = Path(__file__).parents[2]


@dataclass
class DockerHost:
    """A daemon that answers on `socket`, with the base image imported."""

    daemon: Daemon
    folder: Path

    @property
    def socket(self) -> str:
        """The address, as `DOCKER_HOST` has it."""
        return self.daemon.socket

    def client(self) -> docker.APIClient:
        """A new client; the caller closes it."""
        return docker.APIClient(self.socket, timeout=600)

    def build(self, folder: Path, tag: str, *, dockerfile: str = "Dockerfile", **args: str) -> None:
        """Build an image from a context folder; steps that did not change come from the cache.

        Raises:
            RuntimeError: a step failed; the message ends with its output.
        """
        output: list[str] = []
        with self.lock(f"build-{tag.replace('/', '-')}"):
            client = self.client()
            try:
                steps = client.build(
                    path=str(folder),
                    dockerfile=dockerfile,
                    tag=tag,
                    network_mode="host",
                    rm=True,
                    forcerm=True,
                    decode=True,
                    buildargs=args,
                )
                for step in steps:
                    output.append(str(step.get("stream", "")))
                    if "error" in step:
                        raise RuntimeError("".join(output)[-4000:] + step["error"])
            finally:
                client.close()

    def has_image(self, tag: str) -> bool:
        client = self.client()
        try:
            return bool(client.images(tag))
        finally:
            client.close()

    @contextmanager
    def lock(self, name: str, mode: int = fcntl.LOCK_EX) -> Iterator[None]:
        """A lock shared by all test processes."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with (self.folder / f"{name}.lock").open("a") as file:
            fcntl.flock(file, mode)
            yield


def cache_folder() -> Path:
    """Where the base image and the daemon's data are kept between runs."""
    given = os.environ.get("DURAK_TEST_CACHE")
    return (Path(given) if given else REPOSITORY / ".cache") / "docker-host"


@contextmanager
def running_docker_host() -> Iterator[DockerHost]:
    """Share one daemon: the first user starts it, the last one ends it."""
    folder = cache_folder()
    # Sockets need a short path; the name is the same for every process of this checkout.
    name = hashlib.sha256(str(folder).encode()).hexdigest()[:10]
    host = DockerHost(Daemon(folder, Path(tempfile.gettempdir()) / f"durak-docker-{name}"), folder)
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "users.lock").open("a") as users:
        with host.lock("start"):
            fcntl.flock(users, fcntl.LOCK_SH)
            if not host.daemon.answers():
                host.daemon.start()
            _import_base(host)
        try:
            yield host
        finally:
            with host.lock("start"):
                fcntl.flock(users, fcntl.LOCK_UN)
                if _nobody_else(users):
                    host.daemon.stop()


def _nobody_else(users: Any) -> bool:
    try:
        fcntl.flock(users, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _import_base(host: DockerHost) -> None:
    tarball = base_tarball(host.folder)
    client = host.client()
    try:
        mark = f"{tarball.name}"
        images = client.images(":".join(TAG), filters={"label": f"made-from={mark}"})
        if not images:
            client.import_image(
                src=str(tarball),
                repository=TAG[0],
                tag=TAG[1],
                changes=[f"LABEL made-from={mark}", 'CMD ["/bin/sh"]'],
            )
    finally:
        client.close()


@pytest.fixture(scope="session")
def docker_host() -> Iterator[DockerHost]:
    """A Docker daemon of the tests' own, with `debian:12-slim`."""
    with running_docker_host() as host:
        yield host
