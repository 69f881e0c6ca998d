"""The hosts that run foreign code: what each reported of its sandbox, and this process's own sandbox."""

from __future__ import annotations

import logging
import os
import platform
from dataclasses import asdict
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.db.models.functions import Now

from arena.bots.models import Host
from arena.errors import Conflict

if TYPE_CHECKING:
    from sandbox.base import Sandbox

log = logging.getLogger(__name__)

HEARTBEAT_SECONDS = 15
ALIVE_FOR = timedelta(seconds=90)
FORGOTTEN_AFTER = timedelta(days=7)

CANNOT_START = "its host could not start a sandbox"
"""What everybody reads of a host's failure; the staff read the rest at the host, the operator in the worker's log."""
PAUSES = "it could not start a sandbox, and will test itself again soon"
FIRST_PAUSE = timedelta(seconds=15)
LONGEST_PAUSE = timedelta(minutes=10)
STEADY_AFTER = timedelta(minutes=10)
"""A host that has held for so long begins anew with the shortest pause when it fails."""

_opened: tuple[int, Sandbox] | None = None


def host_name() -> str:
    """The name of this host among the workers."""
    return settings.WORKER_NAME or platform.node()


def worker_name() -> str:
    """The name of this process among the workers: its host, its Celery worker's process id and its own."""
    return f"{host_name()}:{os.getppid()}/{os.getpid()}"


def sandbox_here() -> Sandbox:
    """The sandbox of this process, opened on first use and never shared with a parent or child.

    Raises ``sandbox.NoSandbox`` where the host cannot hold one: foreign code is never run bare.
    """
    global _opened  # noqa: PLW0603 - one sandbox a process is the point
    if _opened is None or _opened[0] != os.getpid():
        from sandbox.choose import open_sandbox

        _opened = (os.getpid(), open_sandbox(settings.SANDBOX_BACKEND))
    return _opened[1]


def sandbox_close() -> None:
    """Close this process's sandbox, if it has opened one."""
    global _opened  # noqa: PLW0603 - see sandbox_here
    if _opened is not None and _opened[0] == os.getpid():
        _opened[1].close()
    _opened = None


def sandbox_sweep() -> int:
    """Remove what dead workers left on this host; returns how many things."""
    from sandbox.base import NoSandbox

    try:
        lines = sandbox_here().sweep()
    except NoSandbox:
        return 0
    for line in lines:
        log.warning("%s", line)
    return len(lines)


def host_probe() -> Host:
    """Test this host's sandbox, slowly, and report what was found; whatever goes wrong with that is a finding too."""
    from sandbox.base import NoSandbox

    try:
        found = sandbox_here().probe()
    except NoSandbox as error:
        return host_report(name=host_name(), reason=str(error))
    except Exception as error:
        log.exception("The self-test of this host's sandbox failed.")
        kind = type(error).__name__
        return host_report(name=host_name(), reason=f"the self-test failed: {kind}", detail=f"{kind}: {error}")
    return host_report(
        name=host_name(),
        backend=found.backend,
        languages=[language for language, obstacle in found.languages.items() if not obstacle],
        reason="; ".join(found.refusals),
        controls=[asdict(control) for control in found.controls],
    )


def languages_here() -> list[str]:
    """The languages that this host may be given, by its own last report; none if it cannot hold a sandbox."""
    host = Host.objects.filter(name=host_name()).first() or host_probe()
    return host.languages if host.ok else []


def host_report(
    *,
    name: str,
    backend: str = "",
    languages: list[str] | None = None,
    reason: str = "",
    detail: str = "",
    controls: list[dict[str, Any]] | None = None,
) -> Host:
    """Write what a host's self-test found. A ``reason`` means that it cannot run strangers' code.

    The reason is shown to whoever uploads, the ``detail`` to the staff only.
    """
    with transaction.atomic():
        host, _ = Host.objects.update_or_create(
            name=name,
            defaults={
                "backend": backend,
                "ok": not reason,
                "reason": reason,
                "detail": detail,
                "languages": sorted(languages or []),
                "controls": controls or [],
                "reported_at": Now(),
                "seen_at": Now(),
                "probe_at": None,
            },
        )
        if reason:
            _pause(host)
    return host


def host_failed(*, name: str, detail: str) -> bool:
    """Give no more work to a host that could not start a sandbox, until its self-test holds again.

    ``detail`` is what it failed with. False if the host was taken out already: of the processes that find it out at
    once, the first is enough.
    """
    with transaction.atomic():
        Host.objects.filter(name=name, ok=True, reported_at__lte=Now() - STEADY_AFTER).update(failures=0)
        host = Host.objects.select_for_update().filter(name=name, ok=True).first()
        if host is None:
            return False
        host.ok, host.reason, host.detail, host.reported_at = False, PAUSES, detail, Now()
        host.save(update_fields=["ok", "reason", "detail", "reported_at"])
        _pause(host)
    log.error("This host takes no work until its self-test holds: %s", detail)
    return True


def host_heartbeat(*, name: str) -> bool:
    """Say that the host is still there; True, to one caller, if its self-test is to be run again."""
    Host.objects.filter(name=name).update(seen_at=Now())
    due = Host.objects.filter(Q(probe_at__isnull=True) | Q(probe_at__lte=Now()), name=name, ok=False)
    return bool(due.update(probe_at=Now() + LONGEST_PAUSE))


def hosts_forget() -> int:
    """Drop hosts that were not heard of for a week; returns how many."""
    return Host.objects.filter(seen_at__lte=Now() - FORGOTTEN_AFTER).delete()[0]


def _pause(host: Host) -> None:
    """Put the next self-test off, each time twice as long."""
    Host.objects.filter(pk=host.pk).update(failures=F("failures") + 1)
    host.refresh_from_db(fields=["failures"])
    host.probe_at = Now() + min(FIRST_PAUSE * 2 ** min(host.failures - 1, 10), LONGEST_PAUSE)
    host.save(update_fields=["probe_at"])


def hosts_alive() -> QuerySet[Host]:
    """The hosts heard of within the last 90 seconds, by the database's clock."""
    return Host.objects.filter(seen_at__gt=Now() - ALIVE_FOR)


def language_sets() -> list[frozenset[str]]:
    """The languages that each live host can run; sets that another host's contains are left out.

    All bots of a match play on one host, so a match can be played only if one of the sets has all their languages.
    """
    found = {frozenset(languages) for languages in hosts_alive().filter(ok=True).values_list("languages", flat=True)}
    return sorted((each for each in found if each and not any(each < other for other in found)), key=sorted)


def language_require(language: str) -> None:
    """Raise ``Conflict`` unless a live host can run this language in its sandbox; strangers' code never runs bare."""
    hosts = list(hosts_alive())
    able = [host for host in hosts if host.ok]
    if not hosts:
        raise Conflict(
            "No worker is running, so nobody could build and check this bot. Try again later, or tell the operator.",
            code="no_sandbox",
        )
    if not able:
        raise Conflict(
            "Uploads are closed: no worker has a sandbox that holds. "
            + " ".join(f"{host.name}: {host.reason}" for host in hosts),
            code="no_sandbox",
        )
    offered = sorted({name for host in able for name in host.languages})
    if language not in offered:
        raise Conflict(
            f"No worker can run {language} now. Languages on offer: {', '.join(offered) or 'none'}.",
            code="no_language",
            field="archive",
        )
