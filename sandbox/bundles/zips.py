"""Reads zip archives (APPNOTE 6.3.10), strictly: what the central directory and the entries say must agree.

Offsets, sizes and check sums are proved while unpacking, never believed; entries that share bytes (quoting
bombs) are refused, and so is everything that a bot's archive has no use for.
"""

from __future__ import annotations

import stat
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from sandbox.bundles.errors import BundleError, shown
from sandbox.bundles.limits import BundleLimits, Meter, too_many

MAGIC: Final = (b"PK\x03\x04", b"PK\x05\x06")

_END: Final = struct.Struct("<4s4H2LH")
_CENTRAL: Final = struct.Struct("<4s6H3L5H2L")
_LOCAL: Final = struct.Struct("<4s5H3L2H")
_END_MAGIC: Final = b"PK\x05\x06"
_CENTRAL_MAGIC: Final = b"PK\x01\x02"
_LOCAL_MAGIC: Final = b"PK\x03\x04"
_MAX32: Final = 0xFFFFFFFF
_MAX16: Final = 0xFFFF
_ENCRYPTED: Final = 0x2041  # encrypted, strong encryption, masked headers
_UTF8: Final = 0x0800
_STORED: Final = 0
_DEFLATED: Final = 8
_REPACK: Final = "Pack it again with a usual tool, such as `zip -r bot.zip .` or the file manager's."


@dataclass(frozen=True, slots=True)
class _Entry:
    name: str
    raw_name: bytes
    flags: int
    method: int
    crc: int
    packed: int
    unpacked: int
    mode: int
    offset: int

    @property
    def is_folder(self) -> bool:
        return self.name.endswith("/") or stat.S_ISDIR(self.mode)


def read_zip(data: bytes, limits: BundleLimits) -> Iterator[tuple[str, bytes | None]]:
    """Yield each entry's archived name and bytes (None for a folder).

    Raises BundleError for anything but plain files and folders, stored or deflated, within ``limits``.
    """
    entries, directory = _central_directory(data, limits)
    meter = Meter(limits, len(data))
    end_of_last = 0
    for entry in sorted(entries, key=lambda entry: entry.offset):
        meter.add_entry()
        start = _start_of_bytes(data, entry)
        if entry.offset < end_of_last or start + entry.packed > directory:
            raise _damaged("the entry shares bytes with another or with the directory", entry)
        end_of_last = start + entry.packed
        content = _unpack(memoryview(data)[start:end_of_last], entry, meter)
        if entry.is_folder and content:
            raise _damaged("a folder carries bytes", entry)
        yield entry.name, None if entry.is_folder else content


def _central_directory(data: bytes, limits: BundleLimits) -> tuple[list[_Entry], int]:
    at = data.rfind(_END_MAGIC, max(0, len(data) - _END.size - _MAX16))
    if at < 0 or at + _END.size > len(data):
        raise _damaged("it has no end: it was cut short")
    _, disk, first_disk, count_here, count, size, offset, comment = _END.unpack_from(data, at)
    if at + _END.size + comment != len(data):
        raise _damaged("bytes follow its end")
    if _MAX16 in (count, count_here) or _MAX32 in (size, offset):
        raise too_many(limits)
    if disk or first_disk or count != count_here:
        raise BundleError("it is one of several parts", where="the archive", remedy=_REPACK)
    if count > limits.files:
        raise too_many(limits)
    if offset + size != at:
        raise _damaged("its directory is not where it says (something was put before or after it)")
    entries = []
    position = offset
    for _ in range(count):
        entry, position = _central_entry(data, position, at)
        entries.append(entry)
    if position != at:
        raise _damaged("its directory is longer than the entries it counts")
    return entries, offset


def _central_entry(data: bytes, position: int, end: int) -> tuple[_Entry, int]:
    if position + _CENTRAL.size > end or data[position : position + 4] != _CENTRAL_MAGIC:
        raise _damaged("its directory is broken")
    (
        _, _, _, flags, method, _, _, crc, packed, unpacked,
        name_size, extra_size, comment_size, disk, _, attributes, offset,
    ) = _CENTRAL.unpack_from(data, position)  # fmt: skip
    names = position + _CENTRAL.size
    following = names + name_size + extra_size + comment_size
    if following > end:
        raise _damaged("its directory is broken")
    raw_name = data[names : names + name_size]
    extra = data[names + name_size : names + name_size + extra_size]
    unpacked, packed, offset = _zip64(extra, (unpacked, packed, offset), raw_name)
    name = _decode(raw_name, flags)
    entry = _Entry(name, raw_name, flags, method, crc, packed, unpacked, attributes >> 16, offset)
    _check_kind(entry, disk=disk)
    return entry, following


