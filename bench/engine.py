"""How fast the engine plays: whole random deals, shuffle included, one process, beside another Durak engine.

Usage: ``python bench/engine.py [--seconds S] [--quick] [--pure-only] [PRESET ...]``

Three tables are printed, for the plain Python source and for the same source compiled by mypyc (built into a
temporary folder, which needs a C compiler):

* deals and moves a second for each preset and number of seats;
* the cost of a move in microseconds, split into legal moves, play and view;
* two seats of podkidnoy in turns with ``durakgame`` (from PyPI, if it is installed), as a ratio. Some of
  its random deals run away in an enumeration of combinations; those are cut off after 50 ms of CPU time and
  left out of its figure, which favours it.

Times are CPU times of the process, so that other work on the machine disturbs them little; ratios are taken
in the same run, and of several rounds the median counts.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from types import FrameType

ROOT = Path(__file__).resolve().parents[1]
SEATS = {"two-packs": (6,), "full": (2, 4, 6), "prostoy": (2, 4, 6)}
"""The numbers of seats measured where not all from two to six are."""
PEER_LIMIT = 0.05


class RanAwayError(Exception):
    """A deal of the peer takes too long."""


def play_deals(rules: object, seats: int, seconds: float) -> tuple[int, int, float]:
    """Random deals for so many seconds of CPU time: deals, moves, seconds."""
    from bots_sdk.durak import deal

    choose = random.Random(7).random
    deals = moves = 0
    begin = time.process_time()
    spent = 0.0
    while spent < seconds:
        for _ in range(10):
            state = deal(rules, seats, deals.to_bytes(16, "big"))  # type: ignore[arg-type]
            deals += 1
            while not state.is_over:
                legal = state.legal_moves()
                state.play(legal[int(choose() * len(legal))])
                moves += 1
        spent = time.process_time() - begin
    return deals, moves, spent


def split_costs(rules: object, seats: int, seconds: float) -> dict[str, float]:
    """Microseconds a call of legal moves, play and view, the clock's own cost taken off."""
    from bots_sdk.durak import deal

    clock = time.process_time
    overhead = statistics.median(-(clock() - clock()) for _ in range(2000))
    choose = random.Random(7).random
    spent = {"legal moves": 0.0, "play": 0.0, "view": 0.0}
    moves = number = 0
    until = clock() + seconds
    while clock() < until:
        state = deal(rules, seats, number.to_bytes(16, "big"))  # type: ignore[arg-type]
        number += 1
        while not state.is_over:
            t0 = clock()
            legal = state.legal_moves()
            t1 = clock()
            state.view(state.seat_to_move)
            t2 = clock()
            move = legal[int(choose() * len(legal))]
            t3 = clock()
            state.play(move)
            t4 = clock()
            spent["legal moves"] += t1 - t0 - overhead
            spent["view"] += t2 - t1 - overhead
            spent["play"] += t4 - t3 - overhead
            moves += 1
    return {what: total / moves * 1e6 for what, total in spent.items()}


def peer_deals(count: int) -> tuple[float, float, int]:
    """Deals a second and moves a deal of durakgame, and how many deals were cut off."""
    from durakgame import MrRandom, play

    def cut(_signal: int, _frame: FrameType | None) -> None:
        raise RanAwayError

    signal.signal(signal.SIGPROF, cut)
    moves = done = 0
    spent = 0.0
    for _ in range(count):
        begin = time.process_time()
        try:
            signal.setitimer(signal.ITIMER_PROF, PEER_LIMIT)
            history = play(MrRandom(), MrRandom(), moveLimit=1000)
        except RanAwayError:
            continue
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
        spent += time.process_time() - begin
        moves += len(history.p1Moves) + len(history.p2Moves)
        done += 1
    return done / spent, moves / done, count - done


