"""Writes on bots and their versions."""

from __future__ import annotations

import re
from dataclasses import asdict
from datetime import timedelta

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Max
from django.db.models.functions import Now

from arena.accounts.models import User
from arena.accounts.quotas import quota_of
from arena.bots.hooks import announce_suspended
from arena.bots.hosts import language_require
from arena.bots.models import DESCRIPTION_LENGTH, REASON_LENGTH, SLUG, Bot, BotVersion, VersionFiles
from arena.bots.selectors import bot_stop
from arena.errors import Conflict, Invalid, NotAllowed, QuotaExceeded
from sandbox.bundles import Bundle, BundleError

RESERVED_SLUGS = frozenset({"all", "house", "me", "new"})
State = BotVersion.State


def bot_create(*, owner: User, slug: str, description: str = "") -> Bot:
    """Make a bot without versions.

    Raises:
        Invalid: the slug is malformed, reserved or taken, or the description too long.
        QuotaExceeded: the owner has ``ARENA_BOTS_PER_USER`` bots.

    """
    slug = slug.strip()
    if not re.fullmatch(SLUG, slug) or not 2 <= len(slug) <= 40:
        raise Invalid(
            "Name the bot with 2 to 40 lower-case letters, digits and inner hyphens, such as “my-bot”.",
            field="slug",
        )
    if slug in RESERVED_SLUGS:
        raise Invalid(f"“{slug}” is reserved. Choose another name.", field="slug")
    description = _description(description)
    try:
        with quota_of(owner):
            if not owner.is_house and owner.bots.count() >= settings.BOTS_PER_USER:
                raise QuotaExceeded(
                    f"You have {settings.BOTS_PER_USER} bots, the most one person may. "
                    "Upload a new version of one of them.",
                )
            return Bot.objects.create(owner=owner, slug=slug, description=description)
    except IntegrityError:
        raise Invalid(f"A bot named “{slug}” exists already. Choose another name.", field="slug") from None


def bot_update(*, bot: Bot, by: User, description: str | None = None, is_retired: bool | None = None) -> Bot:
    """Change what its owner may change, and nothing else. What a retired bot has played stays."""
    _require_owner(bot, by)
    given = {"description": description and _description(description), "is_retired": is_retired}
    return _save(bot, **{name: value for name, value in given.items() if value is not None})


def bot_suspend(*, bot: Bot, by: User, reason: str) -> Bot:
    """Give the bot no more matches and take no uploads to it until the staff bring it back.

    What it has played stays; what it has not finished is called off. Its owner, who cannot undo this, reads the reason.

    Raises:
        NotAllowed: the caller is not of the staff.
        Invalid: there is no reason, or it is too long.

    """
    _require_staff(by)
    reason = " ".join(reason.split())
    if not 0 < len(reason) <= REASON_LENGTH:
        raise Invalid(f"Say why, in 1 to {REASON_LENGTH} characters: the bot's owner reads it.", field="reason")
    bot = _save(bot, is_suspended=True, suspension_reason=reason)
    announce_suspended(bot, by)
    return bot


def bot_restore(*, bot: Bot, by: User) -> Bot:
    """End the bot's suspension."""
    _require_staff(by)
    return _save(bot, is_suspended=False, suspension_reason="")


def bot_anchor(*, bot: Bot, by: User, is_anchor: bool) -> Bot:
    """Pin the bot's rating at 1500 on every ladder, or let it go; the staff and the house may.

    The ratings of a ladder that it has played on must be rebuilt afterwards.
    """
    if not by.is_house:
        _require_staff(by)
    return _save(bot, is_anchor=is_anchor)


def _save(bot: Bot, **fields: object) -> Bot:
    """Set and save these fields only: the others may have changed since the bot was read."""
    for name, value in fields.items():
        setattr(bot, name, value)
    bot.save(update_fields=list(fields))
    return bot


