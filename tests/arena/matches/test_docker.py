"""The worker's way with the other backend: a Docker daemon of our own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from arena.bots import leases
from arena.bots.builds import build_next
from arena.bots.hosts import host_probe, sandbox_close
from arena.bots.models import BotVersion, Host
from arena.bots.services import version_upload
from arena.matches.selectors import validation_match
from arena.matches.verify import match_verify
from sandbox.images import build_image
from sandbox.packages import prepare
from sandbox.runtimes import RUNTIMES
from tests.arena.factories import bot_make, bot_zip
from tests.arena.matches.conftest import play_until_it_counts
from tests.docker_host.fixtures import DockerHost, docker_host

__all__ = ["docker_host"]

pytestmark = [pytest.mark.django_db, pytest.mark.docker, pytest.mark.slow]


@pytest.fixture
def on_docker(docker_host: DockerHost, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Host]:
    """This host as a worker host whose sandbox is Docker."""
    prepare()
    client = docker_host.client()
    with docker_host.lock("image-python"):
        build_image(client, RUNTIMES["python"], network="host")
    client.close()
    monkeypatch.setenv("DOCKER_HOST", docker_host.socket)
    settings.SANDBOX_BACKEND = "docker"
    settings.MATCH_LEASE_SECONDS = settings.BUILD_LEASE_SECONDS = 600
    monkeypatch.setattr(leases, "OFTEN_SECONDS", 600)
    sandbox_close()
    yield host_probe()
    sandbox_close()


def test_a_bot_is_built_and_validated_in_docker_containers(on_docker: Host) -> None:
    assert (on_docker.backend, on_docker.ok, on_docker.reason) == ("docker", True, "")
    bot = bot_make()
    version, _ = version_upload(bot=bot, by=bot.owner, data=bot_zip(seats=(2,)))
    assert build_next()
    play_until_it_counts()
    version.refresh_from_db()
    assert (version.state, version.reason) == (BotVersion.State.READY, "")
    match = validation_match(version.pk)
    assert match is not None
    assert match.attempts.last().host["backend"] == "docker"
    assert match_verify(match).problems == ()
