"""``durak.toml``: what an author says about a bot."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, Final

from bots_sdk.durak import RuleSet
from sandbox.bundles.errors import BundleError, shown
from sandbox.runtimes import RUNTIMES, Runtime

MANIFEST: Final = "durak.toml"
MAX_BYTES: Final = 16 * 1024
SEATS: Final = range(2, 7)

_NAME: Final = re.compile(r"\w[\w .-]{0,38}\w|\w")
_EXAMPLE: Final = """name = "mybot"
language = "python"
entry = "bot.py"
presets = ["podkidnoy"]
seats = [2, 3, 4]"""


@dataclass(frozen=True, slots=True)
class Manifest:
    """A manifest that was checked; ``presets`` in the author's order, ``seats`` ascending."""

    name: str
    language: str
    entry: str
    presets: tuple[str, ...]
    seats: tuple[int, ...]

    @property
    def runtime(self) -> Runtime:
        """The row of its language."""
        return RUNTIMES[self.language]


def read_manifest(data: bytes) -> Manifest:
    """Parse and check the bytes of a ``durak.toml``.

    Raises BundleError with the key, what is wrong with it and what may stand there.
    """
    table = _parse(data)
    for key in table:
        if key not in _READERS:
            raise _refused(key, "there is no such key", _nearest(key, _READERS, "Keys are"))
    for key in _READERS:
        if key not in table:
            example = next(line for line in _EXAMPLE.splitlines() if line.startswith(key))
            raise _refused(key, "the key is missing", f"Add a line such as: {example}")
    values = {key: reader(table[key]) for key, reader in _READERS.items()}
    manifest = Manifest(**values)
    for name in manifest.presets:
        counts = RuleSet.preset(name).seat_counts
        if not set(counts) & set(manifest.seats):
            raise _refused(
                "seats",
                f"{name!r} cannot be played by {_numbers(manifest.seats)} seats",
                f"It takes {_numbers(counts)}: add such a number, or leave the rule set out.",
            )
    suffixes = manifest.runtime.suffixes
    if not manifest.entry.endswith(suffixes):
        raise _refused(
            "entry",
            f"{shown(manifest.entry)} is no {manifest.runtime.title} file",
            f"Name a file ending in {' or '.join(suffixes)}, or set another language.",
        )
    return manifest


def _parse(data: bytes) -> dict[str, Any]:
    if len(data) > MAX_BYTES:
        raise BundleError(f"it is larger than {MAX_BYTES // 1024} KiB", where=MANIFEST, remedy="Keep the five keys.")
    try:
        return tomllib.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise BundleError("it is not UTF-8 text", where=MANIFEST, remedy="Save it as UTF-8.") from None
    except (ValueError, RecursionError) as error:  # tomllib lets int()'s own ValueError through
        what = str(error).rstrip(".") or "it is nested too deep"
        raise BundleError(
            f"it is not valid TOML: {what}", where=MANIFEST, remedy=f"A manifest looks like this:\n{_EXAMPLE}"
        ) from None


def bot_name(value: object) -> str:
    """The name as it is kept (in Unicode's form NFC).

    Raises BundleError for what is no name.
    """
    name = unicodedata.normalize("NFC", value) if isinstance(value, str) else ""
    if not _NAME.fullmatch(name):
        raise _refused(
            "name",
            f"{_quoted(value)} is no name",
            "Use 1 to 40 letters, digits, underscores and, between them, spaces, dots and dashes.",
        )
    return name


def _language(value: object) -> str:
    if not isinstance(value, str) or value not in RUNTIMES:
        raise _refused("language", f"{_quoted(value)} is no language here", _nearest(value, RUNTIMES, "Languages are"))
    return value


def _entry(value: object) -> str:
    if not isinstance(value, str) or not value:
        raise _refused("entry", f"{_quoted(value)} is no path", 'Name the file that starts the bot, such as "bot.py".')
    return value.removeprefix("./")


def _presets(value: object) -> tuple[str, ...]:
    known = RuleSet.presets()
    names = _list("presets", value, '["podkidnoy"]')
    for name in names:
        if not isinstance(name, str) or name not in known:
            raise _refused("presets", f"{_quoted(name)} is no rule set here", _nearest(name, known, "Rule sets are"))
    return tuple(str(name) for name in names)


def _seats(value: object) -> tuple[int, ...]:
    counts = _list("seats", value, "[2, 3, 4]")
    for count in counts:
        # `true` is an int in Python, not in TOML.
        if not isinstance(count, int) or isinstance(count, bool) or count not in SEATS:
            raise _refused(
                "seats", f"{_quoted(count)} is no number of seats", f"Use {SEATS.start} to {SEATS.stop - 1}."
            )
    return tuple(sorted(int(str(count)) for count in counts))


#: The keys of a manifest, each with what checks its value.
_READERS: Final[dict[str, Callable[[object], Any]]] = {
    "name": bot_name,
    "language": _language,
    "entry": _entry,
    "presets": _presets,
    "seats": _seats,
}


def _list(key: str, value: object, example: str) -> list[object]:
    if not isinstance(value, list) or not value:
        raise _refused(key, f"{_quoted(value)} is no list with something in it", f"Write {key} = {example}.")
    for item in value:
        if value.count(item) > 1:
            raise _refused(key, f"{_quoted(item)} stands there twice", "Name each once.")
    return value


def _numbers(counts: Iterable[int]) -> str:
    return " or ".join(str(count) for count in counts)


def _nearest(word: object, known: Iterable[str], otherwise: str) -> str:
    names = sorted(known)
    close = get_close_matches(str(word).lower()[:80], names, n=1, cutoff=0.5)
    return f"Did you mean {close[0]!r}?" if close else f"{otherwise}: {', '.join(names)}."


def _quoted(value: object) -> str:
    try:
        return shown(repr(value))
    except ValueError:  # more digits than Python writes out
        return "a number of thousands of digits"


def _refused(key: str, what: str, remedy: str) -> BundleError:
    return BundleError(what, where=f"{MANIFEST}, {shown(key)}", remedy=remedy)
