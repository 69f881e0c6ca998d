# ruff: noqa: E501 - one row a line
"""One named row per hostile or broken archive; each is refused by name, and nothing reaches the disk."""

from __future__ import annotations

import gzip
import random
import stat
import struct
import time
import tracemalloc
import zlib
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from sandbox.bundles import Bundle, BundleError, BundleLimits
from tests.sandbox.bundles.archives import (
    BOT,
    FILES,
    MANIFEST,
    Item,
    block,
    bot_items,
    make_zip,
    pax,
    tar_of,
    tar_with,
    zip_of,
    zip_with,
)

MIB = 1024 * 1024
LIMITS = BundleLimits()


@dataclass(frozen=True)
class Row:
    """What the archive is, how it is made, and words that its refusal must hold."""

    name: str
    make: Callable[[], bytes]
    words: str


def deflated(data: bytes) -> bytes:
    deflater = zlib.compressobj(9, zlib.DEFLATED, -15)
    return deflater.compress(data) + deflater.flush()


def quoting_bomb() -> bytes:
    """Every entry's bytes are the same kernel: small packed, huge unpacked."""
    kernel = Item(b"a0", b"x" * MIB)
    first = 0
    shared = [Item(b"a0", b"x" * MIB, offset=first, local_name=b"a0") for _ in range(30)]
    return make_zip([kernel, *shared, *bot_items()])


def overlapping() -> bytes:
    """A stored entry whose bytes are another whole entry."""
    inner = make_zip([Item(b"inner.py", BOT)])
    size = inner.index(b"PK\x01\x02")
    outer = Item(b"outer.bin", inner[:size], method=0)
    return make_zip([outer, Item(b"inner.py", BOT, offset=30 + len(b"outer.bin")), *bot_items()])


def gzip_bomb() -> bytes:
    return tar_with(block(b"zeros", bytes(64 * MIB)))


def patched(data: bytes, at: int, value: bytes) -> bytes:
    return data[:at] + value + data[at + len(value) :]


SYMLINK = stat.S_IFLNK | 0o777

