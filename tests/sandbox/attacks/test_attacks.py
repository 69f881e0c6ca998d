"""Every attack of the table, on both real backends, played as a bot against an honest bystander."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from bots_sdk.durak import RuleSet
from bots_sdk.referee import DealSpec, HostFault, SittingOutcome, SittingSpec, TimeControl, Verdict, play_sitting
from bots_sdk.referee.player import STOPPED
from sandbox.base import Sandbox
from sandbox.runtimes import Runtime
from sandbox.spec import Labels, SandboxSpec
from tests.sandbox.attacks.table import ATTACKS, LIMITS, Attack
from tests.sandbox.attacks.traces import traces

pytestmark = pytest.mark.alone

PROGRAMS = Path(__file__).parent / "programs"
SHORT = TimeControl(startup_ms=8_000, move_ms=100, bank_ms=900)
LONG = TimeControl(startup_ms=8_000, move_ms=100, bank_ms=10_000)
BUSY = re.compile("the host (is|was) overloaded|woke the referee|referee was woken")
SEED = bytes(range(32))
SECRETS = ("the-workers-database-password", "the-workers-secret-key")


@pytest.fixture(scope="module")
def host_things(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """Things of the host that an attacker is told to look for."""
    file = tmp_path_factory.mktemp("host") / "private"
    file.write_text("nobody's business")
    os.environ["TEST_DATABASE_PASSWORD"], os.environ["TEST_SECRET_KEY"] = SECRETS
    name = f"durak-test-{os.getpid()}"
    with socket.create_server(("127.0.0.1", 0)) as tcp, socket.socket(socket.AF_UNIX) as abstract:
        abstract.bind("\0" + name)
        abstract.listen()
        yield {
            "HOST_TCP_PORT": str(tcp.getsockname()[1]),
            "HOST_ABSTRACT_SOCKET": name,
            "HOST_FILE": str(file),
            "REVERSED_SECRETS": ",".join(secret[::-1] for secret in SECRETS),
        }
    del os.environ["TEST_DATABASE_PASSWORD"], os.environ["TEST_SECRET_KEY"]


@pytest.fixture(scope="module")
def table_of_two(
    sandbox: Sandbox, python: Runtime, host_things: dict[str, str], tmp_path_factory: pytest.TempPathFactory
) -> Table:
    return Table(sandbox, python, host_things, tmp_path_factory.mktemp("programs"))


class Table:
    """Plays a program at seat 0 against the bystander at seat 1."""

    def __init__(self, sandbox: Sandbox, python: Runtime, env: dict[str, str], folder: Path) -> None:
        self.sandbox, self._python, self._env, self._folder = sandbox, python, env, folder

    def play(self, program: str, *arguments: str, time_control: TimeControl = LONG) -> SittingOutcome:
        spec = SittingSpec(RuleSet.preset("podkidnoy"), 2, (DealSpec(0, 0, SEED),), time_control, fault_limit=1)
        for attempt in range(5):
            players = [self._spec(program, *arguments), self._spec("bystander")]
            try:
                return play_sitting(spec, [self.sandbox.start(player) for player in players])
            except HostFault as fault:
                # A test machine that is busy with other things makes the attempt void, as it should.
                if not BUSY.search(fault.reason) or attempt == 4:
                    raise
        raise AssertionError

    def withstands(self, attack: Attack) -> None:
        """Play a row of the table, and look at everything that it promises."""
        # Where running out of time is no verdict to expect, a slow test machine shall not bring it about.
        time_control = SHORT if Verdict.TIMEOUT in attack.verdicts else LONG
        try:
            outcome = self.play(attack.program, *attack.arguments, time_control=time_control)
        except HostFault as fault:
            # Void again and again: nobody was charged, and the machine must indeed be short of processors.
            if BUSY.search(fault.reason) and os.getloadavg()[0] > 2 * (os.cpu_count() or 1):
                pytest.skip(f"the machine is busy with other things: {fault.reason}")
            raise
        attacker, bystander = outcome.exits
        assert attacker is not None
        assert bystander is not None
        log = attacker.stderr.decode(errors="replace")
        told = "; ".join([*(fault.reason for fault in outcome.faults), attacker.reason])

        escapes = [line for line in log.splitlines() if "ESCAPED" in line]
        assert [line for line in escapes if not attack.harmless or attack.harmless not in line] == []
        assert attack.log in log
        assert len(log) < 70_000
        assert [fault.seat for fault in outcome.faults] in (
            [0],
            [] if attack.by_backend or not attack.verdicts else [0],
        )
        assert {fault.verdict for fault in outcome.faults} <= set(attack.verdicts), told
        assert attack.words in told
        assert attack.exit_words in told
        assert bystander.stderr == b""
        assert bystander.code == 0 or bystander.reason == STOPPED, bystander
        assert outcome.deals[0].result.reason == ("fault" if outcome.faults else outcome.deals[0].result.reason)
        assert not outcome.faults or outcome.deals[0].result.duraks == frozenset({0})

    def _spec(self, program: str, *arguments: str) -> SandboxSpec:
        folder = self._folder / program
        if not folder.exists():
            folder.mkdir()
            shutil.copy(PROGRAMS / f"{program}.py", folder / "bot.py")
            shutil.copy(PROGRAMS / "honest.py", folder)
        return SandboxSpec(
            runtime=self._python,
            folder=folder,
            argv=("python3", "-u", "bot.py", *arguments),
            limits=LIMITS,
            env={**self._python.env, **self._env},
            labels=Labels(match="attack", deadline=time.time() + 120),
        )


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name)
def test_an_attack_fails_and_only_the_attacker_is_charged(attack: Attack, table_of_two: Table) -> None:
    table_of_two.withstands(attack)


def test_nothing_is_left_over_of_any_attack(table_of_two: Table) -> None:
    sandbox = table_of_two.sandbox
    table_of_two.play("bystander")
    _settle(sandbox)
    time.sleep(2)
    before = traces(sandbox.slots)
    for program in ("outliving", "grandchild_holds_stdout", "fork_bomb", "deaf_to_signals", "memory_alone", "crash"):
        # Void or charged: what matters here is what stays behind.
        with contextlib.suppress(HostFault):
            table_of_two.play(program, time_control=SHORT)
    _settle(sandbox)
    # The machine's own process 1 may take a moment to reap an orphan.
    until = time.monotonic() + 5
    while not traces(sandbox.slots) <= before and time.monotonic() < until:
        time.sleep(0.1)
    assert traces(sandbox.slots) <= before


def test_files_left_for_the_next_match_are_gone(table_of_two: Table) -> None:
    slots = table_of_two.sandbox.slots
    count, slots.count = slots.count, 2  # the next match gets the very same slots
    try:
        for _ in range(2):
            outcome = table_of_two.play("leaving_files")
            _settle(table_of_two.sandbox)
            assert outcome.exits[0] is not None
            assert b"left /tmp" in outcome.exits[0].stderr
            assert b"ESCAPED" not in outcome.exits[0].stderr
    finally:
        slots.count = count


def test_two_seats_have_different_uids_and_cannot_signal_each_other(table_of_two: Table) -> None:
    slots = table_of_two.sandbox.slots
    labels = Labels()
    first, second = slots.take(labels), slots.take(labels)
    assert first.uid != second.uid
    first.release()
    second.release()


def test_an_honest_bot_plays_through_without_a_fault(table_of_two: Table) -> None:
    outcome = table_of_two.play("bystander")
    assert outcome.faults == ()
    assert [report.code for report in outcome.exits if report] == [0, 0]
    assert outcome.deals[0].result.reason != Verdict.FORFEIT


def _settle(sandbox: Sandbox) -> None:
    if sandbox.name == "docker":
        assert sandbox.reaper.wait()
