"""The tests' own Docker daemon."""

from __future__ import annotations

from tests.docker_host.fixtures import docker_host

__all__ = ["docker_host"]
