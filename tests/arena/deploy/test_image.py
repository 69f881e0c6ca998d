"""The image, built on a local Debian base and asked what it is."""

from __future__ import annotations

from pathlib import Path

import pytest

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


def run(host: DockerHost, *argv: str) -> tuple[int, str]:
    """Run a command in the image, without a network; returns its status and its output."""
    client = host.client()
    try:
        container = client.create_container(
            TAG,
            command=list(argv),
            environment=ENVIRONMENT,
            host_config=client.create_host_config(network_mode="none", read_only=True, tmpfs={"/tmp": ""}),
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
    assert output.startswith("10001"), output
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
    _, output = run(image, "sh", "-c", "ls -A /srv/arena; find / -xdev -name '.env' -o -xdev -name '.git'")
    assert set(output.split()) == {"arena", "docs", "manage.py", "templates"}
