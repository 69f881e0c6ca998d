"""The loop that a Python bot runs."""

from __future__ import annotations

import copy
import json
import pickle
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bots_sdk.bot
from bots_sdk.bot import Bot, Loop, Move, View, rank
from bots_sdk.durak import Move as EngineMove
from bots_sdk.referee.local import InProcessPlayer, SubprocessPlayer
from tests.bots_sdk.referee.players import PODKIDNOY, good, sit, spec

cards = st.sampled_from([rank + suit for rank in bots_sdk.bot.RANKS for suit in bots_sdk.bot.SUITS])
SDK = Path(bots_sdk.bot.__file__).parent.parent

TEN_LINES = """
from bots_sdk.bot import Bot, run

class Lowest(Bot):
    def choose(self, view):
        print("thinking", view.turn)
        return min(view.legal, key=view.cost)

if __name__ == "__main__":
    run(Lowest())
"""


def start(folder: Path, source: str, *flags: str) -> SubprocessPlayer:
    (folder / "bot.py").write_text(textwrap.dedent(source))
    env = {"PYTHONPATH": str(SDK), "PATH": "/usr/bin:/bin"}
    return SubprocessPlayer([sys.executable, *flags, "bot.py"], cwd=folder, env=env)


def test_a_bot_of_ten_lines_plays_and_what_it_prints_goes_to_its_log(tmp_path: Path) -> None:
    outcome = sit([start(tmp_path, TEN_LINES), good()], spec(2))
    assert outcome.faults == ()
    report = outcome.exits[0]
    assert report is not None
    assert report.code == 0
    assert report.stderr.startswith(b"thinking 1\n") or b"thinking" in report.stderr


def test_output_of_c_code_and_child_processes_cannot_break_the_protocol(tmp_path: Path) -> None:
    noisy = TEN_LINES.replace(
        'print("thinking", view.turn)', 'import os; os.system("echo {from a child}"); os.write(1, b"raw")'
    )
    outcome = sit([start(tmp_path, noisy), good()], spec(1))
    assert outcome.faults == ()


def test_the_loop_needs_nothing_but_the_standard_library() -> None:
    """In the sandbox a bot's Python has the SDK's files and need not have its dependencies."""
    heavy = ("msgspec", "typer", "rich", "httpx")
    code = f"import sys; import bots_sdk.bot; print([m for m in sys.modules if m.split('.')[0] in {heavy}])"
    done = subprocess.run([sys.executable, "-c", code], env={"PYTHONPATH": str(SDK)}, capture_output=True, check=True)
    assert done.stdout == b"[]\n"
    bare = subprocess.run(
        ["/usr/bin/python3", "-S", "-c", "import bots_sdk.bot, bots_sdk.durak"],
        env={"PYTHONPATH": str(SDK), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        check=False,
    )
    assert bare.returncode == 0, bare.stderr


def test_a_short_text_will_do_as_an_answer() -> None:
    class Texts(Bot):
        def choose(self, view: View) -> str:
            return str(view.legal[-1])

    assert sit([InProcessPlayer(Loop(Texts()).answer), good()], spec(2)).faults == ()


def test_an_answer_that_is_no_move_names_itself_in_the_bots_log(tmp_path: Path) -> None:
    source = TEN_LINES.replace("min(view.legal, key=view.cost)", "'play the ace'")
    outcome = sit([start(tmp_path, source), good()], spec(1))
    assert "'play the ace' is no move" in outcome.faults[0].log


@pytest.mark.parametrize("chosen", [None, 3, ["a8S"], ("attack", ("8S",)), b"take"])
def test_a_bot_that_chose_nothing_is_told_what_choose_must_return_and_what_it_returned(chosen: Any) -> None:
    class Silent(Bot):
        def choose(self, view: View) -> Any:
            return chosen

    player = InProcessPlayer(Loop(Silent()).answer)
    outcome = sit([player, good()], spec(1))
    words = f"ValueError: choose returned {chosen!r}; it must return a move of view.legal or its text"
    assert outcome.faults[0].log == words


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda view: pickle.loads(pickle.dumps(view))])
def test_a_view_can_be_copied_and_kept(copied: Callable[[View], View]) -> None:
    class Keeping(Bot):
        def choose(self, view: View) -> Move:
            twin = copied(view)
            assert vars(twin) == vars(view)
            assert (twin.attacker, twin.legal, twin.history) == (view.attacker, view.legal, view.history)
            return twin.legal[0]

    assert sit([InProcessPlayer(Loop(Keeping()).answer), good()], spec(1)).faults == ()