def measure(presets: list[str], seconds: float, *, quick: bool) -> dict[str, object]:
    """All figures of the engine as it is imported here."""
    from bots_sdk.durak import RuleSet
    from bots_sdk.durak import bout as engine

    result: dict[str, object] = {"compiled": not engine.__file__.endswith(".py"), "tables": [], "costs": [], "peer": []}
    for name in presets or list(RuleSet.presets()):
        rules = RuleSet.preset(name)
        counts = SEATS.get(name, tuple(n for n in rules.seat_counts if n <= 6))
        for seats in counts[:1] if quick else counts:
            deals, moves, spent = play_deals(rules, seats, seconds)
            result["tables"].append([name, seats, deals / spent, moves / spent])  # type: ignore[attr-defined]
            if seats in (2, 4) or len(counts) == 1:
                costs = split_costs(rules, seats, seconds)
                result["costs"].append([name, seats, *costs.values()])  # type: ignore[attr-defined]
    try:
        import durakgame  # noqa: F401
    except ImportError:
        return result
    podkidnoy = RuleSet.preset("podkidnoy")
    random.seed(11)
    for _ in range(3 if quick else 7):
        theirs, their_moves, cut = peer_deals(150)
        deals, moves, spent = play_deals(podkidnoy, 2, seconds)
        result["peer"].append([theirs, their_moves, cut, deals / spent, moves / deals])  # type: ignore[attr-defined]
    return result


def build_compiled(folder: Path) -> bool:
    """Copy the package into the folder and compile it there; false, with the reason said, where that fails."""
    shutil.copytree(ROOT / "bots_sdk", folder / "bots_sdk", ignore=shutil.ignore_patterns("__pycache__", "*.so"))
    for name in ("setup.py", "pyproject.toml"):
        shutil.copy(ROOT / name, folder)
    (folder / "README.md").touch()
    done = subprocess.run(
        [sys.executable, "setup.py", "-q", "build_ext", "--build-lib", str(folder)],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    if any((folder / "bots_sdk" / "durak").glob("bout.*.so")):
        return True
    print("not compiled:", done.stderr.strip().splitlines()[-1] if done.stderr.strip() else "no reason given")
    return False


def measured_in(path: Path, arguments: list[str]) -> dict[str, object]:
    """The figures of the engine in this folder, from a process of its own."""
    command = [sys.executable, str(Path(__file__).resolve()), "--json", *arguments]
    done = subprocess.run(
        command, env={**os.environ, "PYTHONPATH": str(path)}, stdout=subprocess.PIPE, text=True, check=True
    )
    return dict(json.loads(done.stdout))


def report(label: str, figures: dict[str, object]) -> None:
    """Print one engine's figures."""
    print(f"\n== {label} (compiled: {'yes' if figures['compiled'] else 'no'}) ==")
    print(f"{'preset':20}{'seats':>6}{'deals/s':>11}{'moves/s':>12}")
    for name, seats, deals, moves in figures["tables"]:  # type: ignore[attr-defined]
        print(f"{name:20}{seats:6}{deals:11,.0f}{moves:12,.0f}")
    print(f"\n{'µs a move':20}{'seats':>6}{'legal moves':>13}{'play':>9}{'view':>9}")
    for name, seats, legal, play, view in figures["costs"]:  # type: ignore[attr-defined]
        print(f"{name:20}{seats:6}{legal:13.2f}{play:9.2f}{view:9.2f}")
    rounds: list[list[float]] = figures["peer"]  # type: ignore[assignment]
    if not rounds:
        print("\ndurakgame is not installed: no comparison")
        return
    theirs, their_moves, cut, ours, our_moves = (statistics.median(column) for column in zip(*rounds, strict=True))
    ratio = statistics.median(row[3] / row[0] for row in rounds)
    print(
        f"\npodkidnoy, 2 seats, in turns: {ours:,.0f} deals/s ({our_moves:.0f} moves a deal), durakgame {theirs:,.0f} "
        f"({their_moves:.0f} moves; {cut:.0f} of 150 deals cut off): {ratio:.2f} times as fast"
    )


def main() -> None:
    """Measure the source as it is and compiled, and print both."""
    parser = argparse.ArgumentParser(description="Measure the Durak engine.")
    parser.add_argument("presets", nargs="*", help="presets to measure, by default all")
    parser.add_argument("--seconds", type=float, default=0.4, help="CPU seconds for each figure")
    parser.add_argument("--quick", action="store_true", help="only the least number of seats of each preset")
    parser.add_argument("--pure-only", action="store_true", help="do not compile")
    parser.add_argument("--json", action="store_true", help="measure the engine on the path and print JSON")
    options = parser.parse_args()
    if options.json:
        print(json.dumps(measure(options.presets, options.seconds, quick=options.quick)))
        return
    arguments = [*options.presets, "--seconds", str(options.seconds)] + (["--quick"] if options.quick else [])
    report("plain Python", measured_in(ROOT, arguments))
    if not options.pure_only:
        with tempfile.TemporaryDirectory() as folder:
            if build_compiled(Path(folder)):
                report("compiled by mypyc", measured_in(Path(folder), arguments))


if __name__ == "__main__":
    main()
