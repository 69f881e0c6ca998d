"""The real backends, each with every language that it has here."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from sandbox import Sandbox
from sandbox.bubblewrap import BubblewrapSandbox
from sandbox.docker import DockerSandbox
from sandbox.images import build_image
from sandbox.packages import prepare
from sandbox.runtimes import RUNTIMES, Runtime, missing_packages
from tests.docker_host.fixtures import DockerHost
from tests.sandbox.conftest import run_folder


@pytest.fixture(scope="session")
def bubblewrap() -> Iterator[Sandbox]:
    with run_folder() as run:
        yield BubblewrapSandbox(run)


@pytest.fixture(scope="session")
def docker(docker_host: DockerHost) -> Iterator[Sandbox]:
    with run_folder() as run:
        sandbox = DockerSandbox(docker_host.socket, run=run, pool_bytes=0)
        yield sandbox
        sandbox.close()


@pytest.fixture
def runtime(request: pytest.FixtureRequest, language: str) -> Runtime:
    return RUNTIMES[language]


@pytest.fixture(params=["bubblewrap", pytest.param("docker", marks=pytest.mark.docker)])
def sandbox(request: pytest.FixtureRequest, runtime: Runtime) -> Sandbox:
    """A backend that can run ``runtime``."""
    if request.param == "bubblewrap":
        if missing := missing_packages(runtime):
            pytest.skip(f"this host has no {runtime.title}: apt-get install {' '.join(missing)}")
        if runtime.libraries:
            prepare()
        return request.getfixturevalue("bubblewrap")
    _build(request.getfixturevalue("docker_host"), runtime)
    return request.getfixturevalue("docker")


@pytest.fixture
def python_ready(sandbox: Sandbox, request: pytest.FixtureRequest) -> None:
    """Python runs too in the backend of ``sandbox``."""
    prepare()
    if sandbox.name == "docker":
        _build(request.getfixturevalue("docker_host"), RUNTIMES["python"])


@pytest.fixture
def template(runtime: Runtime) -> Path:
    return runtime.folder / "template"


def _build(docker_host: DockerHost, runtime: Runtime) -> None:
    client = docker_host.client()
    try:
        with docker_host.lock(f"image-{runtime.name}"):
            build_image(client, runtime, network="host")
    finally:
        client.close()
