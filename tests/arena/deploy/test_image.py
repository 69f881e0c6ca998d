"""The image, built on a local Debian base and asked what it is."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sandbox.images import build_image
from sandbox.runtimes import RUNTIMES
from tests.docker_host.fixtures import DockerHost

ROOT = Path(__file__).parents[3]
TAG = "durak-arena:test"
ENVIRONMENT = {
    "ARENA_SECRET_KEY": "a-key-of-more-than-fifty-characters-with-enough-different-ones-0123456789",
    "ARENA_HTTPS": "1",
    "ARENA_ALLOWED_HOSTS": "arena.example.org",
}

pytestmark = [pytest.mark.docker, pytest.mark.slow, pytest.mark.timeout(1800)]


@pytest.fixture(scope="module")
def image(docker_host: DockerHost) -> DockerHost:
    docker_host.build(ROOT, TAG)
    return docker_host


def run(host: DockerHost, *argv: str, environment: dict[str, str] | None = None, **options: Any) -> tuple[int, str]:
    """Run a command in the image, without a network; returns its status and its output."""
    client = host.client()
    try:
        container = client.create_container(
            TAG,
            command=list(argv),
            environment=ENVIRONMENT | (environment or {}),
            host_config=client.create_host_config(
                network_mode="none",
                read_only=True,
                tmpfs={"/tmp": ""},
                cap_drop=["ALL"],
                security_opt=["no-new-privileges:true"],
                **options,
            ),
        )
        try:
            client.start(container)
            status = client.wait(container)["StatusCode"]
            return status, client.logs(container).decode()
        finally:
            client.remove_container(container, force=True)
    finally:
        client.close()


def test_the_image_passes_djangos_deployment_checks(image):
    status, output = run(image, "python3", "manage.py", "check", "--deploy")
    assert status == 0, output
    assert "ERRORS" not in output


def test_the_game_in_the_image_is_compiled(image):
    status, output = run(image, "python3", "-c", "import bots_sdk.durak.state as state; print(state.__file__)")
    assert status == 0, output
    assert output.strip().endswith(".so")


def test_the_image_does_not_run_as_root_and_cannot_write_its_own_code(image):
    status, output = run(image, "sh", "-c", "id -u; touch /srv/arena/x /opt/arena/x; ls -ld /var/lib/arena")
    assert "10001" in output.split(), output
    assert "Read-only file system" in output or "Permission denied" in output
    assert status == 0


def test_the_image_has_the_workers_and_the_web_servers_commands(image):
    for argv in (["uvicorn", "--version"], ["celery", "-A", "arena.celery", "report"], ["durak", "--help"]):
        status, output = run(image, *argv)
        assert status == 0, output


def test_the_sources_of_the_arena_are_there_once(image):
    _, output = run(image, "python3", "-c", "import arena.settings as s; print(s.__file__, s.BASE_DIR)")
    assert output.split() == ["/srv/arena/arena/settings.py", "/srv/arena"]


def test_no_secret_and_no_data_folder_is_in_the_image(image):
    find = "find / -xdev '(' -name .env -o -name .git ')' 2>/dev/null"
    _, output = run(image, "sh", "-c", f"ls -A /srv/arena; {find}")
    assert set(output.split()) == {"arena", "docs", "manage.py", "templates"}


@pytest.fixture
def run_folder() -> Iterator[Path]:
    """A folder as compose's `sandbox-folder` leaves it: the worker's own, under a path that is short enough."""
    folder = Path(tempfile.mkdtemp(prefix="durak-run-"))
    os.chown(folder, 10001, 10001)
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


def test_a_worker_in_the_image_plays_in_containers_beside_it(image, run_folder):
    """It holds the host's socket, is not root, and its run folder has one path inside and outside."""
    client = image.client()
    try:
        with image.lock("image-python"):
            build_image(client, RUNTIMES["python"], network="host")
    finally:
        client.close()
    socket = Path(image.socket.removeprefix("unix://"))
    reference = "import pathlib, bots_sdk.reference as r; print(pathlib.Path(r.__file__).parent / 'lowest')"
    status, folder = run(image, "python3", "-c", reference)
    assert status == 0, folder
    status, output = run(
        image,
        *("python3", "-m", "sandbox", "run", "--backend", "docker", "-n", "1", folder.strip()),
        environment={"DURAK_SANDBOX_RUN": str(run_folder)},
        binds=[f"{socket}:/var/run/docker.sock", f"{run_folder}:{run_folder}"],
        group_add=[str(socket.stat().st_gid)],
    )
    assert status == 0, output
