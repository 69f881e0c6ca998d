"""Programs laid out on this host, ready to be mounted: a version's files and what its build made."""

from __future__ import annotations

import io
import os
import shutil
import tempfile
import time
import zipfile
from pathlib import Path

from django.conf import settings

from arena.bots.models import BotVersion, VersionFiles
from sandbox.bundles import Bundle
from sandbox.runtimes import PRODUCTS

KEPT_SECONDS = 7 * 24 * 3600


def cache_folder() -> Path:
    """Where this host keeps the programs that it has played."""
    return settings.DATA_DIR / "cache" / "programs"


def program_folder(version: BotVersion) -> Path:
    """The version's program on this host, laid out on first use; to be read only.

    Named by the content's hash (and, where the build made something, by the version), and put in place by one rename,
    so that a worker killed in between leaves no half of it.
    """
    name = f"{version.sha256}-{version.pk}"
    target = cache_folder() / name
    if target.is_dir():
        os.utime(target)
        return target
    cache_folder().mkdir(parents=True, exist_ok=True)
    files = VersionFiles.objects.get(pk=version.pk)
    making = Path(tempfile.mkdtemp(prefix=".making-", dir=cache_folder()))
    try:
        program = making / "program"
        Bundle.from_archive(bytes(files.archive)).extract(program)
        if files.artifact is not None:
            unzip(bytes(files.artifact), program / PRODUCTS)
        try:
            program.rename(target)
        except OSError:  # another process was faster
            if not target.is_dir():
                raise
    finally:
        shutil.rmtree(making, ignore_errors=True)
    return target


def programs_sweep() -> int:
    """Drop programs that nobody has used for a week; returns how many."""
    if not cache_folder().is_dir():
        return 0
    old = [path for path in cache_folder().iterdir() if path.stat().st_mtime < time.time() - KEPT_SECONDS]
    for path in old:
        shutil.rmtree(path, ignore_errors=True)
    return len(old)


def zip_files(folder: Path) -> bytes:
    """A zip of the plain files under ``folder`` with their run bits; links are left out, never followed."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(folder.rglob("*")):
            if path.is_symlink() or not path.is_file():
                continue
            info = zipfile.ZipInfo(path.relative_to(folder).as_posix())
            info.external_attr = (0o100000 | path.stat().st_mode & 0o755) << 16
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, path.read_bytes())
    return buffer.getvalue()


def unzip(data: bytes, folder: Path) -> None:
    """Write what ``zip_files`` read, with its run bits, into a new folder."""
    folder.mkdir()
    root = folder.resolve()
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for info in archive.infolist():
            path = (folder / info.filename).resolve()
            if not path.is_relative_to(root):
                raise ValueError(f"{info.filename!r} lies outside its folder")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(archive.read(info))
            path.chmod(0o755 if info.external_attr >> 16 & 0o111 else 0o644)
