"""`durak new`, `play`, `check` and `replay`: an author's way on his own machine."""

from __future__ import annotations

import json
import os
import pty
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import bots_sdk
from bots_sdk.cli.errors import CliError
from bots_sdk.durak import DealRecord
from bots_sdk.ratings import wilson
from bots_sdk.referee import HostFault, SittingOutcome, play_sitting
from sandbox.base import NoSandbox
from sandbox.bundles import Bundle
from sandbox.choose import open_sandbox
from sandbox.runtimes import RUNTIMES
from tests.bots_sdk.cli.running import Durak

SDK = Path(bots_sdk.__file__).parent.parent


@pytest.mark.parametrize("language", RUNTIMES)
def test_a_new_bot_is_complete_and_carries_its_name(durak: Durak, language: str) -> None:
    ran = durak("new", "my_bot-2", "--language", language)
    assert ran.code == 0
    assert RUNTIMES[language].entry in ran.out
    assert Bundle.from_folder(Path("my_bot-2")).manifest.name == "my_bot-2"


def test_new_refuses_what_is_there_and_what_it_does_not_know(durak: Durak) -> None:
    assert durak("new", "mybot").code == 0
    again = durak("new", "mybot")
    assert (again.code, again.out) == (1, "")
    assert "mybot is there already" in again.err
    ran = durak("new", "other", "-l", "cobol")
    assert ran.code == 2
    assert "'cobol'; languages are python" in ran.err
    assert durak("new", "../~").code == 2
    assert not Path("other").exists()


def test_play_counts_every_deal_of_whole_sets(durak: Durak) -> None:
    durak("new", "mybot")
    ran = durak("play", "mybot", "random", "lowest", "-n", 10, "--json", "--seed", "a")
    assert ran.code == 0
    result = json.loads(ran.out)
    assert result["error"] is None
    assert result["deals"] == 12
    assert (result["preset"], result["seats"], result["seed"]) == ("podkidnoy", 3, "a")
    assert [row["bot"] for row in result["bots"]] == ["mybot", "random", "lowest"]
    assert sum(row["durak"] for row in result["bots"]) + result["draws"] == 12
    for row in result["bots"]:
        assert row["interval"] == pytest.approx(wilson(row["durak"], 12))
        assert row["ms"]["median"] <= row["ms"]["p99"] <= row["ms"]["longest"]
    assert result["faults"] == []


def test_the_same_seed_plays_the_same_deals(durak: Durak) -> None:
    folders = []
    for name in ("one", "two"):
        assert durak("play", "lowest", "hoarder", "-n", 4, "--seed", "again", "--save", name).code == 0
        folders.append(sorted((path.name, path.read_text()) for path in Path(name).glob("deal-*.durak")))
    assert len(folders[0]) == 4
    assert folders[0] == folders[1]


def test_the_table_shows_rates_intervals_and_times(durak: Durak) -> None:
    ran = durak("play", "lowest", "lowest", "-n", 4)
    assert ran.code == 0
    assert "4 deals of podkidnoy, 2 seats" in ran.out
    assert "lowest#2" in ran.out
    assert "% to" in ran.out
    assert ran.err == ""


def test_a_progress_bar_is_shown_to_a_person_and_the_result_is_still_clean(tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    done = subprocess.run(
        [sys.executable, "-m", "bots_sdk.cli", "play", "lowest", "lowest", "-n", "10", "--json"],
        stdout=subprocess.PIPE,
        stderr=theirs,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(SDK), "TERM": "xterm"},
        check=True,
    )
    os.close(theirs)
    shown = b""
    while True:
        try:
            part = os.read(ours, 65_536)
        except OSError:
            break
        if not part:
            break
        shown += part
    os.close(ours)
    assert b"playing" in shown
    assert b"/10" in shown
    assert json.loads(done.stdout)["deals"] == 10


def running(pid: str) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_stopping_it_midway_leaves_no_bot_and_no_file_behind(tmp_path: Path, how: signal.Signals) -> None:
    env = {**os.environ, "PYTHONPATH": str(SDK), "TMPDIR": str(tmp_path)}
    # A shell's background job, which this may be, ignores SIGINT and hands that down.
    source = (
        f"import signal; signal.signal({int(how)}, signal.default_int_handler); from bots_sdk.cli import main; main()"
    )
    command = [sys.executable, "-c", source, "play", "lowest", "lowest", "-n", "100000"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env, cwd=tmp_path) as playing:
        children = Path(f"/proc/{playing.pid}/task/{playing.pid}/children")
        bots: list[str] = []
        until = time.monotonic() + 60
        while len(bots) < 2 and time.monotonic() < until:
            bots = children.read_text().split()
        playing.send_signal(how)
        try:
            out, err = playing.communicate(timeout=60)
        finally:
            playing.kill()
    assert playing.returncode == 128 + how
    assert how == signal.SIGINT or out == b""
    assert b"Traceback" not in err
    until = time.monotonic() + 20
    while any(map(running, bots)) and time.monotonic() < until:
        time.sleep(0.05)
    assert not any(map(running, bots))
    assert list(tmp_path.iterdir()) == []


