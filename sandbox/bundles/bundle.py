"""A bot's files, however they were packed."""

from __future__ import annotations

import hashlib
import os
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from io import BytesIO
from pathlib import Path
from types import MappingProxyType
from typing import Final, Self

from sandbox.bundles import tars, zips
from sandbox.bundles.errors import BundleError, shown
from sandbox.bundles.limits import DEFAULT_LIMITS, MIB, BundleLimits, Meter
from sandbox.bundles.manifest import MANIFEST, Manifest, read_manifest
from sandbox.bundles.paths import Names, clean_path, is_junk

_PROGRAM: Final = (b"#!", b"\x7fELF")
_OTHER_FORMATS: Final = {
    b"7z\xbc\xaf\x27\x1c": "7z",
    b"Rar!": "rar",
    b"\xfd7zXZ\0": "xz",
    b"BZh": "bzip2",
    b"\x28\xb5\x2f\xfd": "zstd",
}


@dataclass(frozen=True)
class Bundle:
    """A bot's files by canonical path (sorted), and its checked manifest.

    Equal content is an equal bundle: archive kind, order, times, owners and permission bits leave no trace.
    """

    manifest: Manifest
    files: Mapping[str, bytes]

    @classmethod
    def from_archive(cls, data: bytes, limits: BundleLimits = DEFAULT_LIMITS) -> Self:
        """Read a zip or tar.gz archive; one folder around everything is seen through.

        Raises BundleError for anything that is not a bot within ``limits``; nothing touches the disk.
        """
        if len(data) > limits.archive_bytes:
            raise BundleError(
                f"it is larger than {limits.archive_bytes // MIB} MiB",
                where="the archive",
                remedy="Leave out what the bot does not need to play.",
            )
        return cls._checked(plain_files(_entries(data, limits), limits))

    @classmethod
    def from_folder(cls, folder: Path, limits: BundleLimits = DEFAULT_LIMITS) -> Self:
        """Read an author's own folder, as if it had been packed.

        Raises BundleError as for an archive; links are not followed but refused.
        """
        return cls._checked(plain_files(_walk(folder, limits), limits))

    @classmethod
    def _checked(cls, files: dict[str, bytes]) -> Self:
        files = _without_outer_folder(files)
        manifest = read_manifest(files[MANIFEST])
        runtime = manifest.runtime
        files = {path: data for path, data in files.items() if path.split("/")[0] not in runtime.scratch}
        for needed, key in ((manifest.entry, f"{MANIFEST}, entry"), *((path, path) for path in runtime.requires)):
            if needed not in files:
                raise BundleError(
                    f"there is no file {shown(needed)}, which a {runtime.title} bot needs",
                    where=key,
                    remedy=f"Beside {MANIFEST} lie: {_listing(files)}.",
                )
        return cls(manifest, MappingProxyType(dict(sorted(files.items()))))

    @cached_property
    def sha256(self) -> str:
        """The hash of the content: SHA-256, in hex, over each file's mode, sizes, path and bytes in path order."""
        digest = hashlib.sha256(b"durak bundle 1\n")
        for path, data in self.files.items():
            name = path.encode()
            digest.update(b"%o %d %d\n" % (file_mode(data), len(name), len(data)))
            digest.update(name)
            digest.update(data)
        return digest.hexdigest()

    def extract(self, folder: Path) -> None:
        """Write the files into ``folder``, which is made, or must be empty: readable by all, writable by the owner.

        Raises FileExistsError when something lies there.
        """
        write_files(self.files, folder)

    def to_zip(self) -> bytes:
        """Return a zip of the files; reading it back gives an equal bundle, and the same content the same bytes."""
        buffer = BytesIO()
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
            for path, data in self.files.items():
                info = zipfile.ZipInfo(path)
                info.create_system = 3
                info.external_attr = (0o100000 | file_mode(data)) << 16
                info.compress_type = zipfile.ZIP_DEFLATED
                archive.writestr(info, data)
        return buffer.getvalue()


def file_mode(data: bytes) -> int:
    """Return a file's permission bits: by its content, since archives lose or add them (0600 files, lost run bits)."""
    return 0o755 if data.startswith(_PROGRAM) else 0o644


