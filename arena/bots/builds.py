"""The queue of builds: claim a version, build it in the sandbox, save what came of it.

A version's row is the queue, held by a lease as a match is; a build whose worker died is built again.
"""

from __future__ import annotations

import logging
import tempfile
import time
import uuid
from collections.abc import Collection
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from django.conf import settings
from django.db import transaction
from django.db.models import Q, QuerySet
from django.db.models.functions import Now

from arena.bots.hooks import announce_built
from arena.bots.hosts import (
    CANNOT_START,
    host_failed,
    host_name,
    languages_here,
    sandbox_close,
    sandbox_here,
    worker_name,
)
from arena.bots.leases import LeaseKeeper, back_off
from arena.bots.models import BotVersion, VersionFiles
from arena.bots.programs import zip_files
from bots_sdk.referee.player import HostFault
from sandbox.base import CannotStart, NoSandbox, Sandbox
from sandbox.builds import build
from sandbox.bundles import Bundle
from sandbox.runtimes import PRODUCTS
from sandbox.spec import Labels

log = logging.getLogger(__name__)

State = BotVersion.State
ATTEMPTS_AT_MOST = 3
FIRST_WAIT = timedelta(seconds=10)
SANDBOX_SECONDS = 600


@dataclass(frozen=True, slots=True)
class Built:
    """What a build brought: the compiler's log, and its output as a zip (None where nothing is compiled)."""

    ok: bool
    log: str
    reason: str = ""
    artifact: bytes | None = None


def lease() -> timedelta:
    """How long a build is held without a renewal."""
    return timedelta(seconds=settings.BUILD_LEASE_SECONDS)


def builds_waiting() -> QuerySet[BotVersion]:
    """The versions that can be built now: those that wait, and those whose builder let its lease run out."""
    return BotVersion.objects.filter(
        Q(state=State.UPLOADED) & (Q(retry_at__isnull=True) | Q(retry_at__lte=Now()))
        | Q(state=State.BUILDING, lease_expires_at__lte=Now(), build_attempts__lt=ATTEMPTS_AT_MOST)
    )


def version_claim(*, languages: Collection[str] | None = None) -> BotVersion | None:
    """Take the first version that can be built now and here; None if there is none."""
    waiting = builds_waiting()
    if languages is not None:
        waiting = waiting.filter(language__in=languages)
    with transaction.atomic():
        version = waiting.select_for_update(skip_locked=True).order_by("id").first()
        if version is None:
            return None
        version.state = State.BUILDING
        version.lease_token = uuid.uuid4()
        version.lease_expires_at = Now() + lease()
        version.build_attempts += 1
        version.retry_at = None
        version.save(update_fields=["state", "lease_token", "lease_expires_at", "build_attempts", "retry_at"])
    return version


def version_renew(*, version_id: int, token: uuid.UUID) -> bool:
    """Hold on to the build; False when its lease has passed on or run out."""
    held = BotVersion.objects.filter(pk=version_id, lease_token=token, lease_expires_at__gt=Now())
    return bool(held.update(lease_expires_at=Now() + lease()))


def version_built(*, version_id: int, token: uuid.UUID, built: Built) -> bool:
    """Save a build and start the validation, or fail the version with the reason; False if the lease has passed on."""
    with transaction.atomic():
        version = _held(version_id, token)
        if version is None:
            return False
        _release(version)
        version.build_log = built.log.replace("\0", "\N{SYMBOL FOR NULL}")
        if built.ok:
            VersionFiles.objects.filter(pk=version.pk).update(artifact=built.artifact)
            version.state = State.VALIDATING
        else:
            version.state, version.failure = State.FAILED, BotVersion.Failure.BUILD
            version.reason = built.reason or "The build failed; its log says why."
        version.save()
        if built.ok:
            announce_built(version)
    return True


def version_build_void(*, version_id: int, token: uuid.UUID, reason: str) -> bool:
    """End a build that the host spoilt: it is tried again, and after three times failed by the hosts."""
    with transaction.atomic():
        version = _held(version_id, token)
        if version is None:
            return False
        _release(version)
        if version.build_attempts < ATTEMPTS_AT_MOST:
            version.state, version.retry_at = State.UPLOADED, Now() + back_off(version.build_attempts, first=FIRST_WAIT)
        else:
            version.state, version.failure = State.FAILED, BotVersion.Failure.HOST
            version.reason = _given_up(version.build_attempts, reason)
        version.save()
    return True


def builds_sweep() -> int:
    """Fail what was tried as often as it may be and has lost its last builder; returns how many."""
    spent = BotVersion.objects.filter(
        state=State.BUILDING,
        lease_expires_at__lte=Now(),
        build_attempts__gte=ATTEMPTS_AT_MOST,
    )
    return spent.update(
        state=State.FAILED,
        failure=BotVersion.Failure.HOST,
        reason=_given_up(ATTEMPTS_AT_MOST, "its worker let its lease run out"),
        lease_token=None,
        lease_expires_at=None,
    )


def build_next() -> str | None:
    """Build the first version of the queue on this host; says what came of it, None if nothing waits."""
    version = version_claim(languages=languages_here())
    if version is None:
        return None
    token = version.lease_token
    assert token is not None  # noqa: S101 - version_claim set it
    with LeaseKeeper(
        lambda: version_renew(version_id=version.pk, token=token),
        lease_seconds=settings.BUILD_LEASE_SECONDS,
    ):
        try:
            built = _build(sandbox_here(), version)
            saved = version_built(version_id=version.pk, token=token, built=built)
        except (NoSandbox, CannotStart, OSError) as error:
            host_failed(name=host_name(), detail=str(error))
            said = _void(version.pk, token, CANNOT_START, error)
            sandbox_close()
            return said
        except HostFault as error:
            return _void(version.pk, token, error.reason, error)
        except Exception as error:  # noqa: BLE001 - whatever it was, the version must not hang
            return _void(version.pk, token, f"the worker failed: {type(error).__name__}", error)
    return f"build of version {version.pk}: {'ok' if built.ok else 'failed'}{'' if saved else ', too late'}"


def _void(version_id: int, token: uuid.UUID, reason: str, error: Exception) -> str:
    log.error("The build of version %s is void: %s", version_id, reason, exc_info=error)
    version_build_void(version_id=version_id, token=token, reason=reason)
    return f"build of version {version_id} is void: {reason}"


def _given_up(attempts: int, last: str) -> str:
    return f"The arena's hosts failed {attempts} times to build it; the last: {last}"


def _build(sandbox: Sandbox, version: BotVersion) -> Built:
    labels = Labels(worker=worker_name(), match=f"build-{version.pk}", deadline=time.time() + SANDBOX_SECONDS)
    bundle = Bundle.from_archive(bytes(version.files.archive))
    with tempfile.TemporaryDirectory(prefix="durak-build-") as folder:
        report = build(sandbox, bundle, Path(folder) / "program", labels=labels)
        products = report.output / PRODUCTS if report.output else None
        artifact = zip_files(products) if products and products.is_dir() else None
    return Built(ok=report.ok, log=report.log, reason=report.reason, artifact=artifact)


def _held(version_id: int, token: uuid.UUID) -> BotVersion | None:
    return (
        BotVersion.objects.select_for_update()
        .filter(pk=version_id, state=State.BUILDING, lease_token=token, lease_expires_at__gt=Now())
        .first()
    )


def _release(version: BotVersion) -> None:
    version.lease_token = version.lease_expires_at = None
