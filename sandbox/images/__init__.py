"""The languages' images: one folder each, with a Dockerfile, the published list of packages and a template.

``python -m sandbox images build [LANGUAGE ...]`` builds them with the Docker daemon of ``DOCKER_HOST``;
``python -m sandbox images packages LANGUAGE`` prints what is in one, ``--write`` publishes it.
"""

from __future__ import annotations

import argparse
import io
import shutil
import sys
import tarfile
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from sandbox.packages import CannotPrepare, prepare
from sandbox.runtimes import RUNTIMES, Runtime

if TYPE_CHECKING:
    from docker import APIClient

#: The Python that Debian 12 has, whatever the operator's own machine runs.
IMAGE_PYTHON: Final = "3.11"

_LIST: Final = "/usr/share/durak/packages.txt"


class ImageError(Exception):
    """An image cannot be built or read; the message holds the end of the builder's output."""


def build_image(
    client: APIClient, runtime: Runtime, *, network: str | None = None, say: Callable[[str], None] = lambda _: None
) -> None:
    """Build ``runtime.image``; steps that did not change come from the daemon's cache.

    ``network`` is Docker's mode for the installing steps ("host" where the daemon has no bridge); ``say`` is
    called with each line of the builder's output.

    Raises ImageError when a step fails, CannotPrepare when the Python packages cannot be had.
    """
    with tempfile.TemporaryDirectory() as scratch:
        context = Path(scratch)
        for source in (runtime.folder / "Dockerfile", runtime.folder.parent / "finish.sh"):
            shutil.copy(source, context)
        if runtime.libraries:
            shutil.copytree(prepare(version=IMAGE_PYTHON), context / "libraries")
        output: list[str] = []
        for step in client.build(
            path=str(context), tag=runtime.image, network_mode=network, rm=True, forcerm=True, decode=True
        ):
            text = str(step.get("stream") or step.get("error") or "")
            output.append(text)
            for line in text.splitlines():
                say(line)
            if "error" in step:
                raise ImageError(f"{runtime.image} was not built:\n{''.join(output)[-4000:]}")


def image_packages(client: APIClient, image: str) -> dict[str, str]:
    """Return the packages in a built image, name to version; Python's own are named ``python:...``.

    Raises ImageError when there is no such image, or it holds no list.
    """
    from docker.errors import DockerException

    try:
        container = client.create_container(image, command=["true"])
        try:
            chunks, _ = client.get_archive(container, _LIST)
            with tarfile.open(fileobj=io.BytesIO(b"".join(chunks))) as archive:
                member = archive.extractfile(archive.next() or _LIST)
                text = member.read().decode() if member else ""
        finally:
            client.remove_container(container, force=True)
    except DockerException as error:
        raise ImageError(f"the packages of {image} cannot be read: {error}") from error
    return read_package_list(text)


def read_package_list(text: str) -> dict[str, str]:
    """Read ``name version`` lines."""
    return dict(line.split(" ", 1) for line in text.splitlines())


def main(argv: Sequence[str] | None = None) -> int:
    """Run ``python -m sandbox images``; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m sandbox images", description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    build = commands.add_parser("build", help="build the images (all, or those named)")
    build.add_argument("languages", nargs="*", metavar="LANGUAGE", help=", ".join(RUNTIMES))
    build.add_argument("--network", help='Docker network mode for the installing steps, such as "host"')
    packages = commands.add_parser("packages", help="print the packages in a built image")
    packages.add_argument("languages", nargs="+", metavar="LANGUAGE", help=", ".join(RUNTIMES))
    packages.add_argument("--write", action="store_true", help="publish the list beside the Dockerfile")
    options = parser.parse_args(argv)
    if unknown := set(options.languages) - set(RUNTIMES):
        parser.error(f"no such language: {', '.join(sorted(unknown))}; there are {', '.join(RUNTIMES)}")
    try:
        client = _client()
        for runtime in [RUNTIMES[name] for name in options.languages or RUNTIMES]:
            if options.command == "build":
                build_image(client, runtime, network=options.network, say=print)
            else:
                listed = image_packages(client, runtime.image)
                text = "".join(f"{name} {version}\n" for name, version in sorted(listed.items()))
                if options.write:
                    runtime.package_list.write_text(text)
                else:
                    sys.stdout.write(text)
    except (ImageError, CannotPrepare) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


def _client() -> APIClient:
    try:
        import docker
        from docker.errors import DockerException
    except ImportError as error:
        raise ImageError("the package `docker` is missing: pip install docker") from error
    try:
        client: APIClient = docker.from_env(timeout=600).api
        client.ping()
    except DockerException as error:
        raise ImageError(f"no Docker daemon answers: {error}. Start one, or set DOCKER_HOST.") from error
    return client
