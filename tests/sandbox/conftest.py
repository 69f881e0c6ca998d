"""Fixtures for tests with real sandboxes."""

from tests.docker_host.fixtures import docker_host

__all__ = ["docker_host"]
