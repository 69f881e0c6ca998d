"""The one error of this package."""

from __future__ import annotations


class BundleError(ValueError):
    """A bundle is refused.

    ``what`` is wrong, ``where`` it is (a path within the bundle, a key of the manifest, or "the archive") and
    ``remedy`` is what its author can do; ``str()`` is all three as sentences.
    """

    def __init__(self, what: str, *, where: str, remedy: str) -> None:
        super().__init__(f"{where}: {what}. {remedy}")
        self.what = what
        self.where = where
        self.remedy = remedy


def shown(name: str | bytes) -> str:
    """``name`` as it may be shown to a person: printable ASCII, the rest escaped, at most 120 characters."""
    start = name[:200]
    text = start.decode("utf-8", "backslashreplace") if isinstance(start, bytes) else start
    plain = "".join(c if c.isprintable() else c.encode("unicode_escape", "surrogatepass").decode() for c in text)
    return plain if len(plain) <= 120 else f"{plain[:117]}..."
