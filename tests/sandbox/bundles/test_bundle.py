"""What a bundle accepts, and that the same content is the same bundle however it was packed."""

from __future__ import annotations

import io
import os
import random
import re
import shutil
import stat
import subprocess
import tarfile
import time
import unicodedata
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandbox.bundles import Bundle, BundleError, BundleLimits
from sandbox.bundles.paths import is_junk
from tests.sandbox.bundles.archives import (
    BOT,
    FILES,
    MANIFEST,
    Item,
    block,
    make_zip,
    pax,
    tar_of,
    tar_with,
    zip_of,
    zip_with,
)


def write(folder: Path, files: dict[str, bytes]) -> Path:
    for name, data in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    return folder


def nested(files: dict[str, bytes], top: str = "mybot") -> dict[str, bytes]:
    return {f"{top}/{name}": data for name, data in files.items()}


PACKED = {
    "zip": zip_of(FILES),
    "zip in another order": zip_of(dict(reversed(FILES.items()))),
    "zip, stored": make_zip([Item(n.encode(), d, method=0) for n, d in FILES.items()]),
    "zip, 0600 files": make_zip([Item(n.encode(), d, mode=stat.S_IFREG | 0o600) for n, d in FILES.items()]),
    "zip, no modes at all": make_zip([Item(n.encode(), d, mode=0) for n, d in FILES.items()]),
    "zip, everything executable": make_zip([Item(n.encode(), d, mode=stat.S_IFREG | 0o777) for n, d in FILES.items()]),
    "zip, setuid files": make_zip([Item(n.encode(), d, mode=stat.S_IFREG | 0o6777) for n, d in FILES.items()]),
    "zip in one folder": zip_of(nested(FILES)),
    "zip in one folder, named ./": zip_of({f"./{n}": d for n, d in nested(FILES).items()}),
    "zip made on a Mac": zip_of(
        nested(FILES)
        | {"__MACOSX/._mybot": b"\0\5\x16\7", "__MACOSX/mybot/._bot.py": b"\0\5\x16\7", "mybot/.DS_Store": b"Bud1"}
    ),
    "zip made on Windows": zip_of(FILES | {"Thumbs.db": b"x", "desktop.ini": b"x"}),
    "zip with Python's caches": zip_of(FILES | {"__pycache__/bot.cpython-312.pyc": b"x"}),
    "zip with a repository": zip_of(FILES | {".git/HEAD": b"ref: refs/heads/main\n"}),
    "zip with a build of one's own": zip_of(FILES | {".build/bot": b"\x7fELF"}),
    "tar.gz": tar_with(),
    "tar.gz in one folder": tar_of(nested(FILES)),
    "tar.gz, 0600 files": tar_of(FILES, lambda info: setattr(info, "mode", 0o600)),
    "tar.gz of another's files": tar_of(FILES, lambda info: setattr(info, "uid", 4321)),
    "tar.gz of another time": tar_of(FILES, lambda info: setattr(info, "mtime", 1e9)),
    "tar.gz with folders": tar_with(block(b"./", kind=b"5")),
    "tar.gz with a Mac's attributes": tar_with(
        pax({"LIBARCHIVE.xattr.com.apple.quarantine": b"\xff\x00", "mtime": b"1.5"}), block(b"._bot.py", b"\0\5")
    ),
    "tar.gz with a commit's comment": tar_with(pax({"comment": b"0123abcd"}, b"g")),
    "tar.gz before POSIX": tar_with(
        files={}, end=b"".join(block(n.encode(), d, b"\0", magic=bytes(8)) for n, d in FILES.items()) + bytes(1024)
    ),
    "tar.gz without an end": tar_with(end=b""),
    "tar.gz, padded": tar_with(end=bytes(10240)) + bytes(512),
}  # fmt: skip


@pytest.mark.parametrize("how", PACKED)
def test_the_same_content_is_the_same_bundle_however_it_was_packed(how: str, tmp_path: Path) -> None:
    bundle = Bundle.from_archive(PACKED[how])
    folder = Bundle.from_folder(write(tmp_path, FILES))
    assert dict(bundle.files) == {name: FILES[name] for name in sorted(FILES)}
    assert bundle == folder
    assert bundle.sha256 == folder.sha256


def test_python_s_own_zip64_archive_is_read() -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, data in FILES.items():
            with archive.open(name, "w", force_zip64=True) as file:
                file.write(data)
    assert dict(Bundle.from_archive(buffer.getvalue()).files) == dict(sorted(FILES.items()))


