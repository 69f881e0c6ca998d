"""A Docker backend to measure: the machine's own daemon, else one started for the purpose."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from unittest.mock import patch

from sandbox import NoSandbox, Sandbox, open_sandbox


@contextmanager
def docker_sandbox() -> Iterator[Sandbox]:
    """Docker with the image for Python bots.

    Raises ``NoSandbox`` with the reason where there is neither a daemon nor the means to start one.
    """
    with ExitStack() as stack:
        try:
            sandbox = open_sandbox("docker")
        except NoSandbox:
            sandbox = _on_a_daemon_of_our_own(stack)
        stack.callback(sandbox.close)
        yield sandbox


def _on_a_daemon_of_our_own(stack: ExitStack) -> Sandbox:
    from sandbox.images import build_image
    from sandbox.runtimes import RUNTIMES
    from tests.docker_host.fixtures import running_docker_host

    try:
        host = stack.enter_context(running_docker_host())
    except (RuntimeError, OSError) as error:
        raise NoSandbox(f"no daemon answers, and none can be started: {error}") from error
    client = host.client()
    try:
        with host.lock("image-python"):
            build_image(client, RUNTIMES["python"], network="host")
    finally:
        client.close()
    stack.enter_context(patch.dict(os.environ, {"DOCKER_HOST": host.socket}))
    return open_sandbox("docker")
