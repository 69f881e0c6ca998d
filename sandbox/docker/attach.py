"""The attached stream of a container: one socket, stdout and stderr interleaved in frames.

A frame is `{u8 stream, 0, 0, 0, u32 length (big-endian)}` and the bytes. A line may span frames,
a frame may hold several lines, and a read may end anywhere.
"""

from __future__ import annotations

import contextlib
import socket
import struct
from collections.abc import Iterator
from typing import Any, Final

import docker

HEADER: Final = struct.Struct(">BxxxI")
STDOUT: Final = 1
STDERR: Final = 2


class FrameError(Exception):
    """The daemon sent something that is no frame."""


class Frames:
    """Splits what is read into pieces of (stream, bytes); a piece may be part of a frame."""

    def __init__(self) -> None:
        self._header = b""
        self._stream = 0
        self._left = 0

    def split(self, data: bytes) -> Iterator[tuple[int, bytes]]:
        """Yield the pieces in `data`.

        Raises:
            FrameError: an unknown stream number.

        """
        at = 0
        while at < len(data):
            if self._left == 0:
                missing = HEADER.size - len(self._header)
                self._header += data[at : at + missing]
                at += missing
                if len(self._header) < HEADER.size:
                    return
                self._stream, self._left = HEADER.unpack(self._header)
                self._header = b""
                if self._stream not in {STDOUT, STDERR}:
                    raise FrameError(f"the daemon sent a frame of stream {self._stream}")
                continue
            piece = data[at : at + self._left]
            at += len(piece)
            self._left -= len(piece)
            yield self._stream, piece


class Attachment:
    """The socket of one container's three streams; to be made before the container is started."""

    def __init__(self, client: docker.APIClient, container: str) -> None:
        wanted = {"stdin": 1, "stdout": 1, "stderr": 1, "stream": 1}
        self._wrapper: Any = client.attach_socket(container, params=wanted)
        # The wrapper has no timeouts and may buffer; the socket inside it is what can be polled.
        self.socket: socket.socket = getattr(self._wrapper, "_sock", self._wrapper)
        self.socket.setblocking(False)  # noqa: FBT003 - its only argument

    def fileno(self) -> int:
        """The socket's descriptor."""
        return self.socket.fileno()

    def shut_stdin(self) -> None:
        """No more input: the program reads the end of its stdin."""
        with contextlib.suppress(OSError):
            self.socket.shutdown(socket.SHUT_WR)

    def is_quiet(self) -> bool:
        """Nothing has come and the other side is there: a gated container is as it should be."""
        try:
            self.socket.recv(1, socket.MSG_PEEK)
        except BlockingIOError:
            return True
        except OSError:
            return False
        return False

    def cut(self) -> None:
        """End the stream in both directions."""
        with contextlib.suppress(OSError):
            self.socket.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Cut the stream and give the descriptor back."""
        self.cut()
        # The socket counts its wrappers, and is closed with the last of them.
        for part in (self._wrapper, self.socket):
            with contextlib.suppress(OSError, ValueError):
                part.close()