@pytest.mark.parametrize(
    "argv",
    [
        ["zip", "-qr", "../a", "."],
        ["zip", "-qr0", "../a", "."],
        ["tar", "czf", "../a.zip", "."],
        ["tar", "czf", "../a.zip", "--format=pax", "."],
        ["tar", "czf", "../a.zip", "--format=v7", "."],
        ["tar", "czf", "../a.zip", "-C", "..", "folder"],
    ],
    ids=" ".join,
)
def test_archives_of_usual_tools_are_read(argv: list[str], tmp_path: Path) -> None:
    if not shutil.which(argv[0]):
        pytest.skip(f"{argv[0]} is not installed")
    folder = write(tmp_path / "folder", FILES | {"deep/er/notes.txt": b"x" * 3000, "deep/empty": b""})
    subprocess.run(argv, cwd=folder, check=True)
    assert Bundle.from_archive((tmp_path / "a.zip").read_bytes()) == Bundle.from_folder(folder)


def test_a_long_name_is_read_from_gnu_and_pax_headers(tmp_path: Path) -> None:
    files = FILES | {"a" * 90 + "/" + "b" * 90: b"x"}
    for form in (tarfile.GNU_FORMAT, tarfile.PAX_FORMAT, tarfile.USTAR_FORMAT):
        buffer = io.BytesIO()
        with tarfile.open(fileobj=buffer, mode="w:gz", format=form) as archive:
            archive.add(write(tmp_path / str(form), files), ".")
        assert dict(Bundle.from_archive(buffer.getvalue()).files) == dict(sorted(files.items()))


def test_a_name_decomposed_by_a_mac_is_the_same_as_composed() -> None:
    name = "donn\u00e9es.txt"
    composed = Bundle.from_archive(zip_of(FILES | {name: b"x"}))
    decomposed = Bundle.from_archive(tar_of(FILES | {unicodedata.normalize("NFD", name): b"x"}))
    assert composed.sha256 == decomposed.sha256
    assert name in decomposed.files


@pytest.mark.parametrize(
    "other",
    [
        FILES | {"bot.py": BOT + b"#"},
        FILES | {"extra": b""},
        {"durak.toml": MANIFEST, "bot.py": b"", "bot.py2": BOT},
        FILES | {"a/b": b""},
    ],
)
def test_other_content_has_another_hash(other: dict[str, bytes]) -> None:
    assert Bundle.from_archive(zip_of(other)).sha256 != Bundle.from_archive(zip_of(FILES)).sha256


def test_moving_a_byte_from_a_name_to_its_file_changes_the_hash() -> None:
    one = Bundle.from_archive(zip_of(FILES | {"ab": b"c"}))
    two = Bundle.from_archive(zip_of(FILES | {"a": b"bc"}))
    assert one.sha256 != two.sha256


def test_the_hash_of_a_known_bot_never_changes() -> None:
    digest = "2a6a86effa97cb2ae8da24f084737e7c71523fc3fa1135563ee5ecffa91d15b7"
    assert Bundle.from_archive(zip_of(FILES)).sha256 == digest


def test_a_bundle_s_zip_reads_back_equal_and_is_the_same_each_time() -> None:
    bundle = Bundle.from_archive(tar_of(FILES | {"run.sh": b"#!/bin/sh\n", "d/e": b"x" * 9999}))
    assert Bundle.from_archive(bundle.to_zip()) == bundle
    assert bundle.to_zip() == Bundle.from_archive(bundle.to_zip()).to_zip()
    with zipfile.ZipFile(io.BytesIO(bundle.to_zip())) as archive:
        assert archive.testzip() is None
        assert archive.namelist() == sorted(bundle.files)


def test_extracted_files_are_readable_by_all_and_programs_run_again(tmp_path: Path) -> None:
    files = FILES | {"tool": b"#!/bin/sh\n", "lib/native.so": b"\x7fELF...", "lib/deep/data": b"x"}
    old = os.umask(0o077)
    try:
        Bundle.from_archive(
            make_zip([Item(n.encode(), d, mode=stat.S_IFREG | 0o600) for n, d in files.items()])
        ).extract(tmp_path / "new" / "bot")
    finally:
        os.umask(old)
    root = tmp_path / "new" / "bot"
    modes = {path.relative_to(root).as_posix(): stat.S_IMODE(path.stat().st_mode) for path in root.rglob("*")}
    assert modes == {
        "durak.toml": 0o644, "bot.py": 0o644, "tool": 0o755, "lib": 0o755,
        "lib/native.so": 0o755, "lib/deep": 0o755, "lib/deep/data": 0o644,
    }  # fmt: skip
    assert Bundle.from_folder(root) == Bundle.from_archive(zip_of(files))


