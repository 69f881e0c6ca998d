"""Everything that a bot can do wrong: its verdict, the words for its author, and nobody else hurt."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any

import pytest

from bots_sdk.bot import Loop
from bots_sdk.durak import DealRecord, GameState
from bots_sdk.referee import VERDICT_WORDS, HostFault, Player, TimeControl, Verdict
from bots_sdk.referee.local import InProcessPlayer
from bots_sdk.referee.player import MAX_LINE, ExitReport, StdinBlocked
from tests.bots_sdk.referee.players import (
    PODKIDNOY,
    Lowest,
    going_wrong,
    good,
    misbehaving,
    program,
    reply,
    sit,
    spec,
)

QUICK = TimeControl(startup_ms=20_000, move_ms=150, bank_ms=300)


LINES: dict[str, tuple[Callable[[dict[str, Any]], bytes], Verdict, str]] = {
    "not JSON": (lambda m: b"hello", Verdict.MALFORMED, "not valid JSON"),
    "half a message": (lambda m: reply(m)[:-5], Verdict.MALFORMED, "not valid JSON"),
    "two messages on a line": (lambda m: reply(m) * 2, Verdict.MALFORMED, "not valid JSON"),
    "a NUL": (lambda m: b"\0", Verdict.MALFORMED, "not valid JSON"),
    "a NUL within": (lambda m: reply(m).replace(b"move", b"mo\0ve", 1), Verdict.MALFORMED, "not valid JSON"),
    "bad UTF-8": (lambda m: b'{"type":"move","move":"\xff\xfe"}', Verdict.MALFORMED, "UTF-8"),
    "a lone surrogate": (lambda m: b'{"type":"\\ud800"}', Verdict.MALFORMED, ""),
    "deep JSON": (lambda m: b"[" * 60_000, Verdict.MALFORMED, ""),
    "deep JSON in an unknown field": (
        lambda m: b'{"type":"move","x":' + b"[" * 60_000,
        Verdict.MALFORMED,
        "",
    ),
    "deep JSON, closed": (
        lambda m: b'{"type":"move","x":' + b"[" * 30_000 + b"]" * 30_000 + b"}",
        Verdict.MALFORMED,
        "deep",
    ),
    "a huge integer": (lambda m: b'{"type":"move","turn":' + b"9" * 60_000 + b"}", Verdict.MALFORMED, ""),
    "a huge exponent": (lambda m: b'{"type":"move","turn":1e999999}', Verdict.MALFORMED, ""),
    "a number too large for 64 bits": (
        lambda m: reply(m, turn=10**30),
        Verdict.MALFORMED,
        "$.turn",
    ),
    "NaN": (lambda m: b'{"type":"move","turn":NaN}', Verdict.MALFORMED, ""),
    "a list": (lambda m: b"[1,2,3]", Verdict.MALFORMED, "Expected `object`"),
    "null": (lambda m: b"null", Verdict.MALFORMED, "Expected `object`"),
    "no type": (lambda m: b"{}", Verdict.MALFORMED, "`type`"),
    "another type": (lambda m: reply(m, type="ready"), Verdict.MALFORMED, '"type":"move", not "ready"'),
    "a turn in words": (lambda m: reply(m, turn="seven"), Verdict.MALFORMED, "$.turn"),
    "a turn that is true": (lambda m: reply(m, turn=True), Verdict.MALFORMED, "$.turn"),
    "cards that are no list": (lambda m: reply(m, cards="8S"), Verdict.MALFORMED, "$.cards"),
    "a card that is a number": (lambda m: reply(m, cards=[8]), Verdict.MALFORMED, "$.cards[0]"),
    "an old turn": (lambda m: reply(m, turn=m["turn"] - 1), Verdict.WRONG_TURN, "turn"),
    "a turn to come": (lambda m: reply(m, turn=m["turn"] + 1), Verdict.WRONG_TURN, "was asked"),
    "no turn": (lambda m: b'{"type":"move","move":"take"}', Verdict.WRONG_TURN, "has no turn"),
    "an unknown move": (lambda m: reply(m, move="castle"), Verdict.UNKNOWN_MOVE, "castle"),
    "no move": (lambda m: json.dumps({"type": "move", "turn": m["turn"]}).encode(), Verdict.UNKNOWN_MOVE, ""),
    "an unknown card": (lambda m: reply(m, move="attack", cards=["11S"]), Verdict.UNKNOWN_MOVE, "11S"),
    "a card in lower case": (lambda m: reply(m, move="attack", cards=["8s"]), Verdict.UNKNOWN_MOVE, "8s"),
    "a very long card": (lambda m: reply(m, move="attack", cards=["x" * 9_999]), Verdict.UNKNOWN_MOVE, "xxx"),
    "an attack with nothing": (lambda m: reply(m, move="attack", cards=[]), Verdict.UNKNOWN_MOVE, ""),
    "a beat without a target": (lambda m: reply(m, move="beat", cards=["8S"]), Verdict.UNKNOWN_MOVE, ""),
    "a pass with a card": (lambda m: reply(m, move="pass", cards=["8S"]), Verdict.UNKNOWN_MOVE, ""),
}


@pytest.mark.parametrize("name", LINES)
def test_a_bad_answer_is_judged_and_told_in_words(name: str) -> None:
    wrong, verdict, words = LINES[name]
    sent: list[bytes] = []

    def answer(message: dict[str, Any]) -> bytes:
        sent.append(wrong(message))
        return sent[-1]

    outcome = sit([going_wrong(answer), good(), good()], spec(1, 3))
    (fault,) = outcome.faults
    assert (fault.seat, fault.deal, fault.verdict) == (0, 0, verdict)
    assert words in fault.reason
    assert len(fault.reason) < 500
    assert fault.line
    assert fault.line.isprintable()
    assert len(fault.line) <= 1_003
    assert fault.position is not None
    assert GameState.from_position(fault.position).seat_to_move == 0
    (played,) = outcome.deals
    assert played.result.duraks == {0}
    assert played.result.reason == "fault"
    assert [event.data for event in played.events if event.kind == "fault"] == [{"verdict": verdict.value}]
    assert DealRecord.parse(played.record).replay().result == played.result


def test_an_illegal_move_is_explained_by_the_rule_that_forbids_it() -> None:
    def beats_nothing(message: dict[str, Any]) -> bytes:
        mine = set(message["hand"])
        foreign = next(f"{rank}{suit}" for rank in "6789TJQKA" for suit in "SHDC" if f"{rank}{suit}" not in mine)
        return reply(message, move="attack", cards=[foreign], target=None)

    outcome = sit([going_wrong(beats_nothing), good()], spec(1))
    (fault,) = outcome.faults
    assert fault.verdict is Verdict.ILLEGAL_MOVE
    assert "(R" in fault.reason
    assert '"move": "attack"' in fault.line


def test_the_position_of_a_fault_shows_why_the_move_was_refused() -> None:
    outcome = sit([going_wrong(lambda m: reply(m, move="beat", cards=["8S"], target="7S")), good()], spec(1))
    (fault,) = outcome.faults
    assert fault.position is not None
    state = GameState.from_position(fault.position)
    from bots_sdk.durak import IllegalMove, Move

    with pytest.raises(IllegalMove) as caught:
        state.verify(Move.parse("b8S:7S") if False else Move.parse("b7S:8S"))
    assert str(caught.value) == fault.reason


PROGRAMS: dict[str, tuple[Callable[[], Player], Verdict, str]] = {
    "exits": (lambda: misbehaving("sys.exit(7)", 2), Verdict.CRASH, "exited with code 7"),
    "raises": (
        lambda: misbehaving("raise KeyError('no such trump')", 2),
        Verdict.CRASH,
        "exited with code 1",
    ),
    "is killed by a signal": (lambda: misbehaving("os.kill(os.getpid(), 11)"), Verdict.CRASH, "SIGSEGV"),
    "closes its stdout and sleeps": (
        lambda: misbehaving("os.close(1); time.sleep(60)"),
        Verdict.CLOSED,
        "closed its stdout while it was running",
    ),
    "closes its stdin and sleeps": (
        lambda: misbehaving("os.close(0); reply(message); time.sleep(60)"),
        Verdict.CLOSED,
        "closed its stdin while it was running",
    ),
    "prints 100 MB without a newline": (
        lambda: misbehaving("while True: os.write(1, b'x' * 65536)"),
        Verdict.LINE_TOO_LONG,
        "longer than 65536 bytes",
    ),
    "prints an empty line for ever": (
        lambda: misbehaving("while True: os.write(1, b'\\n' * 65536)"),
        Verdict.OUTPUT_LIMIT,
        "more than 8388608 bytes",
    ),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_that_goes_wrong_is_judged_and_the_others_play_on_untouched(name: str) -> None:
    make, verdict, words = PROGRAMS[name]
    outcome = sit([make(), good(), good()], spec(2, 3))
    fault = outcome.faults[0]
    assert (fault.seat, fault.verdict) == (0, verdict)
    assert words in fault.reason
    assert all(played.result.duraks == {0} for played in outcome.deals if played.result.reason == "fault")
    assert {f.seat for f in outcome.faults} == {0}
    assert outcome.excluded[1:] == (False, False)


def test_a_reason_quotes_nothing_of_the_log_whose_last_line_is_kept_for_the_owner() -> None:
    (fault,) = sit([PROGRAMS["raises"][0](), good()], spec(1)).faults
    assert fault.reason == "the bot exited with code 1"
    assert fault.log == "KeyError: 'no such trump'"


@pytest.mark.parametrize("name", ["exits", "closes its stdout and sleeps", "prints an empty line for ever"])
def test_a_bot_that_is_gone_loses_the_rest_of_its_deals_unplayed(name: str) -> None:
    outcome = sit([PROGRAMS[name][0](), good()], spec(4))
    assert len(outcome.faults) == 1
    assert outcome.excluded == (True, False)
    assert [sorted(played.result.duraks) for played in outcome.deals[-3:]] == [[0]] * 3
    last = DealRecord.parse(outcome.deals[-1].record)
    assert last.moves == ()
    assert last.fault is not None
    assert last.fault.verdict == "forfeit"
    assert last.replay().result == outcome.deals[-1].result
    assert outcome.exits[0] is not None
    assert outcome.exits[1] is not None
    assert outcome.exits[1].code == 0


HANGING = {
    "thinks for ever": "time.sleep(60)",
    "spins for ever": "while True: pass",
    "sends one space after another": "while True: os.write(1, b' '); time.sleep(0.01)",
    "sends one blank line after another": "while True: os.write(1, b'\\n'); time.sleep(0.01)",
    "does not flush": "sys.stdout.write('{}\\n'); time.sleep(60)",
    "stops itself": "os.kill(os.getpid(), 19)",
}


@pytest.mark.parametrize("name", HANGING)
def test_no_program_can_make_the_referee_wait_longer_than_its_clock(name: str) -> None:
    players = [misbehaving(HANGING[name]), good()]
    began = time.monotonic()
    outcome = sit(players, spec(3, time_control=QUICK))
    assert time.monotonic() - began < 20
    assert [fault.verdict for fault in outcome.faults] == [Verdict.TIMEOUT] * 3
    assert outcome.excluded == (True, False)
    assert all(played.result.duraks == {0} for played in outcome.deals)
    assert "150 ms of a move and the 300 ms" in outcome.faults[0].reason
    assert "0 ms that were left in the bank" in outcome.faults[1].reason


def test_a_line_that_never_ends_is_a_timeout_whose_part_is_kept() -> None:
    endless = misbehaving("while True: os.write(1, b'{'); time.sleep(0.01)")
    outcome = sit([endless, good()], spec(3, time_control=QUICK))
    assert outcome.faults[0].verdict is Verdict.TIMEOUT
    assert outcome.faults[0].line.startswith("{{")
    assert {fault.verdict for fault in outcome.faults[1:]} <= {Verdict.TIMEOUT, Verdict.UNASKED}
    assert outcome.excluded == (True, False)


def test_a_bot_that_never_gets_ready_loses_every_deal() -> None:
    clock = TimeControl(startup_ms=300, move_ms=150, bank_ms=0)
    outcome = sit([good(), program("import time; time.sleep(60)")], spec(3, time_control=clock))
    (fault,) = outcome.faults
    assert (fault.seat, fault.deal, fault.turn, fault.verdict) == (1, None, None, Verdict.NOT_READY)
    assert "within 300 ms" in fault.reason
    assert [sorted(played.result.duraks) for played in outcome.deals] == [[1]] * 3


def test_a_bot_that_crashes_at_start_up_loses_every_deal_and_shows_why() -> None:
    outcome = sit([good(), program("import nothing_of_that_name")], spec(2))
    (fault,) = outcome.faults
    assert fault.verdict is Verdict.CRASH
    assert "No module named 'nothing_of_that_name'" in fault.log
    assert fault.exit is not None
    assert b"Traceback" in fault.exit.stderr
    assert all(played.result.duraks == {1} for played in outcome.deals)


def test_bots_that_all_fail_at_start_up_lose_in_turns() -> None:
    players = [program("raise SystemExit(1)") for _ in range(3)]
    outcome = sit(players, spec(6, 3))
    assert {fault.seat for fault in outcome.faults} == {0, 1, 2}
    assert [sorted(played.result.duraks) for played in outcome.deals] == [[0], [1], [2]] * 2


def test_a_bot_that_never_reads_is_found_out() -> None:
    deaf = program('print(\'{"type":"ready"}\', flush=True)\nimport time\ntime.sleep(60)')
    clock = TimeControl(startup_ms=10_000, move_ms=50, bank_ms=100)
    outcome = sit([deaf, good()], spec(20, time_control=clock, fault_limit=20))
    assert {fault.verdict for fault in outcome.faults} <= {Verdict.TIMEOUT, Verdict.STDIN_BLOCKED}
    assert outcome.faults[0].verdict is Verdict.TIMEOUT


def test_a_full_pipe_is_told_apart_from_thinking_too_long() -> None:
    class Deaf(InProcessPlayer):
        def send(self, line: bytes, deadline: float) -> None:
            if b'"turn"' in line:
                raise StdinBlocked("the bot does not read its stdin, and the pipe is full")
            super().send(line, deadline)

    def answer(line: bytes) -> bytes | None:
        return b'{"type":"ready"}' if b'"hello"' in line else None

    outcome = sit([Deaf(answer), good()], spec(1))
    assert outcome.faults[0].verdict is Verdict.STDIN_BLOCKED


@pytest.mark.parametrize(
    ("at", "message"),
    [
        *(("send", message) for message in ("hello", "deal", "turn", "deal_over", "match_over")),
        *(("receive", message) for message in ("hello", "turn")),
        ("stray", "deal"),
        ("stop", "match_over"),
    ],
)
def test_a_failure_of_the_host_names_the_seat_in_whose_time_it_came(at: str, message: str) -> None:
    class Starved(InProcessPlayer):
        told = ""

        def fail(self, where: str) -> None:
            if (where, self.told) == (at, message):
                raise HostFault("the host is overloaded")

        def send(self, line: bytes, deadline: float) -> None:
            self.told = json.loads(line)["type"]
            self.fail("send")
            super().send(line, deadline)

        def receive(self, deadline: float, max_line: int = MAX_LINE) -> bytes:
            self.fail("receive")
            return super().receive(deadline, max_line)

        def stray(self) -> bytes | None:
            self.fail("stray")
            return super().stray()

        def stop(self, deadline: float | None = None) -> ExitReport:
            self.fail("stop")
            return super().stop(deadline)

    with pytest.raises(HostFault) as raised:
        sit([good(), Starved(Loop(Lowest()).answer)], spec(3))
    assert raised.value.seat == 1


def test_a_failure_of_the_host_is_not_hidden_by_another_one_while_the_players_are_stopped() -> None:
    class Unstoppable(InProcessPlayer):
        def stop(self, deadline: float | None = None) -> ExitReport:
            raise HostFault("cannot remove the container")

    class Gone(InProcessPlayer):
        def receive(self, deadline: float, max_line: int = MAX_LINE) -> bytes:
            raise HostFault("the daemon is gone")

    with pytest.raises(HostFault, match="the daemon is gone") as raised:
        sit([Unstoppable(Loop(Lowest()).answer), Gone(Loop(Lowest()).answer)], spec(1))
    assert raised.value.seat == 1


def test_the_fault_limit_puts_a_bot_out_and_counts_earlier_sittings() -> None:
    wrong = LINES["not JSON"][0]
    outcome = sit([going_wrong(wrong), good()], spec(4, fault_limit=3))
    assert len(outcome.faults) == 3
    assert [DealRecord.parse(played.record).fault.verdict for played in outcome.deals] == [  # type: ignore[union-attr]
        "malformed",
        "malformed",
        "malformed",
        "forfeit",
    ]
    outcome = sit([going_wrong(wrong), good()], spec(4, fault_limit=3, faults_before=(2, 0)))
    assert len(outcome.faults) == 1
    assert outcome.excluded == (True, False)


def test_a_bot_that_is_out_already_loses_without_being_started() -> None:
    sitting = spec(3, faults_before=(0, 3))
    assert sitting.excluded_seats() == [1]
    outcome = sit([], sitting)
    assert [sorted(played.result.duraks) for played in outcome.deals] == [[1]] * 3
    assert outcome.faults == ()
    assert outcome.exits == (None, None)


def test_a_bot_may_go_on_after_a_fault() -> None:
    def wrong_once(message: dict[str, Any]) -> bytes:
        return b"oops" if message["deal"] == 0 else reply(message)

    outcome = sit([going_wrong(wrong_once), good()], spec(3))
    assert len(outcome.faults) == 1
    assert [played.result.reason == "fault" for played in outcome.deals] == [True, False, False]
    assert outcome.excluded == (False, False)


def test_the_others_hear_of_a_fault_at_the_end_of_the_deal() -> None:
    heard: list[dict[str, Any]] = []

    def answer(line: bytes) -> bytes | None:
        message = json.loads(line)
        if message["type"] == "deal_over":
            heard.append(message)
        if message["type"] == "turn":
            return reply(message)
        return b'{"type":"ready"}' if message["type"] == "hello" else None

    sit([going_wrong(LINES["not JSON"][0]), InProcessPlayer(answer)], spec(1))
    assert heard[0]["fault"] == {"seat": 0, "verdict": "malformed"}
    assert heard[0]["durak"] == 0
    assert heard[0]["events"][-1]["kind"] == "deal_over"


def test_in_a_team_game_the_team_of_the_faulty_bot_loses() -> None:
    from bots_sdk.durak import RuleSet

    players = [going_wrong(LINES["not JSON"][0]), good(), good(), good()]
    outcome = sit(players, spec(1, 4, RuleSet.preset("pairs"), fault_limit=1))
    assert outcome.deals[0].result.duraks == {0, 2}


def test_every_verdict_has_its_words() -> None:
    assert set(VERDICT_WORDS) == set(Verdict)


def test_a_children_holding_program_is_told_from_its_exit() -> None:
    """A grandchild that holds stdout must not turn a crash into a timeout."""
    forking = misbehaving(
        """
        import subprocess
        subprocess.Popen([sys.executable, "-I", "-c", "import time; time.sleep(60)"])
        os._exit(5)
        """
    )
    outcome = sit([forking, good()], spec(1, rules=PODKIDNOY))
    assert outcome.faults[0].verdict is Verdict.CRASH
    assert "exited with code 5" in outcome.faults[0].reason
