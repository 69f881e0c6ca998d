"""How large a bundle may be."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from sandbox.bundles.errors import BundleError

MIB: Final = 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class BundleLimits:
    """Bounds on an archive and on what it unpacks to; sizes in bytes, ``depth`` in folders.

    ``ratio`` is unpacked to packed size, looked at once ``ratio_from`` bytes were unpacked, so that a short
    file of blanks is not taken for a bomb.
    """

    archive_bytes: int = 12 * MIB
    unpacked_bytes: int = 32 * MIB
    files: int = 2000
    ratio: int = 100
    ratio_from: int = 4 * MIB
    path_bytes: int = 200
    depth: int = 12


DEFAULT_LIMITS: Final = BundleLimits()


class Meter:
    """Counts what really comes out while an archive is unpacked; headers' own claims are never trusted."""

    def __init__(self, limits: BundleLimits, packed_bytes: int) -> None:
        self._limits = limits
        self._packed = max(packed_bytes, 1)
        self.unpacked = 0
        self._entries = 0

    @property
    def allowance(self) -> int:
        """How many more bytes may come out (one more than this is too many)."""
        by_ratio = max(self._packed * self._limits.ratio, self._limits.ratio_from)
        return min(self._limits.unpacked_bytes, by_ratio) - self.unpacked

    def add_bytes(self, count: int, where: str) -> None:
        """Take ``count`` unpacked bytes into account.

        Raises BundleError when a bound is passed.
        """
        self.unpacked += count
        if self.unpacked > self._limits.unpacked_bytes:
            raise BundleError(
                f"it unpacks to more than {self._limits.unpacked_bytes // MIB} MiB",
                where=where,
                remedy="Leave out what the bot does not need to play.",
            )
        if self.unpacked > max(self._packed * self._limits.ratio, self._limits.ratio_from):
            raise BundleError(
                f"it unpacks to more than {self._limits.ratio} times its packed size",
                where=where,
                remedy="Such an archive is taken for a bomb: store large, empty data in another form.",
            )

    def add_entry(self) -> None:
        """Take one more entry, of whatever kind, into account.

        Raises BundleError when there are too many.
        """
        self._entries += 1
        if self._entries > self._limits.files:
            raise too_many(self._limits)


def too_many(limits: BundleLimits) -> BundleError:
    """Return the refusal of a bundle with too many entries."""
    return BundleError(
        f"it holds more than {limits.files} files and folders",
        where="the archive",
        remedy="Leave out what the bot does not need to play.",
    )