def test_a_folder_in_use_is_not_extracted_into(tmp_path: Path) -> None:
    (tmp_path / "other").write_text("mine")
    with pytest.raises(FileExistsError, match="not empty"):
        Bundle.from_archive(zip_of(FILES)).extract(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["other"]


def test_a_missing_manifest_says_what_lies_there_instead() -> None:
    with pytest.raises(BundleError, match=r"no durak\.toml.*At the top lie: bot\.py, lib/"):
        Bundle.from_archive(zip_of({"bot.py": BOT, "lib/x.py": b""}))


@pytest.mark.parametrize("where", ["repo/mybot/durak.toml", "mybot/Durak.toml", "DURAK.TOML"])
def test_a_manifest_in_the_wrong_place_is_named(where: str) -> None:
    with pytest.raises(BundleError, match=rf"There is {where}: it must be named durak\.toml and lie at the top"):
        Bundle.from_archive(zip_of({where: MANIFEST, "other/bot.py": BOT}))


def test_two_folders_side_by_side_are_not_seen_through() -> None:
    with pytest.raises(BundleError, match=r"There is one/durak\.toml"):
        Bundle.from_archive(zip_of(nested(FILES, "one") | {"two/x": b""}))


def test_a_missing_entry_is_named_with_what_lies_there() -> None:
    with pytest.raises(BundleError, match=r"durak\.toml, entry: there is no file bot\.py.*lie: durak\.toml, main\.py"):
        Bundle.from_archive(zip_of({"durak.toml": MANIFEST, "main.py": BOT}))


def test_a_rust_bot_needs_its_cargo_toml_and_leaves_out_its_target(tmp_path: Path) -> None:
    manifest = MANIFEST.replace(b"python", b"rust").replace(b"bot.py", b"src/main.rs")
    files = {"durak.toml": manifest, "src/main.rs": b"fn main() {}\n"}
    with pytest.raises(BundleError, match=r"Cargo\.toml: there is no file Cargo\.toml, which a Rust bot needs"):
        Bundle.from_archive(zip_of(files))
    files["Cargo.toml"] = b"[package]\n"
    limits = BundleLimits(unpacked_bytes=4096)
    built = write(tmp_path, files | {"target/release/bot": b"x" * 5000})
    assert Bundle.from_folder(built, limits).sha256 == Bundle.from_archive(zip_of(files)).sha256
    assert Bundle.from_archive(zip_of(files | {"target/x": b"x"})).sha256 == Bundle.from_archive(zip_of(files)).sha256


@pytest.mark.parametrize("kind", ["link", "dangling link", "folder link", "pipe"])
def test_links_and_pipes_in_an_author_s_folder_are_refused(kind: str, tmp_path: Path) -> None:
    write(tmp_path, FILES)
    odd = tmp_path / "odd"
    match kind:
        case "link":
            odd.symlink_to("bot.py")
        case "dangling link":
            odd.symlink_to("nowhere")
        case "folder link":
            odd.symlink_to("/etc")
        case "pipe":
            os.mkfifo(odd)
    with pytest.raises(BundleError, match="odd: it is a link, device, pipe or socket"):
        Bundle.from_folder(tmp_path)


def test_a_folder_too_large_is_refused_before_it_is_read(tmp_path: Path) -> None:
    write(tmp_path, FILES)
    with (tmp_path / "huge").open("wb") as file:
        file.truncate(10**12)
    with pytest.raises(BundleError, match="huge: it unpacks to more than 32 MiB"):
        Bundle.from_folder(tmp_path)


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(BundleError, match="there is no such folder"):
        Bundle.from_folder(tmp_path / "nowhere")


def test_a_large_file_of_blanks_within_the_limits_is_no_bomb() -> None:
    bundle = Bundle.from_archive(zip_with(Item(b"table.bin", bytes(3 * 1024 * 1024))))
    assert len(bundle.files["table.bin"]) == 3 * 1024 * 1024


NAMES = (
    st.lists(st.text("abcdefghij \u00e9\u0416-_.", min_size=1, max_size=8), min_size=1, max_size=4)
    .map("/".join)
    .filter(lambda name: "." not in name.split("/"))
)


@given(st.dictionaries(NAMES, st.binary(max_size=2000), max_size=8))
def test_whatever_is_packed_comes_out_the_same_from_zip_and_tar(extra: dict[str, bytes]) -> None:
    files = FILES | extra
    try:
        bundle = Bundle.from_archive(zip_of(files))
    except BundleError as refusal:
        with pytest.raises(BundleError, match=re.escape(refusal.what)):
            Bundle.from_archive(tar_of(files))
        return
    assert dict(bundle.files) == {
        unicodedata.normalize("NFC", name): data for name, data in sorted(files.items()) if not is_junk(name)
    }
    assert Bundle.from_archive(tar_of(files)) == bundle
    assert Bundle.from_archive(bundle.to_zip()) == bundle


def test_the_largest_archive_is_read_in_a_second_or_two() -> None:
    files = FILES | {f"part{n}": random.Random(n).randbytes(1024 * 1024) for n in range(11)}
    for data in (zip_of(files), tar_of(files)):
        started = time.process_time()
        assert len(Bundle.from_archive(data).files) == len(files)
        assert time.process_time() - started < 3