def version_upload(*, bot: Bot, by: User, data: bytes) -> tuple[BotVersion, bool]:
    """Take an archive (zip or tar.gz) as the bot's next version; returns it and whether it is new.

    Content that this bot had before gives the version it had then. The archive is validated before anything of it is
    kept, and it is refused while no worker can hold it in a sandbox. The build is started after the commit.

    Raises:
        NotAllowed: the bot is somebody else's.
        Invalid: the archive or its manifest is not acceptable; the message says where and what to do.
        Conflict: no worker has a sandbox for it (codes ``no_sandbox``, ``no_language``), or the bot is
            retired or suspended.
        QuotaExceeded: too many uploads today, or too many waiting for their build.

    """
    _require_owner(bot, by)
    if len(data) > settings.UPLOAD_MAX_BYTES:
        raise Invalid(
            f"The archive has {len(data):,} bytes; at most {settings.UPLOAD_MAX_BYTES:,} are taken.",
            field="archive",
        )
    try:
        bundle = Bundle.from_archive(data)
    except BundleError as error:
        raise Invalid(str(error), field="archive", code="bad_archive") from error
    manifest = bundle.manifest

    with quota_of(by):
        _require_playing(Bot.objects.select_for_update(of=("self",)).select_related("owner").get(pk=bot.pk))
        known = bot.versions.filter(sha256=bundle.sha256).first()
        if known is not None:
            return known, False
        language_require(manifest.language)
        _require_quota(by)
        archive = bundle.to_zip()
        version = BotVersion.objects.create(
            bot=bot,
            number=(bot.versions.aggregate(last=Max("number"))["last"] or 0) + 1,
            sha256=bundle.sha256,
            language=manifest.language,
            manifest=asdict(manifest),
            presets=list(manifest.presets),
            seats=list(manifest.seats),
            size=len(archive),
            uploaded_by=by,
        )
        VersionFiles.objects.create(version=version, archive=archive)
        transaction.on_commit(lambda: _wake_builder(version.pk))
    return version, True


def version_retry(*, version: BotVersion, by: User) -> BotVersion:
    """Build and validate again a version that failed because the hosts did, not the bot."""
    if not by.is_staff:
        _require_owner(version.bot, by)
    with transaction.atomic():
        version = BotVersion.objects.select_for_update(of=("self",)).select_related("bot__owner").get(pk=version.pk)
        _require_playing(version.bot)
        if version.failure != BotVersion.Failure.HOST:
            raise Conflict(f"{version} is {version.get_state_display()}; only what failed by the hosts is tried again.")
        version.state, version.failure, version.reason, version.build_attempts = State.UPLOADED, "", "", 0
        version.retry_at = None
        version.save(update_fields=["state", "failure", "reason", "build_attempts", "retry_at"])
        transaction.on_commit(lambda: _wake_builder(version.pk))
    return version


def version_validated(*, version_id: int, failure: str = "", reason: str = "") -> bool:
    """End the validation of a version: ready, or failed with its reason. False if it was not being validated."""
    fields = (
        {"state": State.FAILED, "failure": failure, "reason": reason}
        if failure
        else {"state": State.READY, "ready_at": Now()}
    )
    return bool(BotVersion.objects.filter(pk=version_id, state=State.VALIDATING).update(**fields))


def _require_owner(bot: Bot, by: User) -> None:
    if bot.owner_id != by.pk:
        raise NotAllowed(f"“{bot}” belongs to {bot.owner.username}; only its owner may do this.")


def _require_staff(by: User) -> None:
    if not by.is_staff:
        raise NotAllowed("Only the arena's staff may do this.")


def _require_playing(bot: Bot) -> None:
    if why := bot_stop(bot):
        raise Conflict(f"“{bot}” {why}. Until then nothing is uploaded to it.")


def _description(text: str) -> str:
    text = " ".join(text.split())
    if len(text) > DESCRIPTION_LENGTH:
        raise Invalid(
            f"The description has {len(text)} characters; at most {DESCRIPTION_LENGTH} fit.",
            field="description",
        )
    return text


def _require_quota(by: User) -> None:
    if by.is_house:
        return
    own = BotVersion.objects.filter(uploaded_by=by)
    if own.filter(uploaded_at__gt=Now() - timedelta(days=1)).count() >= settings.UPLOADS_PER_DAY:
        raise QuotaExceeded(f"You have uploaded {settings.UPLOADS_PER_DAY} versions in 24 hours, the most one may.")
    waiting = own.filter(state__in=[State.UPLOADED, State.BUILDING, State.VALIDATING]).count()
    if waiting >= settings.UPLOADS_WAITING:
        raise QuotaExceeded(f"{waiting} of your uploads wait for their build or validation. Wait until one has ended.")


def _wake_builder(version_id: int) -> None:
    from arena.bots.tasks import build_wake

    build_wake(version_id)
