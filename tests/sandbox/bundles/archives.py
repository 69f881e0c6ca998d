"""Makes archives byte by byte, so that they can lie about every field."""

from __future__ import annotations

import gzip
import io
import stat
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

MANIFEST = b"""\
name = "mybot"
language = "python"
entry = "bot.py"
presets = ["podkidnoy"]
seats = [2, 4]
"""
BOT = b"print('ready')\n"
FILES = {"durak.toml": MANIFEST, "bot.py": BOT}


@dataclass
class Item:
    """A zip entry; what is left None is told truly."""

    name: bytes
    data: bytes = b""
    mode: int = stat.S_IFREG | 0o644
    method: int = 8
    flags: int = 0
    extra: bytes = b""
    packed: bytes | None = None
    crc: int | None = None
    size: int | None = None
    packed_size: int | None = None
    local_name: bytes | None = None
    local_method: int | None = None
    offset: int | None = None
    disk: int = 0
    body: bytes = field(init=False)

    def __post_init__(self) -> None:
        if self.packed is not None:
            self.body = self.packed
        elif self.method == 8:
            deflater = zlib.compressobj(9, zlib.DEFLATED, -15)
            self.body = deflater.compress(self.data) + deflater.flush()
        else:
            self.body = self.data


def make_zip(
    items: list[Item],
    *,
    count: int | None = None,
    prefix: bytes = b"",
    suffix: bytes = b"",
    gap: bytes = b"",
    directory_at: int | None = None,
    disk: int = 0,
) -> bytes:
    """A zip of ``items``, with the end record as told."""
    out = bytearray(prefix)
    directory = bytearray()
    for item in items:
        offset = len(out) if item.offset is None else item.offset
        crc = zlib.crc32(item.data) if item.crc is None else item.crc
        size = len(item.data) if item.size is None else item.size
        packed_size = len(item.body) if item.packed_size is None else item.packed_size
        local_name = item.name if item.local_name is None else item.local_name
        local_method = item.method if item.local_method is None else item.local_method
        if item.offset is None:
            out += struct.pack(
                "<4s5H3L2H", b"PK\x03\x04", 20, item.flags, local_method, 0, 33, crc,
                packed_size & 0xFFFFFFFF, size & 0xFFFFFFFF, len(local_name), 0,
            )  # fmt: skip
            out += local_name + item.body
        directory += struct.pack(
            "<4s6H3L5H2L", b"PK\x01\x02", 0x0314, 20, item.flags, item.method, 0, 33, crc, packed_size, size,
            len(item.name), len(item.extra), 0, item.disk, 0, item.mode << 16, offset,
        )  # fmt: skip
        directory += item.name + item.extra
    out += gap
    at = len(out) if directory_at is None else directory_at
    total = len(items) if count is None else count
    end = struct.pack("<4s4H2LH", b"PK\x05\x06", disk, disk, total, total, len(directory), at, 0)
    return bytes(out + directory + end + suffix)


def bot_items() -> list[Item]:
    return [Item(name.encode(), data) for name, data in FILES.items()]


def zip_with(*items: Item) -> bytes:
    """A good bot's zip and ``items``."""
    return make_zip([*bot_items(), *items])


def zip_of(files: Mapping[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return buffer.getvalue()


def block(
    name: bytes,
    data: bytes = b"",
    kind: bytes = b"0",
    *,
    size: bytes | None = None,
    link: bytes = b"",
    mode: int = 0o644,
    magic: bytes = b"ustar\x0000",
    checksum: int | None = None,
) -> bytes:
    """A tar header, with ``data`` behind it."""
    size = b"%011o\0" % len(data) if size is None else size
    head = name[:100].ljust(100, b"\0") + b"%07o\0" % mode + b"0000000\0" * 2 + size + b"%011o\0" % 0
    tail = kind + link[:100].ljust(100, b"\0") + magic + bytes(64) + bytes(16) + bytes(155) + bytes(12)
    total = sum(head) + 8 * 32 + sum(tail) if checksum is None else checksum
    return head + b"%06o\0 " % total + tail + data.ljust(-(-len(data) // 512) * 512, b"\0")


def pax(records: Mapping[str, bytes], kind: bytes = b"x") -> bytes:
    body = b""
    for key, value in records.items():
        text = b" %s=%s\n" % (key.encode(), value)
        length = len(text) + len(str(len(text)))
        length = len(text) + len(str(length))
        body += b"%d" % length + text
    return block(b"PaxHeader", body, kind)


def tar_with(*blocks: bytes, files: Mapping[str, bytes] = FILES, end: bytes = bytes(1024)) -> bytes:
    """A good bot's tar.gz and ``blocks``."""
    return gzip.compress(b"".join([*(block(n.encode(), d) for n, d in files.items()), *blocks, end]))


def tar_of(files: Mapping[str, bytes], change: Callable[[tarfile.TarInfo], None] | None = None) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as archive:
        for name, data in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            if change:
                change(info)
            archive.addfile(info, io.BytesIO(data))
    return buffer.getvalue()
