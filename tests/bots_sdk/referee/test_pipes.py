"""`PipePlayer` against children that do everything wrong."""

from __future__ import annotations

import os
import socket
import sys
import textwrap
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bots_sdk.referee.lines import LineBuffer
from bots_sdk.referee.local import SubprocessPlayer
from bots_sdk.referee.pipes import KeptLog, OutputCaps, PipePlayer, Poller
from bots_sdk.referee.player import (
    Eof,
    ExitReport,
    HostFault,
    LineTooLong,
    OutputLimit,
    Player,
    StdinBlocked,
    Timeout,
)

Start = Callable[..., SubprocessPlayer]

ECHO = """
import sys
for line in sys.stdin:
    print(line.strip().upper(), flush=True)
"""


@pytest.fixture
def start() -> Iterator[Start]:
    players: list[SubprocessPlayer] = []

    def begin(source: str, caps: OutputCaps | None = None) -> SubprocessPlayer:
        argv = [sys.executable, "-I", "-c", textwrap.dedent(source)]
        player = SubprocessPlayer(argv, caps=caps)
        players.append(player)
        return player

    yield begin
    for player in players:
        player.stop()


def open_descriptors() -> list[str]:
    return sorted(path.name for path in Path("/proc/self/fd").iterdir())


def soon(seconds: float = 10.0) -> float:
    return time.monotonic() + seconds


def test_a_subprocess_is_a_player_and_answers_line_by_line(start: Start) -> None:
    player = start(ECHO)
    assert isinstance(player, Player)
    for word in (b"attack", b"beat", b"take"):
        player.send(word, soon())
        assert player.receive(soon()) == word.upper()


def test_a_bot_that_leaves_at_the_end_of_its_input_reports_its_own_exit(start: Start) -> None:
    player = start(ECHO + "print('bye', file=sys.stderr)\nsys.exit(3)")
    report = player.stop(soon())
    assert (report.code, report.signal, report.reason) == (3, None, "exited with code 3")
    assert report.stderr == b"bye\n"
    assert report.cpu_ms is not None
    assert report.cpu_ms > 0
    assert report.peak_memory is not None
    assert report.peak_memory > 1_000_000
    assert player.stop() is report


def test_a_bot_that_ignores_the_end_is_killed_at_the_deadline(start: Start) -> None:
    player = start("import time\nprint('x', flush=True)\ntime.sleep(60)")
    assert player.receive(soon()) == b"x"
    began = time.monotonic()
    report = player.stop(began + 0.2)
    assert time.monotonic() - began < 5
    assert report.signal == 9
    assert report.reason == "stopped by the referee"


def test_silence_until_the_deadline_is_a_timeout(start: Start) -> None:
    player = start("import time\ntime.sleep(60)")
    began = time.monotonic()
    with pytest.raises(Timeout):
        player.receive(began + 0.15)
    assert 0.15 <= time.monotonic() - began < 2


def test_one_byte_at_a_time_does_not_push_the_deadline_away(start: Start) -> None:
    player = start("""
        import sys, time
        while True:
            sys.stdout.write("x"); sys.stdout.flush(); time.sleep(0.02)
    """)
    began = time.monotonic()
    with pytest.raises(Timeout) as caught:
        player.receive(began + 1.0)
    assert time.monotonic() - began < 3
    assert caught.value.line.startswith(b"x")


def test_stdout_closed_while_alive_is_noticed_at_once(start: Start) -> None:
    """Case 18: a bot that closed its stdout and slept made the referee wait for ever."""
    player = start("import os, time\nos.close(1)\ntime.sleep(60)")
    began = time.monotonic()
    with pytest.raises(Eof):
        player.receive(began + 30)
    assert time.monotonic() - began < 10


def test_a_grandchild_that_holds_stdout_open_does_not_keep_the_referee_waiting(
    start: Start,
) -> None:
    player = start("""
        import subprocess, sys
        subprocess.Popen([sys.executable, "-I", "-c", "import time; time.sleep(60)"])
    """)
    began = time.monotonic()
    with pytest.raises(Eof):
        player.receive(began + 30)
    assert time.monotonic() - began < 10


def test_grandchildren_end_with_their_bot(start: Start) -> None:
    """Case 19, as far as a bare process group can hold it."""
    player = start("""
        import subprocess, sys, time
        child = subprocess.Popen([sys.executable, "-I", "-c", "import time; time.sleep(60)"])
        print(child.pid, flush=True)
    """)
    child = int(player.receive(soon()))
    player.stop(soon())
    for _ in range(100):
        try:
            state = Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()[0]
        except FileNotFoundError:
            return
        if state == "Z":
            return
        time.sleep(0.02)
    pytest.fail("the grandchild is still running")


def test_the_last_answer_of_a_bot_that_exits_at_once_still_counts(start: Start) -> None:
    player = start("print('ready', flush=True)")
    assert player.receive(soon()) == b"ready"
    with pytest.raises(Eof):
        player.receive(soon())


