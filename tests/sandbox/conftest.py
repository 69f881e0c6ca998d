"""Fixtures for tests with real sandboxes."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from sandbox import packages
from sandbox.base import Sandbox
from sandbox.bubblewrap import BubblewrapSandbox
from sandbox.docker import DockerSandbox
from sandbox.runtimes import RUNTIMES, Runtime
from tests.docker_host.fixtures import DockerHost, docker_host

__all__ = ["docker_host"]

PYTHON_IMAGE = "durak-test/python:1"
PYTHON_DOCKERFILE = """\
FROM debian:12-slim
RUN apt-get update && apt-get install -y --no-install-recommends python3 && rm -rf /var/lib/apt/lists/*
"""


@pytest.fixture(scope="session")
def python_packages() -> Path:
    """The folder that Python bots import from."""
    return packages.prepare()


@pytest.fixture(scope="session")
def python_image(docker_host: DockerHost, tmp_path_factory: pytest.TempPathFactory) -> str:
    """A small image with Python and nothing of ours."""
    folder = tmp_path_factory.mktemp("image")
    (folder / "Dockerfile").write_text(PYTHON_DOCKERFILE)
    docker_host.build(folder, PYTHON_IMAGE)
    return PYTHON_IMAGE


@pytest.fixture(
    scope="module",
    params=[
        pytest.param("bubblewrap", marks=pytest.mark.xdist_group("bubblewrap")),
        pytest.param("docker", marks=[pytest.mark.docker, pytest.mark.xdist_group("docker")]),
    ],
)
def sandbox(request: pytest.FixtureRequest) -> Iterator[Sandbox]:
    """Each real backend in turn, with slots of its own and no containers held ahead."""
    with run_folder() as run:
        if request.param == "bubblewrap":
            request.getfixturevalue("python_packages")
            opened: Sandbox = BubblewrapSandbox(run)
        else:
            host: DockerHost = request.getfixturevalue("docker_host")
            request.getfixturevalue("python_image")
            opened = DockerSandbox(host.socket, run=run, pool_bytes=0)
        yield opened
        opened.close()


@pytest.fixture(scope="module")
def python(sandbox: Sandbox) -> Runtime:
    """The Python row, with the tests' image on Docker."""
    row = RUNTIMES["python"]
    return replace(row, image=PYTHON_IMAGE) if sandbox.name == "docker" else row


@contextmanager
def run_folder() -> Iterator[Path]:
    """A run folder that the slots' uids can reach, as the system's is (pytest's folders are private).

    Sandboxes opened meanwhile have uids that no other test process, nor an arena on this machine, gives.
    """
    with tempfile.TemporaryDirectory(prefix="durak-run-") as name, pytest.MonkeyPatch.context() as patch:
        patch.setenv("DURAK_SANDBOX_UID", str(200_000 + os.getpid() % 1_000 * 1_024))
        folder = Path(name)
        folder.chmod(0o755)
        yield folder
