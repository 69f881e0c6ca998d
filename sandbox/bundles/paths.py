"""Which names a bundle's files may have, and which files are not part of it."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from typing import Final

from sandbox.bundles.errors import BundleError, shown
from sandbox.bundles.limits import BundleLimits
from sandbox.runtimes import PRODUCTS

#: Folders, at any depth, that systems and tools leave behind and no bot needs.
JUNK_FOLDERS: Final = frozenset(
    ["__MACOSX", "__pycache__", ".git", ".hg", ".svn", ".idea", ".vscode", ".venv", ".tox", ".nox", ".mypy_cache",
     ".pytest_cache", ".ruff_cache", PRODUCTS]
)  # fmt: skip
JUNK_FILES: Final = frozenset([".ds_store", "thumbs.db", "desktop.ini"])

_FORBIDDEN_CATEGORIES: Final = frozenset(["Cc", "Cf", "Cs", "Co", "Zl", "Zp"])


def is_junk(path: str) -> bool:
    """Whether the file at ``path`` is a leftover of a system or a tool, not a part of the bot."""
    *folders, name = path.split("/")
    if name.lower() in JUNK_FILES or name.startswith("._"):
        return True
    return any(part in JUNK_FOLDERS for part in (*folders, name))


#: What a name may not be, each with what to do about it.
_REFUSALS: Final[tuple[tuple[Callable[[str], bool], str, str], ...]] = (
    (
        lambda raw: "\\" in raw,
        "the name contains a backslash",
        "Separate folders by / and pack with a current tool.",
    ),
    (
        lambda raw: raw.startswith("/") or ":" in raw,
        "the name is an absolute path or contains a colon",
        "Pack the bot's folder by relative names.",
    ),
    (
        lambda raw: any(unicodedata.category(c) in _FORBIDDEN_CATEGORIES for c in raw),
        "the name contains a control or invisible character",
        "Rename the file.",
    ),
    (
        lambda raw: ".." in raw.split("/"),
        "the name leads out of the bot's folder",
        "Pack the bot's folder from within, without '..'.",
    ),
    (
        lambda raw: "//" in raw or "/./" in f"/{raw}" or raw.endswith("/."),
        "the name has an empty part",
        "Write the name without '//' and '/./'.",
    ),
)


def clean_path(raw: str, limits: BundleLimits) -> str:
    """Return the canonical form of an archived name: relative, ``/`` between parts, Unicode NFC.

    A leading ``./`` and a trailing ``/`` are dropped; the root itself is ``""``.
    Raises BundleError for a name that could leave the folder or mean different files on different systems.
    """
    where = shown(raw) or "the archive"
    # The first look bounds the work; the form that is kept may be longer than the one that came.
    path = unicodedata.normalize("NFC", raw[: limits.path_bytes + 1])
    if len(raw) > limits.path_bytes or len(path.encode(errors="surrogatepass")) > limits.path_bytes:
        raise BundleError(
            f"the name is longer than {limits.path_bytes} bytes", where=where, remedy="Use shorter names."
        )
    if path.count("/") > limits.depth:
        raise BundleError(f"the name is deeper than {limits.depth} folders", where=where, remedy="Use fewer folders.")
    path = path.removeprefix("./")
    for is_wrong, what, remedy in _REFUSALS:
        if is_wrong(path):
            raise BundleError(what, where=where, remedy=remedy)
    path = path.removesuffix("/")
    return "" if path == "." else path


class Names:
    """The names met so far; refuses what could be one file on some systems and two on others."""

    def __init__(self) -> None:
        self._files: dict[str, str] = {}
        self._folders: dict[str, str] = {}

    def add_file(self, path: str) -> None:
        """Take a file; raises BundleError for a name met before, in another case or Unicode form, or as a folder."""
        key = _key(path)
        other = self._files.get(key) or self._folders.get(key)
        if other == path:
            raise BundleError("the name occurs twice", where=shown(path), remedy="Pack every file once.")
        if other is not None:
            raise _collision(path, other)
        self._files[key] = path
        self.add_folder(path.rpartition("/")[0])

    def add_folder(self, path: str) -> None:
        """Take a folder and its parents; raises BundleError for a name that is a file's or differs only in case."""
        while path:
            key = _key(path)
            if key in self._files:
                raise BundleError(
                    "the name is a file's and a folder's", where=shown(path), remedy="Rename one of the two."
                )
            if self._folders.setdefault(key, path) != path:
                raise _collision(path, self._folders[key])
            path = path.rpartition("/")[0]


def _key(path: str) -> str:
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", path).casefold())


def _collision(path: str, other: str) -> BundleError:
    return BundleError(
        f"the name differs from {shown(other)} only in case or Unicode form",
        where=shown(path),
        remedy="Rename one of the two.",
    )
