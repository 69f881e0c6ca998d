"""Which names a bundle's files may have, and which files are not part of it."""

from __future__ import annotations

import unicodedata
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


def clean_path(raw: str, limits: BundleLimits) -> str:
    """Return the canonical form of an archived name: relative, ``/`` between parts, Unicode NFC.

    A leading ``./`` and a trailing ``/`` are dropped; the root itself is ``""``.
    Raises BundleError for a name that could leave the folder or mean different files on different systems.
    """

    def refuse(what: str, remedy: str) -> BundleError:
        return BundleError(what, where=shown(raw) or "the archive", remedy=remedy)

    if "\\" in raw:
        raise refuse("the name contains a backslash", "Separate folders by / and pack with a current tool.")
    if raw.startswith("/") or ":" in raw:
        raise refuse("the name is an absolute path or contains a colon", "Pack the bot's folder by relative names.")
    if any(unicodedata.category(c) in _FORBIDDEN_CATEGORIES for c in raw):
        raise refuse("the name contains a control or invisible character", "Rename the file.")
    path = unicodedata.normalize("NFC", raw)
    while path.startswith("./"):
        path = path[2:]
    path = path.removesuffix("/")
    if path in ("", "."):
        return ""
    parts = path.split("/")
    if ".." in parts:
        raise refuse("the name leads out of the bot's folder", "Pack the bot's folder from within, without '..'.")
    if any(part in ("", ".") for part in parts):
        raise refuse("the name has an empty part", "Write the name without '//' and '/./'.")
    if len(path.encode()) > limits.path_bytes or len(parts) > limits.depth:
        raise refuse(
            f"the name is longer than {limits.path_bytes} bytes or deeper than {limits.depth} folders",
            "Use shorter names and fewer folders.",
        )
    return path


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