ZIPS = [
    Row("a symbolic link", lambda: zip_with(Item(b"link", b"/etc/passwd", mode=SYMLINK)), "symbolic link"),
    Row("a symbolic link as the entry", lambda: make_zip([Item(b"durak.toml", MANIFEST), Item(b"bot.py", b"/etc/passwd", mode=SYMLINK)]), "symbolic link"),
    Row("a character device", lambda: zip_with(Item(b"dev", mode=stat.S_IFCHR | 0o666)), "device"),
    Row("a block device", lambda: zip_with(Item(b"dev", mode=stat.S_IFBLK | 0o666)), "device"),
    Row("a pipe", lambda: zip_with(Item(b"pipe", mode=stat.S_IFIFO | 0o666)), "pipe"),
    Row("a socket", lambda: zip_with(Item(b"sock", mode=stat.S_IFSOCK | 0o666)), "socket"),
    Row("an absolute path", lambda: zip_with(Item(b"/etc/cron.d/x", b"x")), "absolute"),
    Row("a path out of the folder", lambda: zip_with(Item(b"../x", b"x")), "leads out"),
    Row("a path out of the folder and back", lambda: zip_with(Item(b"a/../../bot/x", b"x")), "leads out"),
    Row("a path out of the folder behind ./", lambda: zip_with(Item(b"./../x", b"x")), "leads out"),
    Row("a folder named ..", lambda: zip_with(Item(b"../", mode=stat.S_IFDIR | 0o755)), "leads out"),
    Row("a path with an empty part", lambda: zip_with(Item(b"a//b", b"x")), "empty part"),
    Row("a Windows drive", lambda: zip_with(Item(b"C:/x", b"x")), "colon"),
    Row("an alternate data stream", lambda: zip_with(Item(b"bot.py:evil", b"x")), "colon"),
    Row("a backslash", lambda: zip_with(Item(b"..\\x", b"x")), "backslash"),
    Row("a NUL in the name", lambda: zip_with(Item(b"a\0b", b"x")), "control"),
    Row("a newline in the name", lambda: zip_with(Item(b"a\nb", b"x")), "control"),
    Row("an escape sequence in the name", lambda: zip_with(Item(b"\x1b[2Ja", b"x")), "control"),
    Row("a right-to-left override in the name", lambda: zip_with(Item("a\u202egpj.py".encode(), b"x")), "invisible"),
    Row("a name that is not UTF-8 but says so", lambda: zip_with(Item(b"\xff\xfe", b"x", flags=0x800)), "UTF-8"),
    Row("a name too long", lambda: zip_with(Item(b"x" * 201, b"x")), "longer than"),
    Row("folders too deep", lambda: zip_with(Item(b"d/" * 13 + b"x", b"x")), "deeper than"),
    Row("a file without a name", lambda: zip_with(Item(b"", b"x")), "no name"),
    Row("the same name twice", lambda: zip_with(Item(b"bot.py", b"x")), "occurs twice"),
    Row("the same name behind ./", lambda: zip_with(Item(b"./bot.py", b"x")), "occurs twice"),
    Row("the same name behind ././", lambda: zip_with(Item(b"././bot.py", b"x")), "empty part"),
    Row("a name that grows when it is composed", lambda: zip_with(Item(("\u0958" * 66).encode(), b"x")), "longer than"),
    Row("the same name in another case", lambda: zip_with(Item(b"Bot.py", b"x")), "only in case"),
    Row("the same folder in another case", lambda: zip_with(Item(b"lib/a", b"x"), Item(b"LIB/b", b"x")), "only in case"),
    Row("the same name in another Unicode form", lambda: zip_with(Item("\ufb01.py".encode(), b"x"), Item(b"fi.py", b"x")), "Unicode form"),
    Row("names composed and decomposed", lambda: zip_with(Item("\u00e9".encode(), b"x"), Item("e\u0301".encode(), b"x")), "twice"),
    Row("a file that is also a folder", lambda: zip_with(Item(b"a", b"x"), Item(b"a/b", b"x")), "file's and a folder's"),
    Row("a folder that is also a file", lambda: zip_with(Item(b"a/b", b"x"), Item(b"A", b"x")), "only in case"),
    Row("a deflate bomb", lambda: zip_with(Item(b"zeros", bytes(64 * MIB))), "unpacks to more than"),
    Row("a deflate bomb that claims ten bytes", lambda: zip_with(Item(b"zeros", bytes(64 * MIB), size=10)), "unpacks to more than"),
    Row("many small bombs", lambda: zip_with(*(Item(b"z%d" % n, bytes(512 * 1024)) for n in range(40))), "times its packed size"),
    Row("a quoting bomb", quoting_bomb, "shares bytes"),
    Row("an entry inside another", overlapping, "shares bytes"),
    Row("an entry that reaches into the directory", lambda: make_zip([*bot_items(), Item(b"x", b"abc", method=0, packed_size=60, size=60)]), "shares bytes"),
    Row("an encrypted entry", lambda: zip_with(Item(b"secret", b"x", flags=1)), "encrypted"),
    Row("strong encryption", lambda: zip_with(Item(b"secret", b"x", flags=0x41)), "encrypted"),
    Row("an unknown method", lambda: zip_with(Item(b"x", b"x", method=12)), "method 12"),
    Row("a method that differs in the entry", lambda: zip_with(Item(b"x", b"x", local_method=0)), "different things"),
    Row("a name that differs in the entry", lambda: zip_with(Item(b"good.py", b"x", local_name=b"../evil")), "different things"),
    Row("a wrong check sum", lambda: zip_with(Item(b"x", b"x", crc=1)), "check sum"),
    Row("a size that is too small", lambda: zip_with(Item(b"x", b"xyz", size=2)), "size"),
    Row("a size that is too large", lambda: zip_with(Item(b"x", b"xyz", size=2000)), "size"),
    Row("bytes that are not deflated", lambda: zip_with(Item(b"x", b"x", packed=b"\xff\xff\xff")), "cannot be unpacked"),
    Row("deflated bytes cut short", lambda: zip_with(Item(b"x", b"xyz" * 99, packed=deflated(b"xyz" * 99)[:-2])), "end before"),
    Row("bytes behind the deflated ones", lambda: zip_with(Item(b"x", b"x", packed=deflated(b"x") + b"more")), "end before or after"),
    Row("a folder that carries bytes", lambda: zip_with(Item(b"folder/", b"x")), "carries bytes"),
    Row("zip64 sizes that are missing", lambda: zip_with(Item(b"x", b"x", size=0xFFFFFFFF)), "zip64"),
    Row("zip64 sizes that lie", lambda: zip_with(Item(b"x", b"x", size=0xFFFFFFFF, extra=struct.pack("<HHQ", 1, 8, 2**62))), "size"),
    Row("a zip64 field cut short", lambda: zip_with(Item(b"x", b"x", size=0xFFFFFFFF, extra=b"\x01\x00\x08\x00abc")), "zip64"),
    Row("a zip64 offset past the end", lambda: zip_with(Item(b"x", b"x", offset=0xFFFFFFFF, extra=struct.pack("<HHQ", 1, 8, 2**63))), "not where"),
    Row("more entries than allowed", lambda: make_zip([*bot_items(), *(Item(b"f%d" % n) for n in range(2000))]), "more than 2000 files"),
    Row("a count that claims 65,535 entries", lambda: make_zip(bot_items(), count=0xFFFF), "more than 2000 files"),
    Row("a count that is too small", lambda: make_zip([*bot_items(), Item(b"x", b"x")], count=2), "longer than the entries"),
    Row("a count that is too large", lambda: make_zip(bot_items(), count=3), "directory is broken"),
    Row("something put before it", lambda: b"#!/bin/sh\n" + zip_of(FILES), "neither a zip"),
    Row("a zip put before it", lambda: zip_of({"x": b"x"}) + zip_of(FILES), "not where it says"),
    Row("a gap before the directory", lambda: make_zip(bot_items(), gap=b"gap", directory_at=0), "not where it says"),
    Row("bytes after its end", lambda: make_zip(bot_items(), suffix=b"more"), "bytes follow"),
    Row("one of several parts", lambda: make_zip(bot_items(), disk=1), "several parts"),
    Row("an entry on another part", lambda: zip_with(Item(b"x", b"x", disk=2)), "several parts"),
    Row("an offset past the end", lambda: zip_with(Item(b"x", b"x", offset=10**8)), "not where"),
    Row("cut in the middle", lambda: zip_of(FILES)[: len(zip_of(FILES)) // 2], "cut short"),
    Row("cut in its end record", lambda: zip_of(FILES)[:-5], "cut short"),
    Row("only the first four bytes", lambda: b"PK\x03\x04", "cut short"),
    Row("an empty zip", lambda: zip_of({}), "holds no files"),
    Row("nothing but Mac leftovers", lambda: zip_of({"__MACOSX/._bot.py": b"x", ".DS_Store": b"x"}), "holds no files"),
]  # fmt: skip

TARS = [
    Row("a symbolic link", lambda: tar_with(block(b"link", kind=b"2", link=b"/etc/passwd")), "symbolic link"),
    Row("a symbolic link as the entry", lambda: tar_with(block(b"bot.py", kind=b"2", link=b"/etc/passwd"), files={"durak.toml": MANIFEST}), "symbolic link"),
    Row("a link to a folder, then a file in it", lambda: tar_with(block(b"d", kind=b"2", link=b"/tmp"), block(b"d/x", b"x")), "symbolic link"),
    Row("a symbolic link that carries bytes", lambda: tar_with(block(b"link", b"x" * 600, b"2", link=b"/etc")), "symbolic link"),
    Row("a hard link", lambda: tar_with(block(b"link", kind=b"1", link=b"/etc/shadow")), "hard link"),
    Row("a hard link within the archive", lambda: tar_with(block(b"link", kind=b"1", link=b"bot.py")), "hard link"),
    Row("a character device", lambda: tar_with(block(b"zero", kind=b"3")), "character device"),
    Row("a block device", lambda: tar_with(block(b"sda", kind=b"4")), "block device"),
    Row("a pipe", lambda: tar_with(block(b"pipe", kind=b"6")), "pipe"),
    Row("a GNU sparse file", lambda: tar_with(block(b"sparse", kind=b"S")), "sparse"),
    Row("a pax sparse file", lambda: tar_with(pax({"GNU.sparse.major": b"1", "GNU.sparse.realsize": b"99999999999"}), block(b"x", b"x")), "sparse"),
    Row("a part of several volumes", lambda: tar_with(block(b"x", kind=b"M")), "volumes"),
    Row("a volume's label", lambda: tar_with(block(b"x", kind=b"V")), "label"),
    Row("an incremental dump", lambda: tar_with(block(b"x/", kind=b"D")), "dump"),
    Row("an unknown kind", lambda: tar_with(block(b"x", kind=b"Z")), "unknown kind"),
    Row("an absolute path", lambda: tar_with(block(b"/etc/cron.d/x", b"x")), "absolute"),
    Row("an absolute path by pax", lambda: tar_with(pax({"path": b"/etc/x"}), block(b"ok", b"x")), "absolute"),
    Row("an absolute path by a GNU long name", lambda: tar_with(block(b"././@LongLink", b"/etc/x\0", b"L"), block(b"ok", b"x")), "absolute"),
    Row("a path out of the folder", lambda: tar_with(block(b"../x", b"x")), "leads out"),
    Row("a path out of the folder by pax", lambda: tar_with(pax({"path": b"a/../../x"}), block(b"ok", b"x")), "leads out"),
    Row("a path out of the folder by its prefix", lambda: tar_with(patched_prefix(b"..")), "leads out"),
    Row("a backslash", lambda: tar_with(block(b"a\\b", b"x")), "backslash"),
    Row("a NUL in a pax name", lambda: tar_with(pax({"path": b"bot.py\0.txt"}), block(b"ok", b"x")), "control"),
    Row("a NUL in a GNU long name", lambda: tar_with(block(b"././@LongLink", b"a\0b\0", b"L"), block(b"ok", b"x")), "control"),
    Row("a newline in the name", lambda: tar_with(block(b"a\nb", b"x")), "control"),
    Row("a name that is not UTF-8", lambda: tar_with(block(b"\xff\xfe", b"x")), "UTF-8"),
    Row("a name too long", lambda: tar_of(FILES | {"x" * 250: b"x"}), "longer than"),
    Row("the same name twice", lambda: tar_with(block(b"bot.py", b"x")), "occurs twice"),
    Row("the same name in another case", lambda: tar_with(block(b"BOT.PY", b"x")), "only in case"),
    Row("names composed and decomposed", lambda: tar_of(FILES | {"\u00e9": b"x", "e\u0301": b"x"}), "twice"),
    Row("a file that is also a folder", lambda: tar_with(block(b"a", b"x"), block(b"a/b", b"x")), "file's and a folder's"),
    Row("a folder over a file", lambda: tar_with(block(b"bot.py/", kind=b"5")), "file's and a folder's"),
    Row("a gzip bomb", gzip_bomb, "unpacks to more than"),
    Row("a gzip bomb behind the end of the tar", lambda: tar_with(end=bytes(64 * MIB)), "unpacks to more than"),
    Row("a gzip bomb in an extended header", lambda: tar_with(block(b"x", bytes(MIB), b"x"), block(b"x", b"x")), "64 KiB"),
    Row("a size of eight exabytes", lambda: tar_with(block(b"x", size=b"\x80" + bytes(3) + b"\x7f" + b"\xff" * 7)), "cut short"),
    Row("a negative size", lambda: tar_with(block(b"x", size=b"\xff" * 12)), "no number"),
    Row("a size that is no number", lambda: tar_with(block(b"x", size=b"12345678zz\0\0")), "no number"),
    Row("a negative pax size", lambda: tar_with(pax({"size": b"-512"}), block(b"x", b"x")), "no number"),
    Row("a pax size of a thousand digits", lambda: tar_with(pax({"size": b"9" * 1000}), block(b"x", b"x")), "no number"),
    Row("a pax size that is too large", lambda: tar_with(pax({"size": b"999999"}), block(b"x", b"x")), "cut short"),
    Row("a pax record with a wrong length", lambda: tar_with(block(b"p", b"99 path=x\n", b"x"), block(b"x", b"x")), "damaged"),
    Row("a pax record without an end", lambda: tar_with(block(b"p", b"9 path=xy", b"x"), block(b"x", b"x")), "damaged"),
    Row("a global pax path", lambda: tar_with(pax({"path": b"bot.py"}, b"g"), block(b"x", b"x")), "global header"),
    Row("a wrong check sum", lambda: tar_with(block(b"x", b"x", checksum=1)), "header is damaged"),
    Row("an entry cut short", lambda: gzip.compress(block(b"durak.toml", MANIFEST) + block(b"bot.py", size=b"%011o\0" % 5000)), "cut short"),
    Row("more entries than allowed", lambda: tar_with(*(block(b"f%d" % n) for n in range(2000))), "more than 2000 files"),
    Row("more folders than allowed", lambda: tar_with(*(block(b"f%d/" % n, kind=b"5") for n in range(2000))), "more than 2000 files"),
    Row("tiny pax records without end", lambda: tar_with(block(b"noise", random.Random(1).randbytes(100_000)), *([pax_of_tiny_records()] * 100)), "extended headers are larger"),
    Row("a name of a megabyte", lambda: tar_with(block(b"././@LongLink", b"a" * 60000, b"L"), block(b"ok", b"x")), "longer than"),
    Row("extended headers only", lambda: gzip.compress(pax({"comment": b"x"}) * 2000), "holds no files"),
    Row("a second gzip member", lambda: tar_with() + tar_with(), "bytes follow"),
    Row("bytes after its end", lambda: tar_with() + b"more", "bytes follow"),
    Row("cut in the middle", lambda: tar_with()[: len(tar_with()) // 2], "cut short"),
    Row("a damaged gzip", lambda: patched(tar_with(), 20, b"\xff\xff\xff\xff"), "cannot be unpacked"),
    Row("a wrong gzip check sum", lambda: patched(tar_with(), len(tar_with()) - 8, b"\0\0\0\0"), "cannot be unpacked"),
    Row("a single file in gzip", lambda: gzip.compress(BOT * 100), "no tar archive"),
    Row("an empty file in gzip", lambda: gzip.compress(b""), "no tar archive"),
    Row("an empty tar", lambda: gzip.compress(bytes(10240)), "holds no files"),
]  # fmt: skip

OTHERS = [
    Row("nothing at all", lambda: b"", "it is empty"),
    Row("a Python file", lambda: BOT, "neither a zip nor a tar.gz"),
    Row("a web page", lambda: b"<!DOCTYPE html><html></html>", "neither a zip nor a tar.gz"),
    Row("a tar without gzip", lambda: gzip.decompress(tar_with()), "tar without gzip"),
    Row("a rar", lambda: b"Rar!\x1a\x07\x01\x00" + bytes(100), "packed as rar"),
    Row("a 7z", lambda: b"7z\xbc\xaf\x27\x1c" + bytes(100), "packed as 7z"),
    Row("an xz", lambda: b"\xfd7zXZ\x00" + bytes(100), "packed as xz"),
    Row("larger than the limit", lambda: zip_of(FILES) + bytes(12 * MIB), "larger than 12 MiB"),
]  # fmt: skip


def pax_of_tiny_records() -> bytes:
    return block(b"PaxHeader", b"5 a=\n" * 13_000, b"x")


def patched_prefix(prefix: bytes) -> bytes:
    """A ustar entry ``x`` whose prefix field is ``prefix``."""
    header = bytearray(block(b"x", b"x"))
    header[345 : 345 + len(prefix)] = prefix
    header[148:156] = b" " * 8
    header[148:156] = b"%06o\0 " % sum(header[:512])
    return bytes(header)


def rows(kind: str, table: list[Row]) -> list[object]:
    return [pytest.param(row, id=f"{kind}: {row.name}") for row in table]


@pytest.mark.parametrize("row", rows("zip", ZIPS) + rows("tar.gz", TARS) + rows("other", OTHERS))
def test_a_hostile_archive_is_refused_by_name(row: Row) -> None:
    data = row.make()
    started = time.process_time()
    with pytest.raises(BundleError) as caught:
        Bundle.from_archive(data)
    assert time.process_time() - started < 3
    error = caught.value
    assert row.words in error.what or row.words in str(error)
    assert error.where
    assert error.remedy.endswith((".", "?"))
    assert str(error).isprintable() or "\n" in str(error)


@pytest.mark.parametrize(
    "row", rows("zip", [r for r in ZIPS if "bomb" in r.name]) + rows("tar.gz", [r for r in TARS if "bomb" in r.name])
)
def test_a_bomb_costs_no_more_memory_than_the_limit(row: Row) -> None:
    data = row.make()
    tracemalloc.start()
    try:
        with pytest.raises(BundleError):
            Bundle.from_archive(data)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < LIMITS.unpacked_bytes + 8 * MIB


@pytest.mark.parametrize("make", [lambda: zip_of(FILES), tar_with], ids=["zip", "tar.gz"])
def test_no_cut_or_flipped_archive_breaks_the_reader(make: Callable[[], bytes]) -> None:
    good = make()
    whole = Bundle.from_archive(good)
    for at in range(len(good)):
        for damaged in (good[:at], patched(good, at, bytes([good[at] ^ 0x41]))):
            try:
                bundle = Bundle.from_archive(damaged)
            except BundleError:
                continue
            # Times and versions may differ; names and content may not.
            assert bundle == whole
