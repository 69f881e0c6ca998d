"""The Celery application: wake-ups only, every state lives in PostgreSQL."""

from __future__ import annotations

import logging
import os
import threading
import time
from typing import Any

from celery import Celery
from celery.signals import heartbeat_sent, worker_init, worker_process_shutdown, worker_shutting_down

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "arena.settings")

app = Celery("arena")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()

log = logging.getLogger(__name__)
_last_beat = 0.0


@worker_init.connect
def report_host(**_: Any) -> None:
    """Before it takes work, a worker tests its sandbox, says what it can run, and clears away what a dead one left."""
    from django.db import connections

    from arena.bots.programs import programs_sweep

    # A pool's threads do not live through the fork of the processes that play.
    connections["default"].settings_dict["OPTIONS"].pop("pool", None)
    programs_sweep()
    probe()


@heartbeat_sent.connect
def keep_host_alive(**_: Any) -> None:
    """Say now and then that the host is still there, and test its sandbox again while it does not hold."""
    from django.db import DatabaseError, connections

    from arena.bots.hosts import HEARTBEAT_SECONDS, host_heartbeat, host_name

    global _last_beat  # noqa: PLW0603 - one worker a process
    if time.monotonic() - _last_beat < HEARTBEAT_SECONDS:
        return
    _last_beat = time.monotonic()
    try:
        if host_heartbeat(name=host_name()):
            # In a thread of its own: a daemon that hangs must not keep the worker from its messages.
            threading.Thread(target=probe, name="probe", daemon=True).start()
    except DatabaseError:
        log.warning("The host's heartbeat could not be written.", exc_info=True)
        connections.close_all()


def probe() -> None:
    """Test this host's sandbox, and report what was found."""
    from django.db import connections

    from arena.bots.hosts import host_probe, sandbox_close

    try:
        host = host_probe()
        if host.ok:
            log.info("This host's sandbox holds: %s", ", ".join(host.languages))
        else:
            log.error("This host cannot run strangers' code and takes no matches: %s", host.reason)
    finally:
        sandbox_close()
        connections.close_all()


@worker_shutting_down.connect
def give_back(**_: Any) -> None:
    """Give the matches in play back to the queue at once, rather than let their leases run out."""
    from arena.bots.hosts import host_name
    from arena.matches.queue import attempts_stop

    def stop() -> None:
        from django.db import connections

        stopped = attempts_stop(worker=f"{host_name()}:{os.getpid()}")
        connections.close_all()
        log.info("%s matches in play were given back to the queue.", stopped)

    # In a thread of its own: the signal may have come in the middle of a query of the main thread's.
    threading.Thread(target=stop, name="give-back").start()


@worker_process_shutdown.connect
def close_sandbox(**_: Any) -> None:
    """Leave no warm sandboxes behind."""
    from arena.bots.hosts import sandbox_close

    sandbox_close()