def test_the_sequential_test_stops_when_it_knows(durak: Durak) -> None:
    ran = durak("play", "lowest", "random", "-n", 4000, "--sprt", "--elo1", 100, "--json")
    result = json.loads(ran.out)
    assert result["sprt"]["verdict"] == "better"
    assert result["sprt"]["llr"] > result["sprt"]["upper"]
    assert result["deals"] < 400
    words = durak("play", "random", "lowest", "-n", 4000, "--sprt", "--elo1", 100).out
    assert "random is not better" in words


def failing(monkeypatch: pytest.MonkeyPatch, failure: BaseException, after: int) -> None:
    """Have the sitting that follows so many good ones fail."""
    played = []

    def play_some(*arguments: Any, **options: Any) -> SittingOutcome:
        if len(played) == after:
            for player in arguments[1]:
                player.stop()
            raise failure
        played.append(play_sitting(*arguments, **options))
        return played[-1]

    # In the package the name stands for the command, not for its module.
    monkeypatch.setattr(sys.modules["bots_sdk.cli.play"], "play_sitting", play_some)


FAILURES: list[tuple[BaseException, int, str]] = [
    (
        HostFault("the host woke the referee 6000 ms after a deadline"),
        1,
        "the host failed, not a bot: the host woke the",
    ),
    (CliError("lowest: cannot start python"), 1, "lowest: cannot start python"),
    (KeyboardInterrupt(), 130, "interrupted"),
]


@pytest.mark.parametrize("after", [0, 1, 3])
@pytest.mark.parametrize(("failure", "code", "reason"), FAILURES, ids=lambda value: type(value).__name__)
def test_a_series_that_cannot_go_on_tells_what_was_played_and_why_it_ended(
    durak: Durak, monkeypatch: pytest.MonkeyPatch, failure: BaseException, code: int, reason: str, after: int
) -> None:
    deals = [0, 20, 20, 22][after]  # the third sitting begins the second batch, of two sets
    failing(monkeypatch, failure, after)
    ran = durak("play", "lowest", "random", "-n", 44)
    assert ran.code == code
    assert f"durak: stopped after {deals if after < 3 else 42} of 44 deals: {reason}" in ran.err
    assert ("% to" in ran.out) is (after > 0)


@pytest.mark.parametrize("sprt", [(), ("--sprt",)])
@pytest.mark.parametrize("after", [0, 1])
@pytest.mark.parametrize(("failure", "code", "reason"), FAILURES, ids=lambda value: type(value).__name__)
def test_a_series_that_cannot_go_on_is_still_one_json_value_with_the_error(
    durak: Durak,
    monkeypatch: pytest.MonkeyPatch,
    failure: BaseException,
    code: int,
    reason: str,
    after: int,
    sprt: tuple[str, ...],
) -> None:
    failing(monkeypatch, failure, after)
    ran = durak("play", "lowest", "random", "-n", 44, "--json", *sprt)
    result = json.loads(ran.out)
    assert ran.code == code
    assert result["error"].startswith(reason)
    assert result["deals"] == 20 * after
    assert sum(row["durak"] for row in result["bots"]) + result["draws"] == result["deals"]


def test_a_folder_that_can_no_longer_be_written_to_does_not_lose_what_was_played(
    durak: Durak, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("kept/deal-000-001.durak").mkdir(parents=True)
    ran = durak("play", "lowest", "random", "-n", 2, "--save", "kept", "--json")
    result = json.loads(ran.out)
    assert ran.code == 1
    assert result["error"] == "cannot write to kept: Is a directory"
    assert result["deals"] == 2


BROKEN = """
from bots_sdk.bot import Bot, run

class Broken(Bot):
    def choose(self, view):
        if view.turn > 3:
            raise RuntimeError("no idea")
        return view.legal[0]

run(Broken())
"""


def broken_bot(durak: Durak, source: str = BROKEN) -> None:
    durak("new", "mybot")
    Path("mybot/bot.py").write_text(source)


def test_a_bot_put_out_ends_the_play_with_its_reason(durak: Durak) -> None:
    broken_bot(durak)
    ran = durak("play", "mybot", "lowest", "-n", 40, "--save", "kept")
    assert ran.code == 1
    assert "RuntimeError: no idea" in ran.out
    assert "mybot was put out" in ran.err
    (fault,) = Path("kept").glob("fault-*.json")
    assert json.loads(fault.read_text())["verdict"] == "crash"
    assert "Traceback" in Path("kept/mybot.log").read_text()
    assert durak("legal", fault).code == 0


def test_an_illegal_move_can_be_asked_about(durak: Durak) -> None:
    broken_bot(durak, BROKEN.replace('raise RuntimeError("no idea")', 'return "b2S:AS"'))
    durak("play", "mybot", "lowest", "-n", 2, "--save", "kept")
    fault = min(Path("kept").glob("fault-*.json"))
    reason = json.loads(fault.read_text())["reason"]
    why = durak("why", fault, "b2S:AS")
    assert why.code == 1
    assert why.out.strip() == reason


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("play", "lowest", "nobody"), "'nobody' is neither a folder nor one of the reference bots"),
        (("play", "lowest", "lowest", "--preset", "podkidnoi"), "podkidnoy"),
        (("play", "lowest", "lowest", "-n", "0"), "--deals"),
        (("play", "lowest", "lowest", "--move-ms", "0", "--bank-ms", "0"), "needs time to decide"),
        (("play", "lowest", "lowest", "--sprt", "--elo0", "9", "--elo1", "5"), "must be below"),
        (("play",), "Missing argument"),
        (("chess",), "No such command"),
    ],
)
def test_wrong_usage_is_told_on_stderr_with_code_2(durak: Durak, arguments: tuple[str, ...], words: str) -> None:
    ran = durak(*arguments)
    assert (ran.code, ran.out) == (2, "")
    assert words in ran.err


