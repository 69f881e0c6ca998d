"""The worker's way with the other backend: a Docker daemon of our own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from arena.bots import leases
from arena.bots.builds import build_next
from arena.bots.hosts import CANNOT_START, host_probe, sandbox_close
from arena.bots.models import BotVersion, Host
from arena.bots.services import version_upload
from arena.matches.models import Match
from arena.matches.play import play_next
from arena.matches.selectors import validation_match
from arena.matches.verify import match_verify
from sandbox.images import build_image
from sandbox.packages import prepare
from sandbox.runtimes import RUNTIMES
from tests.arena.factories import bot_make, bot_zip
from tests.arena.matches.conftest import play_until_it_counts
from tests.arena.matches.test_play import ready_match
from tests.docker_host.daemon import Daemon
from tests.docker_host.fixtures import DockerHost, docker_host
from tests.sandbox.test_host_failures import private_daemon

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


@pytest.fixture
def own_daemon(docker_host: DockerHost, on_docker: Host, monkeypatch: pytest.MonkeyPatch) -> Iterator[Daemon]:
    """A daemon that this worker host has to itself, and the test may kill."""
    with private_daemon(docker_host, RUNTIMES["python"].image) as daemon:
        monkeypatch.setenv("DOCKER_HOST", daemon.socket)
        sandbox_close()
        assert host_probe().ok
        yield daemon
        sandbox_close()


@pytest.mark.parametrize("when", ["before the sandbox is open", "while it is"])
def test_a_host_whose_daemon_dies_spoils_one_attempt_and_plays_again_once_it_is_back(
    own_daemon: Daemon, when: str
) -> None:
    match = ready_match()
    if when == "before the sandbox is open":
        sandbox_close()
    own_daemon.kill()
    assert play_next().outcome == "void"
    Match.objects.update(retry_at=None)
    assert play_next() is None
    assert not host_probe().ok
    own_daemon.start()
    assert host_probe().ok
    play_until_it_counts()
    match.refresh_from_db()
    assert match.state == "finished"
    assert match.attempts.filter(reason=CANNOT_START).count() == 1


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