def _zip64(extra: bytes, values: tuple[int, int, int], raw_name: bytes) -> tuple[int, int, int]:
    """Return the three 32-bit values, those that are all ones read from the zip64 extra field instead."""
    if _MAX32 not in values:
        return values
    position = 0
    while position + 4 <= len(extra):
        tag, size = struct.unpack_from("<HH", extra, position)
        if tag == 1:
            field = extra[position + 4 : position + 4 + size]
            wanted = values.count(_MAX32)
            if len(field) < 8 * wanted:
                break
            numbers = iter(struct.unpack_from(f"<{wanted}Q", field))
            first, second, third = (next(numbers) if value == _MAX32 else value for value in values)
            return first, second, third
        position += 4 + size
    raise BundleError("its zip64 sizes are missing", where=shown(raw_name), remedy=_REPACK)


def _decode(raw: bytes, flags: int) -> str:
    # Some packers write UTF-8 without saying so; code page 437 is what the format means by saying nothing.
    try:
        return raw.decode()
    except UnicodeDecodeError:
        if flags & _UTF8:
            raise BundleError("the name is not valid UTF-8", where=shown(raw), remedy="Rename the file.") from None
        return raw.decode("cp437")


def _check_kind(entry: _Entry, *, disk: int) -> None:
    where = shown(entry.name) or "the archive"
    if entry.flags & _ENCRYPTED:
        raise BundleError("it is encrypted", where=where, remedy="Pack the bot without a password.")
    if entry.method not in (_STORED, _DEFLATED):
        raise BundleError(f"it is packed by method {entry.method}, not stored or deflated", where=where, remedy=_REPACK)
    kind = stat.S_IFMT(entry.mode)
    if kind == stat.S_IFLNK:
        raise BundleError("it is a symbolic link", where=where, remedy="Pack the file itself instead of a link to it.")
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        raise BundleError("it is a device, pipe or socket", where=where, remedy="Pack plain files only.")
    if disk:
        raise BundleError("it is one of several parts", where="the archive", remedy=_REPACK)


def _start_of_bytes(data: bytes, entry: _Entry) -> int:
    if entry.offset + _LOCAL.size > len(data) or data[entry.offset : entry.offset + 4] != _LOCAL_MAGIC:
        raise _damaged("the entry is not where the directory says", entry)
    name_size: int
    extra_size: int
    _, _, flags, method, _, _, _, _, _, name_size, extra_size = _LOCAL.unpack_from(data, entry.offset)
    name_at = entry.offset + _LOCAL.size
    if (
        data[name_at : name_at + name_size] != entry.raw_name
        or method != entry.method
        or (flags ^ entry.flags) & _ENCRYPTED
    ):
        raise _damaged("the directory and the entry say different things", entry)
    return name_at + name_size + extra_size


def _unpack(packed: memoryview, entry: _Entry, meter: Meter) -> bytes:
    if entry.method == _STORED:
        content = bytes(packed)
        meter.add_bytes(len(content), shown(entry.name))
    else:
        inflater = zlib.decompressobj(-zlib.MAX_WBITS)
        try:
            content = inflater.decompress(packed, meter.allowance + 1)
        except zlib.error:
            raise _damaged("its bytes cannot be unpacked", entry) from None
        meter.add_bytes(len(content), shown(entry.name))
        if not inflater.eof or inflater.unused_data:
            raise _damaged("its bytes end before or after their end", entry)
    if len(content) != entry.unpacked or zlib.crc32(content) != entry.crc:
        raise _damaged("its size or check sum is not what the directory says", entry)
    return content


def _damaged(what: str, entry: _Entry | None = None) -> BundleError:
    where = shown(entry.name) if entry else "the archive"
    return BundleError(what, where=where or "the archive", remedy=_REPACK)
