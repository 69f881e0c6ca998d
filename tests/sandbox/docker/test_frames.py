"""Splitting the attached stream, however it is cut."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandbox.docker.attach import HEADER, STDERR, STDOUT, FrameError, Frames

frames = st.lists(st.tuples(st.sampled_from([STDOUT, STDERR]), st.binary(max_size=200)), max_size=20)


def encoded(content: list[tuple[int, bytes]]) -> bytes:
    return b"".join(HEADER.pack(stream, len(data)) + data for stream, data in content)


@given(frames, st.lists(st.integers(1, 50), min_size=1))
def test_every_stream_comes_out_as_it_went_in_however_the_reads_fall(
    content: list[tuple[int, bytes]], sizes: list[int]
) -> None:
    splitter, stream, out = Frames(), encoded(content), {STDOUT: b"", STDERR: b""}
    turn = 0
    while stream:
        size = sizes[turn % len(sizes)]
        turn += 1
        for which, piece in splitter.split(stream[:size]):
            out[which] += piece
        stream = stream[size:]
    for which, got in out.items():
        assert got == b"".join(data for stream_number, data in content if stream_number == which)


def test_a_frame_that_is_none_is_an_error() -> None:
    with pytest.raises(FrameError, match="stream 72"):
        list(Frames().split(b"HTTP/1.1 400 Bad Request"))
