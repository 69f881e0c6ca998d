"""`make demo`: PostgreSQL, Valkey, web server, worker and beat on one machine, supervised until stopped.

Everything it keeps lies in one folder (``ARENA_DATA``), so a second start goes on where the first ended.
"""

from __future__ import annotations

import argparse
import fcntl
import os
import secrets
import shlex
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, NoReturn

from arena.demo.embedded import open_to_other_users, start_postgres, start_valkey
from arena.demo.environment import environment_keep

PYTHON = sys.executable
PORTS_TRIED = 50


def say(text: str) -> None:
    print(text, flush=True)


def fail(text: str) -> NoReturn:
    say(f"\ndemo: {text}")
    raise SystemExit(1)


@contextmanager
def step(text: str) -> Iterator[None]:
    """Print what is being set up, and how long it took."""
    print(f"  {text} ...", end="", flush=True)
    began = time.monotonic()
    try:
        yield
    except BaseException:
        print(" failed", flush=True)
        raise
    print(f" {time.monotonic() - began:.1f} s", flush=True)


def port_is_free(host: str, port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError:
            return False
    return True


def free_port(host: str, wanted: int) -> int:
    """The first free port from ``wanted`` on; says so when it is another one."""
    for port in range(wanted, min(wanted + PORTS_TRIED, 65536)):
        if port_is_free(host, port):
            if port != wanted:
                say(f"  port {wanted} is taken: using {port} (choose one with `make demo PORT=...`)")
            return port
    fail(f"no free port from {wanted} to {wanted + PORTS_TRIED - 1}: choose another with `make demo PORT=...`")


def secret(path: Path, length: int) -> str:
    """The secret kept in ``path`` (mode 0600), made on the first start."""
    if not path.exists():
        with open(os.open(path, os.O_CREAT | os.O_WRONLY | os.O_EXCL, 0o600), "w", encoding="ascii") as file:
            file.write(secrets.token_urlsafe(length))
    return path.read_text(encoding="ascii").strip()


def lock(folder: Path) -> Any:
    """Hold the data folder, so that two demos never share one."""
    file = (folder / "lock").open("w")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        fail(f"another demo is running on {folder}: stop it, or give this one a folder: `make demo ARENA_DATA=...`")
    return file


def run(*argv: str, environment: dict[str, str]) -> None:
    """Run one step of the set-up; its output is shown only when it fails."""
    done = subprocess.run(argv, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if done.returncode:
        fail(f"`{' '.join(argv[1:])}` ended with {done.returncode}:\n{done.stdout.decode(errors='replace')}")


def attempt(what: str, start: Callable[[], Any], log: Path) -> Any:
    """Start an embedded service; on failure show the end of its log and what to do."""
    try:
        return start()
    except Exception as error:  # noqa: BLE001 - whatever it was, the reader needs it in words
        tail = "\n".join(log.read_text(errors="replace").splitlines()[-15:]) if log.exists() else "(no log)"
        fail(f"{what} did not start: {error}\n{tail}\nIts files are in {log.parent}.")


def supervise(argvs: dict[str, list[str]], environment: dict[str, str]) -> int:
    """Run ``argvs`` with their output prefixed until one dies or a signal comes.

    Returns the exit status: 0 after SIGINT or SIGTERM, 1 when a process died by itself (and says which).
    """
    from arena.demo.supervisor import Supervisor

    manager = Supervisor()
    for name, argv in argvs.items():
        manager.add_process(name, "exec " + shlex.join(argv), env=environment)
    manager.loop()
    if manager.returncode in {128 + signal.SIGINT, 128 + signal.SIGTERM}:
        say("demo: stopped; the data are kept")
        return 0
    first = manager.first_to_end
    say(f"demo: `{first}` ended by itself (status {manager.returncode}), so all was stopped; its lines above say why")
    return 1


def processes(options: argparse.Namespace, port: int, folder: Path) -> dict[str, list[str]]:
    """What is supervised: name to argument list."""
    web = f"uvicorn arena.asgi:application --host {options.host} --port {port}"
    celery = "celery --quiet -A arena.celery"
    modules = {
        "web": f"{web} --no-access-log --lifespan off --timeout-graceful-shutdown 3 --limit-concurrency 1000",
        "worker": f"{celery} worker --loglevel INFO --concurrency {options.workers} --hostname demo@%h",
        "beat": f"{celery} beat --loglevel WARNING --schedule",
        "watch": f"arena.demo.watch http://{options.host}:{port}",
    }
    # Under root the bots run as unprivileged users all the same, so Celery's warning would mislead.
    quiet = ["-W", "ignore:You're running the worker"]
    argvs = {name: [PYTHON, *quiet, "-m", *words.split()] for name, words in modules.items()}
    argvs["web"][:0] = ["env", "ARENA_DATABASE_POOL=20"]
    argvs["beat"].append(str(folder / "celerybeat"))
    return argvs


def parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m arena.demo", description=__doc__.splitlines()[0])
    parser.add_argument("--host", default=os.environ.get("ARENA_HOST", "127.0.0.1"))
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--data", type=Path, default=Path(os.environ.get("ARENA_DATA") or "data"))
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="matches played at once")
    options = parser.parse_args(arguments)
    if not 1 <= options.port <= 65535:
        parser.error(f"PORT must be from 1 to 65535, not {options.port}")
    if options.workers < 1:
        parser.error("--workers must be at least 1")
    return options


def stop(*_: object) -> NoReturn:
    raise SystemExit(0)


def main(arguments: list[str] | None = None) -> int:
    options = parse(arguments)
    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
    folder: Path = options.data.expanduser().resolve()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        fail(f"the data folder {folder} cannot be made: {error.strerror}; give another with `make demo ARENA_DATA=...`")
    held = lock(folder)
    say(f"Durak Arena sets itself up; its data lie in {folder}")
    if opened := open_to_other_users(folder):
        say(f"  Other users may now pass through {', '.join(map(str, opened))} (chmod o+x), though not list it:")
        say("  PostgreSQL does not run as root. To keep it closed: `make demo ARENA_DATA=/srv/durak`")
    with ExitStack() as services:
        services.callback(held.close)
        port = free_port(options.host, options.port)
        address = f"http://{options.host}:{port}"
        with step("PostgreSQL"):
            server, database_url = attempt(
                "PostgreSQL",
                lambda: start_postgres(folder / "postgres", "arena"),
                folder / "postgres" / "log",
            )
            services.enter_context(server)
        with step("Valkey"):
            valkey_port = free_port("127.0.0.1", 6400)
            valkey = attempt(
                "Valkey",
                lambda: start_valkey(folder / "valkey", valkey_port),
                folder / "valkey" / "valkey.log",
            )
            services.callback(valkey.terminate)
        environment = {
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "arena.settings",
            "PYTHONUNBUFFERED": "1",
            "ARENA_DATA": str(folder),
            "DURAK_SANDBOX_PACKAGES": str(folder / "runtimes"),
            "ARENA_DATABASE_URL": database_url,
            "ARENA_REDIS_URL": f"redis://127.0.0.1:{valkey_port}/0",
            "ARENA_SECRET_KEY": secret(folder / "secret-key", 50),
            "ARENA_ADMIN_PASSWORD": secret(folder / "admin-password", 12),
            "ARENA_ALLOWED_HOSTS": f"{options.host},localhost,127.0.0.1",
        }
        services.callback(environment_keep(folder, environment).unlink, missing_ok=True)
        with step("packages for the bots' sandbox"):
            run(PYTHON, "-m", "sandbox", "prepare", environment=environment)
        with step("database tables"):
            run(PYTHON, "manage.py", "migrate", "--no-input", environment=environment)
        with step("style sheets and scripts"):
            run(PYTHON, "manage.py", "collectstatic", "--no-input", environment=environment)
        with step("sandbox self-test"):
            run(PYTHON, "manage.py", "report_host", environment=environment)
        with step("ladders and reference bots"):
            run(PYTHON, "manage.py", "seed_demo", environment=environment)
        say(f"\n  The arena:  {address}/")
        say(f"  Sign up:    {address}/accounts/signup/")
        say(f"  Organiser:  sign in as `admin` with the password in {folder / 'admin-password'}")
        say("  Commands:   make manage ARGS='open_ladder perevodnoy 3', in another terminal")
        say("  Stop:       ctrl-C\n")
        return supervise(processes(options, port, folder), environment)


if __name__ == "__main__":
    sys.exit(main())