def write_files(files: Mapping[str, bytes], folder: Path) -> None:
    """Write ``files`` (checked relative paths) into ``folder``, which is made, or must be empty.

    Raises FileExistsError when something lies there.
    """
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.iterdir()):
        raise FileExistsError(f"{folder} is not empty")
    folder.chmod(0o755)
    for path, data in files.items():
        target = folder / path
        for parent in reversed(target.relative_to(folder).parents[:-1]):
            (folder / parent).mkdir(exist_ok=True)
            (folder / parent).chmod(0o755)
        with target.open("xb") as file:
            file.write(data)
            os.fchmod(file.fileno(), file_mode(data))


def _entries(data: bytes, limits: BundleLimits) -> Iterator[tuple[str, bytes | None]]:
    if data.startswith(zips.MAGIC):
        return zips.read_zip(data, limits)
    if data.startswith(tars.MAGIC):
        return tars.read_tar_gz(data, limits)
    kind = next((name for magic, name in _OTHER_FORMATS.items() if data.startswith(magic)), None)
    if kind is None and data[257:262] == b"ustar":
        kind = "tar without gzip"
    if not data:
        what = "it is empty"
    elif kind:
        what = f"it is packed as {kind}"
    else:
        what = "it is neither a zip nor a tar.gz archive"
    raise BundleError(
        what, where="the archive", remedy=f"Pack the folder that holds {MANIFEST} as a zip or tar.gz archive."
    )


def plain_files(entries: Iterable[tuple[str, bytes | None]], limits: BundleLimits) -> dict[str, bytes]:
    """Collect an archive's files by canonical path, junk left out.

    Raises BundleError for a name that may not be, or that meets another.
    """
    names = Names()
    files: dict[str, bytes] = {}
    for raw, data in entries:
        path = clean_path(raw, limits)
        if is_junk(path):
            continue
        if data is None:
            names.add_folder(path)
        elif not path:
            raise BundleError("a file has no name", where="the archive", remedy="Pack the bot's folder again.")
        else:
            names.add_file(path)
            files[path] = data
    return files


def _walk(folder: Path, limits: BundleLimits) -> Iterator[tuple[str, bytes | None]]:
    if not folder.is_dir():
        raise BundleError("there is no such folder", where=str(folder), remedy="Name the folder of your bot.")
    meter = Meter(limits, limits.unpacked_bytes)
    scratch = _scratch(folder)

    def walk(inner: Path) -> Iterator[tuple[str, bytes | None]]:
        with os.scandir(inner) as found:
            entries = sorted(found, key=lambda entry: entry.name)
        for entry in entries:
            path = Path(entry.path).relative_to(folder).as_posix()
            if is_junk(path) or path in scratch:
                continue
            meter.add_entry()
            if entry.is_dir(follow_symlinks=False):
                yield path, None
                yield from walk(Path(entry.path))
            elif entry.is_file(follow_symlinks=False):
                meter.add_bytes(entry.stat(follow_symlinks=False).st_size, path)
                yield path, Path(entry.path).read_bytes()
            else:
                raise BundleError(
                    "it is a link, device, pipe or socket",
                    where=shown(path),
                    remedy="Put a plain file there instead.",
                )

    return walk(folder)


def _scratch(folder: Path) -> tuple[str, ...]:
    """Return what tools of the bot's language leave in its folder; a local build can be larger than any limit."""
    try:
        return read_manifest((folder / MANIFEST).read_bytes()).runtime.scratch
    except (OSError, BundleError):
        return ()


def _without_outer_folder(files: dict[str, bytes]) -> dict[str, bytes]:
    if not files:
        raise BundleError("it holds no files", where="the archive", remedy=f"Pack the folder that holds {MANIFEST}.")
    if MANIFEST in files:
        return files
    outer = {path.split("/")[0] for path in files}
    if len(outer) == 1 and f"{(top := outer.pop())}/{MANIFEST}" in files:
        return {path.removeprefix(f"{top}/"): data for path, data in files.items()}
    elsewhere = [path for path in files if path.lower().endswith(MANIFEST)]
    if elsewhere:
        remedy = f"There is {shown(elsewhere[0])}: it must be named {MANIFEST} and lie at the top, beside the entry."
    else:
        remedy = f"Put it at the top, or into the one folder that holds everything. At the top lie: {_listing(files)}."
    raise BundleError(f"there is no {MANIFEST}", where="the archive", remedy=remedy)


def _listing(files: Iterable[str]) -> str:
    tops = sorted({path.split("/")[0] + ("/" if "/" in path else "") for path in files})
    return ", ".join(shown(top) for top in tops[:8]) + (" ..." if len(tops) > 8 else "")
