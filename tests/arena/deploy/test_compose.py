"""compose.yaml: it parses, passes on every setting, and holds no secret."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[3]
COMPOSE = yaml.safe_load((ROOT / "compose.yaml").read_text())
SETTINGS = (ROOT / "arena/settings.py").read_text()
READ = {f"ARENA_{name}" for name in re.findall(r'\benv(?:_flag|_list)?\("([A-Z_]+)"', SETTINGS)}
FIXED = {
    "ARENA_DATA": "the image sets it",
    "ARENA_DATABASE_POOL": "the web server's own",
    "ARENA_DEBUG": "not for production",
    "ARENA_SANDBOX": "the workers' own",
    "ARENA_WORKER_NAME": "each container has its own",
}


def compose_command() -> list[str]:
    for argv in (["docker-compose"], ["docker", "compose"]):
        if (
            shutil.which(argv[0])
            and not subprocess.run([*argv, "version"], capture_output=True, check=False).returncode
        ):
            return argv
    pytest.skip("docker-compose is not installed")


def config(**environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*compose_command(), "--file", str(ROOT / "compose.yaml"), "config"],
        env={"PATH": os.environ["PATH"], "HOME": "/nonexistent"} | environment,
        capture_output=True,
        text=True,
        check=False,
    )


SECRETS = {"ARENA_SECRET_KEY": "k", "POSTGRES_PASSWORD": "p", "DOCKER_GID": "999"}


def test_the_file_is_accepted_once_the_secrets_are_set():
    done = config(**SECRETS)
    assert done.returncode == 0, done.stderr
    services = yaml.safe_load(done.stdout)["services"]
    assert set(services) >= {"postgres", "redis", "migrate", "web", "worker", "beat"}


@pytest.mark.parametrize("missing", SECRETS)
def test_nothing_starts_without_a_secret_and_the_message_names_it(missing):
    done = config(**{name: value for name, value in SECRETS.items() if name != missing})
    assert done.returncode != 0
    assert missing in done.stderr


def test_every_setting_that_the_arena_reads_is_passed_on():
    passed = set(COMPOSE["x-arena"]["environment"])
    assert READ - set(FIXED) == passed
    assert set(FIXED) <= READ


def test_a_setting_that_is_given_reaches_the_containers():
    services = yaml.safe_load(config(**SECRETS, ARENA_LADDER_QUEUE="9").stdout)["services"]
    for name in ("web", "worker", "beat", "migrate"):
        assert services[name]["environment"]["ARENA_LADDER_QUEUE"] == "9"


def test_the_bots_folder_has_one_path_inside_and_outside():
    services = yaml.safe_load(config(**SECRETS, SANDBOX_RUN="/srv/sandbox").stdout)["services"]
    worker = services["worker"]
    assert worker["environment"]["DURAK_SANDBOX_RUN"] == "/srv/sandbox"
    assert any(str(volume).startswith("/srv/sandbox:/srv/sandbox") for volume in worker["volumes"])


def test_the_web_server_bounds_its_requests_and_its_connections_and_no_worker_has_a_pool():
    web = COMPOSE["services"]["web"]
    assert "--limit-concurrency=1000" in web["command"]
    pools = {
        name for name, service in COMPOSE["services"].items() if "ARENA_DATABASE_POOL" in service.get("environment", {})
    }
    assert pools == {"web"}


def test_only_the_worker_and_the_image_builder_hold_the_docker_socket():
    holders = {name for name, service in COMPOSE["services"].items() if "docker.sock" in str(service.get("volumes"))}
    assert holders == {"worker", "images"}


def test_the_arenas_services_are_hardened():
    for name in ("migrate", "web", "beat", "worker"):
        service = COMPOSE["services"][name]
        assert service["read_only"] is True
        assert service["cap_drop"] == ["ALL"]
        assert service["security_opt"] == ["no-new-privileges:true"]
        assert "user" not in service, "the image's own, which is not root"


def test_every_lasting_service_has_a_health_check():
    for name, service in COMPOSE["services"].items():
        if service["restart"] != "no":
            assert service["healthcheck"]["test"], name


def test_nothing_listens_beyond_the_host_unless_told():
    ports = {name: service["ports"] for name, service in COMPOSE["services"].items() if "ports" in service}
    assert ports == {"web": ["${ARENA_LISTEN:-127.0.0.1:8000}:8000"]}