def test_a_folder_that_is_no_bot_is_told_what_it_lacks(durak: Durak) -> None:
    Path("empty").mkdir()
    ran = durak("play", "empty", "lowest")
    assert ran.code == 1
    assert "durak.toml" in ran.err
    ran = durak("check", "empty")
    assert ran.code == 1
    assert "durak.toml" in ran.err


def test_a_bot_that_does_not_compile_shows_the_compilers_words(durak: Durak) -> None:
    if shutil.which("g++") is None:
        pytest.fail("install g++")
    durak("new", "mybot", "-l", "cpp")
    Path("mybot/bot.cpp").write_text("int main() { return trump; }\n")
    ran = durak("play", "mybot", "lowest")
    assert ran.code == 1
    assert "mybot does not compile" in ran.err
    assert "trump" in ran.err


@pytest.fixture(scope="module")
def sandbox_name() -> str:
    try:
        sandbox = open_sandbox("bubblewrap")
    except NoSandbox as reason:
        pytest.fail(str(reason))
    sandbox.close()
    return sandbox.name


def test_check_builds_and_plays_in_the_sandbox(durak: Durak, sandbox_name: str) -> None:
    durak("new", "mybot")
    ran = durak("check", "mybot", "--sandbox", sandbox_name)
    assert ran.code == 0, ran.err
    assert f"sandbox: {sandbox_name}" in ran.out
    assert "match: podkidnoy, 2 seats against itself" in ran.out
    assert "ready: the server will take it" in ran.out


def test_check_says_what_failed_in_the_sandbox(durak: Durak, sandbox_name: str) -> None:
    broken_bot(durak)
    ran = durak("check", "mybot", "--sandbox", sandbox_name)
    assert ran.code == 1
    assert "RuntimeError: no idea" in ran.err
    assert "ready" not in ran.out
    Path("mybot/bot.py").write_text("def choose(:\n")
    ran = durak("check", "mybot", "--sandbox", sandbox_name)
    assert ran.code == 1
    assert "SyntaxError" in ran.err


def test_check_without_a_sandbox_warns_that_little_is_proved(durak: Durak) -> None:
    durak("new", "mybot")
    ran = durak("check", "mybot", "--sandbox", "none", "--all")
    assert ran.code == 0
    assert "warning: No sandbox here" in ran.err
    assert "as far as can be told without a sandbox" in ran.out
    assert ran.out.count("against itself") == 10


def test_a_saved_deal_is_retold_and_a_seat_sees_only_its_own_cards(durak: Durak) -> None:
    durak("play", "lowest", "hoarder", "-n", 2, "--seed", "s", "--save", "kept")
    (record, *_) = sorted(Path("kept").glob("*.durak"))
    whole = durak("replay", record)
    assert whole.code == 0
    moves = DealRecord.parse(record.read_text()).moves
    assert f"{len(moves):4} seat" in whole.out
    assert "durak (last_holder)" in whole.out or "draw" in whole.out
    own = durak("replay", record, "--seat", 0).out
    assert "seat 1 is dealt 6 cards" in own
    assert "seat 0 is dealt 6 cards" not in own
    assert durak("replay", record, "--seat", 7).code == 2


def test_every_preset_is_retold(durak: Durak) -> None:
    for preset, seats in (("perevodnoy", 3), ("proyezdnoy", 3), ("severny", 2), ("svoi-kozyri", 4), ("prostoy", 2)):
        assert durak("play", *["random"] * seats, "-n", seats, "--preset", preset, "--save", preset).code == 0
        for record in Path(preset).glob("*.durak"):
            ran = durak("replay", record)
            assert ran.code == 0
            assert "?" not in ran.out


def test_a_forged_record_is_refused(durak: Durak) -> None:
    durak("play", "lowest", "hoarder", "-n", 2, "--seed", "s", "--save", "kept")
    (record, *_) = sorted(Path("kept").glob("*.durak"))
    text = record.read_text()
    winner, loser = ("durak 1", "durak 0") if "durak 0" in text else ("durak 0", "durak 1")
    record.write_text(text.replace(loser, winner))
    assert "it says" in durak("replay", record).err
    Path("other.txt").write_text("nothing")
    ran = durak("replay", "other.txt")
    assert ran.code == 1
    assert "line 1" in ran.err
    assert "cannot read missing.durak" in durak("replay", "missing.durak").err
