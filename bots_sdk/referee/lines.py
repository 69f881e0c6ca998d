"""Cutting a bot's output into lines, whatever it sends."""

from __future__ import annotations

import re
from typing import Final

from bots_sdk.referee.player import LineTooLong

CLEAR_AFTER: Final = 65_536
"""Bytes already read that are kept before the buffer is moved up."""

_SPACE = re.compile(rb"[ \t\r\n]*")


class LineBuffer:
    """Splits a stream into lines without blank ones and without space before them.

    The rest of a line given up as too long is discarded.
    """

    def __init__(self) -> None:
        self._data = bytearray()
        self._start = 0
        self._scanned = 0
        self._skipping = False

    def add(self, data: bytes) -> None:
        """Append what was read."""
        if self._skipping:
            _, newline, data = data.partition(b"\n")
            self._skipping = not newline
        self._data += data

    def next_line(self, max_line: int) -> bytes | None:
        """Return a complete line, or None while there is none.

        Raises:
            LineTooLong: the next line has more than `max_line` bytes.

        """
        self._pass_space()
        end = self._data.find(b"\n", self._scanned)
        if end < 0:
            self._scanned = len(self._data)
            if self._scanned - self._start > max_line:
                raise LineTooLong(f"a line is longer than {max_line} bytes", self.take_unfinished(max_line))
            return None
        start, self._start = self._start, end + 1
        line = bytes(self._data[start : min(end, start + max_line)])
        if end - start > max_line:
            raise LineTooLong(f"a line is longer than {max_line} bytes", line)
        return line

    def unfinished(self, limit: int) -> bytes:
        """The part of a line that has come so far, at most `limit` bytes of it."""
        self._pass_space()
        return bytes(self._data[self._start : self._start + limit])

    def take_unfinished(self, limit: int) -> bytes:
        """Give up the part of a line that has come; its rest will be discarded as well."""
        part = self.unfinished(limit)
        self._skipping = self._skipping or bool(part)
        self._data.clear()
        self._start = self._scanned = 0
        return part

    def _pass_space(self) -> None:
        found = _SPACE.match(self._data, self._start)
        self._start = found.end() if found else self._start
        if self._start == len(self._data) or self._start > CLEAR_AFTER:
            # Seldom, so that many short lines do not move the rest as many times.
            del self._data[: self._start]
            self._scanned = max(0, self._scanned - self._start)
            self._start = 0
        self._scanned = max(self._scanned, self._start)
