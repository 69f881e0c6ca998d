"""Talking to the Docker daemon: one client per process and thread, and a watch on its life.

A client's connections must not be shared between threads nor survive a fork, so each thread gets
a client of its own on first use.
"""

from __future__ import annotations

import contextlib
import os
import threading
import time
from typing import Any, Final

import docker
from docker.errors import APIError, DockerException, ImageNotFound, NotFound
from docker.transport import UnixHTTPAdapter
from requests.exceptions import RequestException

TIMEOUT: Final = 60
POOL_SIZE: Final = 32
FAILURES: Final = (DockerException, RequestException, OSError)
"""What a daemon that is gone, slow or refusing raises."""

_local = threading.local()


class OnePool(UnixHTTPAdapter):  # type: ignore[misc]  # docker-py has no types
    """Keeps one pool of connections; docker-py keeps one for every URL, each container's among them."""

    def get_connection(self, url: str, proxies: Any = None) -> Any:
        """The one pool, whatever the URL."""
        return super().get_connection("http+docker://localhost", proxies)


def new_client(address: str) -> docker.APIClient:
    """A client with connections of its own.

    Raises:
        DockerException: nothing answers at the address.

    """
    client = docker.APIClient(base_url=address, timeout=TIMEOUT, max_pool_size=POOL_SIZE)
    if address.startswith("unix://"):
        path = f"http+unix://{address.removeprefix('unix://')}"
        client.mount("http+docker://", OnePool(path, TIMEOUT, max_pool_size=POOL_SIZE))
    return client


class Daemon:
    """One Docker daemon, by its address (`DOCKER_HOST`, else the system's socket)."""

    def __init__(self, address: str | None = None) -> None:
        self.address = address or os.environ.get("DOCKER_HOST") or "unix:///var/run/docker.sock"

    @property
    def client(self) -> docker.APIClient:
        """The client of the calling thread.

        Raises:
            DockerException: nothing answers at the address.

        """
        key = (os.getpid(), self.address)
        if getattr(_local, "key", None) != key:
            _local.client = new_client(self.address)
            _local.key = key
        client: docker.APIClient = _local.client
        return client

    @property
    def is_local(self) -> bool:
        """The daemon runs on this machine, so that its containers' control groups can be read."""
        return self.address.startswith("unix://")

    def inspect(self, container: str) -> dict[str, Any] | None:
        """A container's state, or None when it is gone.

        Raises:
            DockerException, RequestException, OSError: the daemon does not answer.

        """
        try:
            found: dict[str, Any] = self.client.inspect_container(container)
        except NotFound:
            return None
        return found

    def remove(self, container: str) -> None:
        """Kill and remove a container; one that is gone already is as good.

        Raises:
            DockerException, RequestException, OSError: the daemon does not answer or refuses.

        """
        try:
            self.client.remove_container(container, force=True, v=True)
        except NotFound:
            return
        except APIError as error:
            # Somebody else, a sweep for one, is at it.
            if error.status_code != 409:
                raise


class Watch:
    """Notices when the daemon goes away, and which containers ran out of memory.

    A session compares the watch's `generation` at its start and at its end: if it differs, the
    daemon was restarted in between, and what happened to the container says nothing of the bot.
    """

    RETRY_SECONDS: Final = 0.2

    def __init__(self, daemon: Daemon) -> None:
        self._daemon = daemon
        self._pid = 0
        self._lock = threading.Lock()
        self._connected = threading.Event()
        self._closed = False
        self.generation = 0
        self.out_of_memory: set[str] = set()

    def ensure(self) -> int:
        """Start watching in this process, if it does not yet, and return the generation.

        Raises:
            TimeoutError: no connection within ten seconds.

        """
        with self._lock:
            if self._pid != os.getpid():
                self._pid = os.getpid()
                self._connected = threading.Event()
                threading.Thread(target=self._run, daemon=True, name="docker-watch").start()
        if not self._connected.wait(10):
            raise TimeoutError("the Docker daemon does not answer")
        return self.generation

    def changed_since(self, generation: int, *, patience: float = 0.3) -> bool:
        """Whether the daemon went away since; waits a little for the news of it to arrive."""
        until = time.monotonic() + patience
        while self.generation == generation and time.monotonic() < until:
            time.sleep(0.01)
        return self.generation != generation

    def close(self) -> None:
        """Stop watching at the next event."""
        self._closed = True

    def _run(self) -> None:
        while not self._closed:
            with contextlib.suppress(*FAILURES):
                client = new_client(self._daemon.address)
                # Events have long pauses: this one connection waits for ever.
                client.timeout = None
                events = client.events(decode=True, filters={"type": "container", "event": "oom"})
                self._connected.set()
                for event in events:
                    self.out_of_memory.add(event["id"])
            self._connected.clear()
            self.generation += 1
            time.sleep(self.RETRY_SECONDS)


__all__ = ["FAILURES", "APIError", "Daemon", "DockerException", "ImageNotFound", "Watch"]