def test_the_hooks_are_called_in_order_with_what_they_promise() -> None:
    calls: list[str] = []

    class Hooked(Bot):
        def on_hello(self, hello: dict[str, Any]) -> None:
            calls.append("hello")
            assert hello["rules"]["name"] == "podkidnoy"

        def on_deal(self, view: View) -> None:
            calls.append("deal")
            assert view.legal == []
            assert len(view.hand) == 6
            assert [event["kind"] for event in view.history] == [event["kind"] for event in view.events]

        def choose(self, view: View) -> Move:
            if calls[-1] != "turn":
                calls.append("turn")
            assert view.history[-len(view.events) :] == view.events or not view.events
            return view.legal[0]

        def on_deal_over(self, over: dict[str, Any]) -> None:
            calls.append("over")
            assert len(bytes.fromhex(over["seed"])) >= 16

        def on_match_over(self, over: dict[str, Any]) -> None:
            calls.append("end")
            assert over["deals"] == 2

    sit([InProcessPlayer(Loop(Hooked()).answer), good()], spec(2))
    assert calls == ["hello", "deal", "turn", "over", "deal", "turn", "over", "end"]


def test_the_history_of_a_deal_is_all_that_the_seat_has_seen() -> None:
    histories: list[list[dict[str, Any]]] = []

    class Keeping(Bot):
        def choose(self, view: View) -> Move:
            histories.append(list(view.history))
            return min(view.legal, key=view.cost)

    outcome = sit([InProcessPlayer(Loop(Keeping()).answer), good()], spec(1))
    told = json.loads(json.dumps([event.seen_by(0) for event in outcome.deals[0].events]))
    for history in histories:
        assert history == told[: len(history)]


def test_a_view_names_what_it_has_when_asked_for_what_it_has_not() -> None:
    class Asking(Bot):
        def choose(self, view: View) -> Move:
            assert view.attacker == view.raw["attacker"]
            with pytest.raises(AttributeError, match=r"no 'secret'; it has .*attacker"):
                _ = view.secret
            return view.legal[0]

    assert sit([InProcessPlayer(Loop(Asking()).answer), good()], spec(1)).faults == ()


def test_own_trumps_are_trumps_of_their_seat_only() -> None:
    from bots_sdk.durak import RuleSet

    seen: dict[int, list[str]] = {}

    class Looking(Bot):
        def choose(self, view: View) -> Move:
            seen[view.seat] = view.trumps
            return view.legal[0]

    players = [InProcessPlayer(Loop(Looking()).answer) for _ in range(4)]
    assert sit(players, spec(1, 4, RuleSet.preset("svoi-kozyri"))).faults == ()
    assert {tuple(suits) for suits in seen.values()} == {("S",), ("H",), ("D",), ("C",)}


def test_unknown_messages_and_fields_are_passed_over() -> None:
    loop = Loop(Bot())
    assert loop.answer(b'{"type":"weather","rain":true}') is None
    assert loop.answer(json.dumps({"type": "hello", "rules": PODKIDNOY.to_dict(), "new": 1}).encode()) is not None


@given(st.lists(cards, min_size=1, max_size=4, unique=True), cards)
def test_the_text_of_a_move_reads_back_and_is_the_engines(some: list[str], target: str) -> None:
    for text in (f"a{''.join(some)}", f"b{target}:{some[0]}", f"t{some[0]}", f"s{some[0]}", "take", "pass"):
        assert str(Move.parse(text)) == text
        move, engine = Move.parse(text), EngineMove.parse(text)
        assert move.kind == engine.kind
        assert sorted(move.cards) == sorted(map(str, engine.cards))
        assert move.target == (None if engine.target is None else str(engine.target))


@pytest.mark.parametrize("text", ["", "a", "a8", "a8X", "8S", "b8S", "b8S:", "takes", "A8S", "a8s", "a8S ", "x8S"])
def test_a_text_that_is_no_move_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is no move"):
        Move.parse(text)


def test_ranks_are_numbers_from_two_to_the_ace() -> None:
    assert [rank(r + "S") for r in bots_sdk.bot.RANKS] == list(range(2, 15))
