"""Reads tar.gz archives (ustar, GNU long names, pax), strictly: plain files and folders only."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from typing import Final

from sandbox.bundles.errors import BundleError, shown
from sandbox.bundles.limits import MIB, BundleLimits, Meter

MAGIC: Final = b"\x1f\x8b"

_BLOCK: Final = 512
_CHUNK: Final = 64 * 1024
_MAX_EXTENSION: Final = 64 * 1024
_MAX_EXTENSIONS: Final = 4 * MIB
_REPACK: Final = "Pack it again with `tar czf bot.tar.gz -C FOLDER .`."

#: Kinds of entry that are refused, by their type flag: what they are, what to do.
_REFUSED: Final = {
    b"1": ("a hard link", "Pack the file itself instead of a link to it (`tar --hard-dereference`)."),
    b"2": ("a symbolic link", "Pack the file itself instead of a link to it (`tar --dereference`)."),
    b"3": ("a character device", "Pack plain files only."),
    b"4": ("a block device", "Pack plain files only."),
    b"6": ("a pipe", "Pack plain files only."),
    b"S": ("a sparse file", "Pack it again without `--sparse`."),
    b"D": ("an incremental dump", _REPACK),
    b"M": ("a part of several volumes", _REPACK),
    b"V": ("a volume's label", _REPACK),
}
_FILES: Final = (b"0", b"\0", b"7")
_FOLDER: Final = b"5"
_PAX: Final = b"x"
_PAX_GLOBAL: Final = b"g"
_GNU_LONG_NAME: Final = b"L"
_GNU_LONG_LINK: Final = b"K"
_EXTENSIONS: Final = (_PAX, _PAX_GLOBAL, _GNU_LONG_NAME, _GNU_LONG_LINK)


def read_tar_gz(data: bytes, limits: BundleLimits) -> Iterator[tuple[str, bytes | None]]:
    """Yield each entry's archived name and bytes (None for a folder).

    Raises BundleError for anything but plain files and folders within ``limits``.
    """
    return read_tar(_gunzip(data, limits), limits)


def read_tar(tar: bytes, limits: BundleLimits) -> Iterator[tuple[str, bytes | None]]:
    """Do the same for an archive that is not compressed."""
    meter = Meter(limits, len(tar))
    position = 0
    given: dict[str, str] = {}
    extensions = 0
    if len(tar) < _BLOCK:
        raise _damaged("it is no tar archive (is it a single file packed by gzip?)")
    while position + _BLOCK <= len(tar):
        header = tar[position : position + _BLOCK]
        if not any(header):
            return
        _check_sum(header, first=position == 0)
        kind = header[156:157]
        name = given.get("path") or _header_name(header)
        # A header that gives the next entry its size must not change its own.
        size = _size(None if kind in _EXTENSIONS else given.get("size"), header[124:136], name)
        body = tar[position + _BLOCK : position + _BLOCK + size]
        if len(body) != size:
            raise _damaged("the entry is cut short", name)
        position += _BLOCK + -(-size // _BLOCK) * _BLOCK
        if kind in _EXTENSIONS:
            extensions += size
            if extensions > _MAX_EXTENSIONS:
                raise _damaged("its extended headers are larger than 4 MiB")
            given |= _extension(kind, body)
            continue
        meter.add_entry()
        if kind == _FOLDER:
            yield name, None
        elif kind in _FILES:
            meter.add_bytes(size, shown(name))
            # Before POSIX a folder was a file whose name ends in a slash.
            yield name, None if name.endswith("/") and not size else body
        else:
            what, remedy = _REFUSED.get(kind, (f"of an unknown kind ({shown(kind)})", _REPACK))
            raise BundleError(f"it is {what}", where=shown(name), remedy=remedy)
        given = {}
    if any(tar[position:]):
        raise _damaged("it is cut short")


def _gunzip(data: bytes, limits: BundleLimits) -> bytes:
    # Headers and padding come on top of the files' bytes: at most 1 KiB and a long name for each.
    room = limits.unpacked_bytes + limits.files * 4 * _BLOCK
    ceiling = min(room, max(len(data) * limits.ratio, limits.ratio_from))
    inflater = zlib.decompressobj(16 + zlib.MAX_WBITS)
    parts: list[bytes] = []
    total = position = 0
    try:
        while not inflater.eof:
            piece = inflater.unconsumed_tail
            if not piece:
                piece = data[position : position + _CHUNK]
                position += len(piece)
            part = inflater.decompress(piece, _CHUNK)
            if not piece and not part:
                raise _damaged("it is cut short")
            total += len(part)
            if total > ceiling:
                raise _too_large(limits, ratio=ceiling < room)
            parts.append(part)
    except zlib.error:
        raise _damaged("its bytes cannot be unpacked") from None
    if any(inflater.unused_data) or any(data[position:]):
        raise _damaged("bytes follow its end")
    return b"".join(parts)


def _too_large(limits: BundleLimits, *, ratio: bool) -> BundleError:
    most = f"{limits.ratio} times its packed size" if ratio else f"{limits.unpacked_bytes // MIB} MiB"
    return BundleError(
        f"it unpacks to more than {most}",
        where="the archive",
        remedy="Leave out what the bot does not need to play.",
    )


def _check_sum(header: bytes, *, first: bool) -> None:
    field = header[148:156]
    try:
        claimed = int(field.replace(b"\0", b" ").decode("ascii").strip(), 8)
    except ValueError:
        claimed = -1
    if claimed != sum(header) - sum(field) + 8 * 0x20:
        if first:
            raise _damaged("it is no tar archive (is it a single file packed by gzip?)")
        raise _damaged("an entry's header is damaged")


def _header_name(header: bytes) -> str:
    name = header[:100].split(b"\0", 1)[0]
    if header[257:263] == b"ustar\0":
        prefix = header[345:500].split(b"\0", 1)[0]
        name = prefix + b"/" + name if prefix else name
    return _text(name)


def _size(from_pax: str | None, field: bytes, name: str) -> int:
    if from_pax is not None:
        text = from_pax
        base = 10
    elif field[0] & 0x80:
        return int.from_bytes(field[1:], "big") if field[0] == 0x80 else _refuse_size(name)
    else:
        text = field.replace(b"\0", b" ").decode("ascii", "replace").strip() or "0"
        base = 8
    digits = "0123456789"[:base]
    if len(text) > 20 or not text or text.strip(digits):
        return _refuse_size(name)
    return int(text, base)


def _refuse_size(name: str) -> int:
    raise _damaged("its size is no number", name)


def _extension(kind: bytes, body: bytes) -> dict[str, str]:
    """Return the ``path`` and ``size`` that a pax or GNU header gives to the next entry."""
    if len(body) > _MAX_EXTENSION:
        raise _damaged("an extended header is larger than 64 KiB")
    if kind == _GNU_LONG_NAME:
        return {"path": _text(body.rstrip(b"\0"))}
    if kind == _GNU_LONG_LINK:
        return {}
    records = _pax_records(body)
    if any(key.startswith("GNU.sparse") for key in records):
        raise BundleError("it holds a sparse file", where="the archive", remedy="Pack it again without `--sparse`.")
    given = {key: value for key, value in records.items() if key in ("path", "size")}
    if kind == _PAX_GLOBAL and given:
        raise _damaged("a global header names a single file's path or size")
    return given


def _pax_records(body: bytes) -> dict[str, str]:
    records: dict[str, str] = {}
    position = 0
    while position < len(body):
        space = body.find(b" ", position, position + 8)
        digits = body[position:space]
        end = position + int(digits) if space > 0 and digits.isdigit() else 0
        if not space < end <= len(body) or body[end - 1 : end] != b"\n":
            raise _damaged("an extended header is damaged")
        key, equals, value = body[space + 1 : end - 1].partition(b"=")
        if not equals:
            raise _damaged("an extended header is damaged")
        # Other tools' keys (times, attributes) may hold any bytes; only names and sizes are read.
        name = key.decode("utf-8", "replace")
        records[name] = _text(value) if name in ("path", "size") else ""
        position = end
    return records


def _text(raw: bytes) -> str:
    try:
        return raw.decode()
    except UnicodeDecodeError:
        raise BundleError("the name is not valid UTF-8", where=shown(raw), remedy="Rename the file.") from None


def _damaged(what: str, name: str = "") -> BundleError:
    return BundleError(what, where=shown(name) or "the archive", remedy=_REPACK)