def test_an_unfinished_last_line_is_kept_for_the_log(start: Start) -> None:
    player = start("print('{\"type\":', end='', flush=True)")
    with pytest.raises(Eof) as caught:
        player.receive(soon())
    assert caught.value.line == b'{"type":'


def test_stdin_never_read_is_a_fault_and_not_a_hang(start: Start) -> None:
    player = start("import time\ntime.sleep(60)")
    began = time.monotonic()
    with pytest.raises(StdinBlocked):  # noqa: PT012
        for _ in range(100):
            player.send(b"x" * 10_000, began + 0.5)
    assert time.monotonic() - began < 5


def test_a_slow_reader_gets_every_byte_of_a_long_line(start: Start) -> None:
    player = start("""
        import sys, time
        time.sleep(0.2)
        print(len(sys.stdin.readline()), flush=True)
    """)
    player.send(b"x" * 300_000, soon())
    assert player.receive(soon()) == b"300001"


def test_a_hundred_megabytes_without_a_newline_end_in_line_too_long(start: Start) -> None:
    player = start("""
        import os
        for _ in range(1600):
            os.write(1, b"y" * 65536)
    """)
    with pytest.raises(LineTooLong) as caught:
        player.receive(soon())
    assert caught.value.line == b"y" * 65_536
    with pytest.raises(OutputLimit):
        player.receive(soon(20))


def test_the_rest_of_a_long_line_is_not_taken_for_the_next_one(start: Start) -> None:
    player = start("print('z' * 200_000)\nprint('next', flush=True)")
    with pytest.raises(LineTooLong):
        player.receive(soon())
    assert player.receive(soon()) == b"next"


def test_a_flood_on_stderr_is_drained_and_its_two_ends_are_kept(start: Start) -> None:
    player = start("""
        import sys
        sys.stderr.write("begin" + "e" * 3_000_000 + "end"); sys.stderr.flush()
        print("done", flush=True)
    """)
    assert player.receive(soon()) == b"done"
    log = player.stop(soon()).stderr
    assert log.startswith(b"begineee")
    assert log.endswith(b"eeend")
    assert b"bytes left out" in log
    assert len(log) < 65 * 1024


@given(st.lists(st.binary(max_size=30).filter(lambda line: b"\n" not in line)), st.integers(1, 40))
def test_lines_are_those_of_the_stream_without_the_blank_ones(lines: list[bytes], step: int) -> None:
    data = b"".join(line + b"\n" for line in lines)
    buffer = LineBuffer()
    found = []
    for start in range(0, len(data), step):
        buffer.add(data[start : start + step])
        while (line := buffer.next_line(30)) is not None:
            found.append(line)
    spaces = b" \t\r\n"
    assert found == [line.lstrip(spaces) for line in lines if line.strip(spaces)]
    assert buffer.unfinished(30) == b""


def test_a_flood_of_blank_lines_costs_the_referee_next_to_nothing() -> None:
    buffer = LineBuffer()
    began = time.process_time()
    for _ in range(128):
        buffer.add(b"\n" * 65_536)
        assert buffer.next_line(100) is None
    buffer.add(b"here\n")
    assert buffer.next_line(100) == b"here"
    assert time.process_time() - began < 1


def test_many_short_lines_are_split_in_linear_time() -> None:
    buffer = LineBuffer()
    buffer.add(b"{}\n" * 1_000_000)
    began = time.process_time()
    for _ in range(1_000_000):
        assert buffer.next_line(100) == b"{}"
    assert buffer.next_line(100) is None
    assert time.process_time() - began < 10


def test_others_are_drained_while_the_table_waits_for_one(start: Start) -> None:
    table = Poller()
    slow = start("import time\ntime.sleep(0.6)\nprint('at last', flush=True)")
    chatty = start("""
        import os, sys
        os.write(2, b"log" * 400_000)
        print("written", flush=True)
    """)
    for player in (slow, chatty):
        player.join(table)
    assert slow.receive(soon()) == b"at last"
    assert chatty.stray() == b"written"


def test_a_line_that_nobody_asked_for_is_seen_without_waiting(start: Start) -> None:
    player = start("""
        import sys, time
        sys.stdout.write("\\n  \\nearly\\npar"); sys.stdout.flush()
        sys.stdin.readline()
        sys.stdout.write("tial\\nanswer\\n"); sys.stdout.flush()
    """)
    line, until = None, soon()
    while line is None and time.monotonic() < until:
        line = player.stray()
    assert line == b"early"
    assert player.stray() == b"par"
    assert player.stray() is None
    player.send(b"go", soon())
    assert player.receive(soon()) == b"answer"


