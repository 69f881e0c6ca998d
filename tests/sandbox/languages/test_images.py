"""The rows, the images, the templates and the page say the same."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from sandbox.bundles import Bundle
from sandbox.images import build_image, image_packages, main, read_package_list
from sandbox.runtimes import MIB, RUNTIMES
from tests.docker_host.fixtures import DockerHost

PAGE = Path(__file__).parents[3] / "docs" / "languages.md"

each_language = pytest.mark.parametrize("language", RUNTIMES)


@each_language
def test_an_image_installs_exactly_the_row_s_packages(language: str) -> None:
    dockerfile = (RUNTIMES[language].folder / "Dockerfile").read_text().replace("\\\n", " ")
    found = re.search(r"apt-get install -y --no-install-recommends (.*?)&&", dockerfile)
    assert found
    assert tuple(found[1].split()) == tuple(package.name for package in RUNTIMES[language].packages)


@each_language
def test_an_image_is_public_debian_without_a_privileged_user(language: str) -> None:
    lines = (RUNTIMES[language].folder / "Dockerfile").read_text().splitlines()
    assert lines[0] == "FROM debian:12-slim"
    assert "USER 65534:65534" in lines


@each_language
def test_a_published_list_names_the_row_s_packages(language: str) -> None:
    runtime = RUNTIMES[language]
    published = read_package_list(runtime.package_list.read_text())
    assert {package.name for package in runtime.packages} <= set(published)
    if runtime.libraries:
        assert {"python:numpy", "python:msgspec"} <= set(published)


@each_language
def test_a_template_is_short_and_says_where_the_idea_goes(language: str) -> None:
    bundle = Bundle.from_folder(RUNTIMES[language].folder / "template")
    assert bundle.manifest.language == language
    assert bundle.manifest.entry == RUNTIMES[language].entry
    source = bundle.files[bundle.manifest.entry].decode()
    assert "YOUR IDEA GOES HERE" in source
    assert len(source.splitlines()) < 150


@each_language
def test_the_page_s_table_has_the_row_s_numbers(language: str) -> None:
    runtime = RUNTIMES[language]
    line = next(line for line in PAGE.read_text().splitlines() if line.startswith(f"| `{language}`"))
    _, name, entry, built, memory, pids, seconds, _ = (cell.strip() for cell in line.split("|"))
    assert name == f"`{language}` {runtime.title}"
    assert entry == f"`{runtime.entry}`"
    assert memory == f"{runtime.memory_bytes // MIB} MiB"
    assert pids == str(runtime.pids)
    assert seconds == f"{runtime.build.seconds:g} s"
    command = re.findall(r"`(.*?)`", built)[0]
    assert set(shlex.split(command)) <= set(shlex.split(" ".join(runtime.compile)))


def test_the_page_names_every_package_for_a_host_without_images() -> None:
    found = re.search(r"apt-get install (.*?)\npython", PAGE.read_text().replace("\\\n", " "), re.DOTALL)
    assert found
    assert found[1].split() == [package.name for runtime in RUNTIMES.values() for package in runtime.packages]


@pytest.mark.docker
@each_language
def test_the_published_list_is_what_the_built_image_holds(language: str, docker_host: DockerHost) -> None:
    runtime = RUNTIMES[language]
    client = docker_host.client()
    try:
        with docker_host.lock(f"image-{runtime.name}"):
            build_image(client, runtime, network="host")
        inside = image_packages(client, runtime.image)
        published = read_package_list(runtime.package_list.read_text())
        # Versions move with Debian's security updates; the packages do not.
        assert set(inside) == set(published)
        exact = {name for name in inside if name.startswith("python:")}
        assert {name: inside[name] for name in exact} == {name: published[name] for name in exact}
    finally:
        client.close()


@pytest.mark.docker
@each_language
def test_no_file_of_an_image_changes_its_user(language: str, docker_host: DockerHost) -> None:
    client = docker_host.client()
    try:
        with docker_host.lock(f"image-{language}"):
            build_image(client, RUNTIMES[language], network="host")
        container = client.create_container(
            RUNTIMES[language].image, command=["find", "/", "-xdev", "-type", "f", "-perm", "/6000"], user="0:0"
        )
        try:
            client.start(container)
            assert client.wait(container)["StatusCode"] == 0
            assert client.logs(container) == b""
        finally:
            client.remove_container(container, force=True)
        assert client.inspect_image(RUNTIMES[language].image)["Config"]["User"] == "65534:65534"
    finally:
        client.close()


def test_an_unknown_language_is_refused_by_name(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["build", "cobol"])
    assert "no such language: cobol; there are python, javascript, cpp, rust, go, java" in capsys.readouterr().err


def test_a_daemon_that_does_not_answer_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DOCKER_HOST", "unix:///nowhere/docker.sock")
    assert main(["packages", "python"]) == 1
    assert "no Docker daemon answers" in capsys.readouterr().err
