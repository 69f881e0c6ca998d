"""Whatever a command is given, it says in words what was wrong, where, and what to do; never with a traceback."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import bots_sdk
from sandbox.bundles import Bundle
from tests.bots_sdk.cli.running import Durak

SDK = Path(bots_sdk.__file__).parent.parent
COMMAND = [sys.executable, "-m", "bots_sdk.cli"]
WITHOUT_ROOTS_RIGHTS = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"] if os.geteuid() == 0 else []
"""Root reads every file, unless it gives these rights up."""
LONG = "a" * 300
OVER = {"hands": [["8S"], []], "trump": "H"}
FILES = {
    "empty": b"",
    "binary": bytes(range(256)),
    "digits.json": b'{"hands":[["8S"],["9S"]],"trump":"H","bout":' + b"1" * 5_000 + b"}",
    "nan.json": b'{"hands":[["8S"],["9S"]],"trump":"H","bout":NaN}',
    "surrogate.json": rb'{"hands":[["8S"],["9S"]],"trump":"H","rules":"\ud800"}',
    "reason.json": b'{"hands":[["8S"],["9S"]],"trump":"H","result":{"reason":[]}}',
    "not_ready.json": b'{"verdict":"not_ready","position":null}',
    "strange.json": b'{"verdict":"timeout","position":[]}',
    "digits.durak": b'durak deal 1\nrules {"deck":' + b"1" * 5_000 + b"}\n",
    "deep.durak": b"durak deal 1\nrules " + b"[" * 100_000 + b"\n",
}

CASES: list[tuple[list[str], int, str]] = [
    *((["legal", name], 1, f"{name} is not JSON") for name in ("empty", "digits.json")),
    *(([command, "binary"], 1, "binary is not text in UTF-8") for command in ("legal", "replay")),
    (["why", "digits.json", "take"], 1, "digits.json is not JSON"),
    (["legal", "nan.json"], 1, "bout = nan; it is a whole number"),
    (["legal", "surrogate.json"], 1, "there is no preset '\\ud800'"),
    (["legal", "reason.json"], 1, "result = {'reason': []}; it has"),
    *(([*command, "."], 1, "cannot read .: Is a directory") for command in (["legal"], ["replay"])),
    (
        ["legal", "not_ready.json"],
        1,
        "not_ready.json has no position: the fault (not_ready) came before the first deal",
    ),
    (["why", "not_ready.json", "take"], 1, "not_ready.json has no position"),
    (["legal", "strange.json"], 1, "a position is an object, not []"),
    (["legal", "\udcff"], 1, "cannot read \\udcff"),
    (["replay", "empty"], 1, "line 1"),
    (["replay", "digits.durak"], 1, "the rules are not JSON"),
    (["replay", "deep.durak"], 1, "the rules are not JSON"),
    (["perft", "podkidnoy", "--seed", "zz"], 2, "--seed zz is no seed: two digits of 0123456789abcdef"),
    (["perft", "podkidnoy", "--seed", "\udcff"], 2, "--seed \\udcff is no seed"),
    (["perft", "podkidnoy", "--depth", "100000"], 2, "--depth"),
    (["check", "empty"], 2, "'empty' is neither a folder nor"),
    (["play", "lowest", "empty"], 2, "'empty' is neither a folder nor"),
    *(([command, LONG], 1, f"cannot read {LONG}: File name too long") for command in ("check", "submit")),
    (["new", f"{LONG}/x"], 1, "File name too long"),
    (["new", "empty/x"], 1, "cannot make empty/x: Not a directory"),
    *(
        (["new", name], 2, f"{name!r} is no name for a bot. Use 1 to 40")
        for name in ("mybot-", ".x", "[red]", "a" * 41)
    ),
    (["new", "[/x]/y]"], 2, "'y]' is no name for a bot"),
    (["play", "random"], 2, "podkidnoy is played by 2 to 6 bots, not by 1"),
    (["play", "random", "random", "--preset", "pairs"], 2, "pairs is played by 4 bots, not by 2"),
    (["play", *["random"] * 7, "--preset", "full"], 2, "full is played by 2 to 6 bots, not by 7"),
    (["play", "random", "random", "--save", "empty"], 1, "cannot write to empty: File exists"),
    *(
        (["play", "random", "random", option, "9" * 30], 2, "_ms is more than 86400000, which is a day")
        for option in ("--move-ms", "--bank-ms")
    ),
    *(
        (["play", "random", "random", "--sprt", option, value], 2, f"{option[2:]} is {float(value)}; it must")
        for option, value in (
            *(("--elo1", value) for value in ("nan", "inf", "20000", "2001")),
            *(("--elo0", value) for value in ("nan", "-inf", "-200000")),
            *(("--alpha", value) for value in ("nan", "0", "1e-310", "0.5")),
            *(("--beta", value) for value in ("nan", "-1", "inf")),
        )
    ),
]


@pytest.mark.parametrize(("arguments", "code", "words"), CASES, ids=lambda value: str(value)[:60])
def test_what_is_wrong_is_told_in_words(durak: Durak, arguments: list[str], code: int, words: str) -> None:
    for name, content in FILES.items():
        Path(name).write_bytes(content)
    extra = ["--url", "http://127.0.0.1:9", "--token", "x"] if arguments[0] == "submit" else []
    ran = durak(*arguments, *extra)
    assert (ran.code, ran.out) == (code, "")
    assert words in ran.err


def test_a_finished_deal_has_no_legal_move_and_that_is_said(durak: Durak) -> None:
    Path("over.json").write_text(json.dumps(OVER))
    ran = durak("legal", "over.json")
    assert (ran.code, ran.out, ran.err) == (0, "", "The deal is over: nobody moves any more.\n")
    assert durak("legal", "over.json", "--json").out == "[]\n"


@pytest.mark.parametrize("name", ["mybot", "My bot 2.0", "b", "бот", "a-b", "_"])
def test_a_name_that_new_takes_is_one_that_the_server_takes(durak: Durak, name: str) -> None:
    ran = durak("new", name)
    assert ran.code == 0, ran.err
    assert Bundle.from_folder(Path(name)).manifest.name == name


@pytest.mark.parametrize("seed", ["\udcff", "[/red]", "[bold]", "карта"])
def test_any_text_is_a_seed(durak: Durak, seed: str) -> None:
    ran = durak("play", "lowest", "lowest", "-n", 2, "--seed", seed)
    assert ran.code == 0
    assert f"seed {seed.replace(chr(0xDCFF), 'xx')}".replace("xx", "\\udcff") in ran.out
    assert json.loads(durak("play", "lowest", "lowest", "-n", 2, "--seed", seed, "--json").out)["seed"] == seed


def test_a_file_name_with_brackets_is_printed_as_it_is(durak: Durak) -> None:
    Path("[/red]").mkdir(parents=True)
    assert durak("new", "[/red]/mybot").out.startswith("[/red]/mybot: a Python bot")
    assert "cannot read [/red]/none.json" in durak("legal", "[/red]/none.json").err


def run(folder: Path, *arguments: str, **options: object) -> subprocess.CompletedProcess[bytes]:
    """The command as a process of its own, which may not do all that root may."""
    env = {**os.environ, "PYTHONPATH": str(SDK), **dict(options.pop("env", {}))}  # type: ignore[call-overload]
    command = [*WITHOUT_ROOTS_RIGHTS, *COMMAND, *arguments]
    return subprocess.run(command, cwd=folder, env=env, stderr=subprocess.PIPE, check=False, **options)  # type: ignore[call-overload, no-any-return]


@pytest.mark.parametrize(
    "arguments",
    [
        ["check", "mybot"],
        ["play", "mybot", "mybot"],
        ["submit", "mybot", "--url", "http://127.0.0.1:9", "--token", "x"],
        ["check", "closed"],
        ["check", "closed/x"],
        ["replay", "closed/x"],
        ["new", "closed/x"],
        ["play", "lowest", "lowest", "--save", "closed/x"],
    ],
    ids=" ".join,
)
def test_a_file_that_may_not_be_read_is_named(durak: Durak, tmp_path: Path, arguments: list[str]) -> None:
    durak("new", "mybot")
    (tmp_path / "mybot/secret.py").touch(mode=0)
    (tmp_path / "closed").mkdir(mode=0)
    ran = run(tmp_path, *arguments)
    (tmp_path / "closed").chmod(0o700)
    assert ran.returncode == 1
    assert b"Traceback" not in ran.stderr
    assert b"Permission denied" in ran.stderr
    assert b"mybot/secret.py" in ran.stderr or b"closed" in ran.stderr


def test_a_cache_of_packages_that_cannot_be_written_is_named_and_how_to_move_it(durak: Durak, tmp_path: Path) -> None:
    durak("new", "mybot")
    Path("file").touch()
    ran = run(tmp_path, "check", "mybot", "--sandbox", "bubblewrap", env={"DURAK_SANDBOX_PACKAGES": "file/cache"})
    assert ran.returncode == 1
    assert b"Traceback" not in ran.stderr
    assert b"file/cache" in ran.stderr
    assert b"DURAK_SANDBOX_PACKAGES names another folder" in ran.stderr


@pytest.mark.parametrize("uid", ["abc", "", "-1", "0", "9" * 5_000])
def test_a_setting_of_the_sandbox_that_is_no_number_is_named(durak: Durak, uid: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DURAK_SANDBOX_UID", uid)
        ran = durak("check", "lowest", "--sandbox", "bubblewrap")
    assert ran.code == 2
    assert f"DURAK_SANDBOX_UID is {uid!r}; it must be a user's number" in ran.err


@pytest.mark.parametrize("arguments", [["explain"], ["explain", "--json"], ["explain", "duel"]], ids=" ".join)
@pytest.mark.parametrize("stdout", ["closed", "full", "broken"])
def test_a_stdout_that_takes_nothing_ends_the_command_in_silence_or_words(
    tmp_path: Path, arguments: list[str], stdout: str
) -> None:
    if stdout == "closed":
        ran = run(tmp_path, *arguments, preexec_fn=lambda: os.close(1))
        assert (ran.returncode, ran.stderr) == (0, b"")
    elif stdout == "full":
        with Path("/dev/full").open("wb") as full:
            ran = run(tmp_path, *arguments, stdout=full)
        assert (ran.returncode, ran.stderr) == (1, b"durak: No space left on device\n")
    else:
        reader, writer = os.pipe()
        os.close(reader)
        ran = run(tmp_path, *arguments, stdout=writer)
        os.close(writer)
        assert (ran.returncode, ran.stderr) == (1, b"")


def test_a_closed_stdin_holds_no_position(tmp_path: Path) -> None:
    ran = run(tmp_path, "legal", "-", preexec_fn=lambda: os.close(0))
    assert (ran.returncode, ran.stderr) == (1, b"durak: there is no stdin to read the position from\n")


def test_a_command_that_waits_for_its_input_can_be_interrupted(tmp_path: Path) -> None:
    source = "import signal; signal.signal(2, signal.default_int_handler); from bots_sdk.cli import main; main()"
    command = [sys.executable, "-c", source, "legal", "-"]
    env = {**os.environ, "PYTHONPATH": str(SDK)}
    with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE, env=env, cwd=tmp_path) as waiting:
        wait_channel = Path(f"/proc/{waiting.pid}/syscall")
        until = time.monotonic() + 60
        while not wait_channel.read_text().startswith("0 0x0 ") and time.monotonic() < until:
            time.sleep(0.05)
        waiting.send_signal(signal.SIGINT)
        assert waiting.wait(60) == 130
        assert waiting.stderr is not None
        assert b"Traceback" not in waiting.stderr.read()