def test_an_overlong_line_that_nobody_asked_for_is_taken_as_one(start: Start) -> None:
    player = start("""
        import sys
        sys.stdout.write("w" * 100_000 + "\\n"); sys.stdout.flush()
        sys.stdin.readline()
        print("answer", flush=True)
    """)
    line, until = None, soon()
    while line is None and time.monotonic() < until:
        time.sleep(0.1)
        line = player.stray()
    assert line is not None
    assert set(line) == {ord("w")}
    player.send(b"go", soon())
    assert player.receive(soon()) == b"answer"


def test_sending_to_a_bot_that_left_is_eof(start: Start) -> None:
    player = start("pass")
    with pytest.raises(Eof):
        player.receive(soon())
    until = soon()
    with pytest.raises(Eof):  # noqa: PT012
        # The kernel may close a dying process's descriptors in any order.
        while time.monotonic() < until:
            player.send(b"hello", until)
            time.sleep(0.01)


def test_more_output_than_a_sitting_allows_is_refused(start: Start) -> None:
    caps = OutputCaps(stdout=10_000)
    player = start("while True: print('spam' * 100)", caps)
    with pytest.raises(OutputLimit, match="10000 bytes"):  # noqa: PT012
        while True:
            player.receive(soon())


def test_a_program_that_does_not_exist_is_the_hosts_fault() -> None:
    before = open_descriptors()
    with pytest.raises(HostFault, match="no-such-program"):
        SubprocessPlayer(["/no-such-program"])
    assert open_descriptors() == before


def test_no_descriptor_is_left_open() -> None:
    before = open_descriptors()
    for _ in range(3):
        player = SubprocessPlayer([sys.executable, "-I", "-c", ECHO])
        player.send(b"x", soon())
        player.receive(soon())
        player.stop(soon())
    assert open_descriptors() == before


def test_waking_long_after_a_deadline_is_the_hosts_fault(start: Start) -> None:
    player = start("import time\ntime.sleep(60)")
    with pytest.raises(HostFault, match="after a deadline"):
        player.receive(time.monotonic() - 1)


@pytest.mark.parametrize("size", [0, 3, 16, 17, 40, 64, 65, 1000])
def test_a_kept_log_holds_short_streams_whole_and_both_ends_of_long_ones(size: int) -> None:
    data = bytes(i % 251 for i in range(size))
    log = KeptLog(16, 48)
    for start in range(0, size, 7):
        log.add(data[start : start + 7])
    if size <= 64:
        assert log.value() == data
    else:
        assert log.value() == data[:16] + b"\n... %d bytes left out ...\n" % (size - 64) + data[-48:]


@pytest.mark.parametrize("step", [1, 2, 3, 100])
def test_lines_do_not_depend_on_how_the_stream_was_cut(step: int) -> None:
    data = b"one\n\n \r\n  three " + b"x" * 50 + b"\nfour\nfi"
    buffer = LineBuffer()
    lines: list[bytes] = []
    for start in range(0, len(data), step):
        buffer.add(data[start : start + step])
        while True:
            try:
                line = buffer.next_line(20)
            except LineTooLong as fault:
                line = b"LONG " + fault.line
            if line is None:
                break
            lines.append(line)
    assert [line[:9] for line in lines] == [b"one", b"LONG thre", b"four"]
    assert buffer.unfinished(10) == b"fi"


class Broken(SubprocessPlayer):
    """A player whose process cannot be ended."""

    ends = 0

    def _end(self, log: KeptLog) -> ExitReport:
        super()._end(log)
        self.ends += 1
        raise HostFault("the kernel did not end it")


def test_a_stop_that_failed_fails_again_and_touches_no_descriptor_twice() -> None:
    player = Broken([sys.executable, "-c", ""])
    others: list[int] = []
    for _ in range(3):
        with pytest.raises(HostFault, match="did not end it"):
            player.stop()
        # Whoever opens the same numbers next keeps them.
        others += [os.open("/dev/null", os.O_RDONLY) for _ in range(8)]
    assert player.ends == 1
    for fd in others:
        os.close(fd)


def test_a_flood_over_one_descriptor_for_both_ways_does_not_keep_the_referee_busy() -> None:
    class Both(PipePlayer):
        def _end(self, log: KeptLog) -> ExitReport:
            return ExitReport()

    ours, theirs = socket.socketpair()
    os.set_blocking(ours.fileno(), False)
    player = Both(stdin=ours.fileno(), stdout=ours.fileno(), caps=OutputCaps(stdout=1000))
    steps = 0
    poller = Poller()
    step = poller.step

    def counted(seconds: float) -> None:
        nonlocal steps
        steps += 1
        step(seconds)

    poller.step = counted  # type: ignore[method-assign]
    player.join(poller)
    theirs.sendall(b"x" * 5000)
    with pytest.raises(OutputLimit):
        player.receive(soon(1))
    player.send(b"told", soon(1))
    assert theirs.recv(100) == b"told\n"
    theirs.sendall(b"y" * 5000)
    steps, until = 0, time.monotonic() + 0.3
    while time.monotonic() < until:
        counted(until - time.monotonic())
    assert steps < 5
    player.stop()
    theirs.close()
    ours.detach()
