"""`durak explain`, `legal`, `why` and `perft`: the rules, asked from the command line."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from bots_sdk.cli.console import err, out, print_json
from bots_sdk.cli.errors import FAILURE, CliError, UsageError
from bots_sdk.cli.play import preset_rules
from bots_sdk.durak import DurakError, GameState, IllegalMove, Move, NotationError, RuleSet, deal, perft

DEEPEST = 500
"""More levels than Python has room for; nobody lives to see the end of a tenth of them."""

Position = Annotated[Path, typer.Argument(metavar="POSITION.json", help="a position as JSON; - is stdin")]
AsJson = Annotated[bool, typer.Option("--json", help="print JSON")]


def explain(
    preset: Annotated[str | None, typer.Argument(help="a preset; without one they are listed")] = None,
    *,
    as_json: AsJson = False,
) -> None:
    """Explain a rule set in words, or list all of them."""
    if preset is not None:
        rules = preset_rules(preset)
        if as_json:
            print_json(rules.to_dict())
        else:
            out.print(rules.explain(), markup=False)
        return
    presets = RuleSet.presets()
    if as_json:
        print_json({name: {"summary": rules.summary, "seats": rules.seat_counts} for name, rules in presets.items()})
        return
    table = Table("preset", "seats", "what it is")
    for name, rules in presets.items():
        table.add_row(name, f"{rules.seat_counts[0]}-{rules.seat_counts[-1]}", rules.summary)
    out.print(table)


def legal(position: Position, *, as_json: AsJson = False) -> None:
    """Print the legal moves of a position, one a line."""
    state = _state(position)
    moves = [str(move) for move in state.legal_moves()]
    if as_json:
        print_json(moves)
    elif state.is_over:
        err.print("The deal is over: nobody moves any more.")
    else:
        out.print("\n".join(moves), markup=False)


def why(
    position: Position,
    move: Annotated[str, typer.Argument(help="a move, such as a8S, b8S:JS, take or pass")],
) -> None:
    """Say why a move is refused (exit code 1), or that it is legal."""
    state = _state(position)
    try:
        state.verify(Move.parse(move))
    except NotationError as error:
        raise UsageError(str(error)) from error
    except IllegalMove as error:
        out.print(str(error), markup=False)
        raise typer.Exit(FAILURE) from error
    out.print(f"{move} is legal for seat {state.seat_to_move}.")


def count_leaves(
    preset: Annotated[str, typer.Argument(help="a preset")],
    seats: Annotated[int, typer.Option(min=2, help="how many play")] = 2,
    seed: Annotated[str, typer.Option(help="the deal's seed in hex, at least 16 bytes")] = "00" * 16,
    depth: Annotated[int, typer.Option(min=0, max=DEEPEST, help="how many decisions deep")] = 4,
) -> None:
    """Count the leaves of a deal's game tree to a depth: an oracle for move generators."""
    rules = preset_rules(preset)
    try:
        deck = bytes.fromhex(seed)
    except ValueError as error:
        raise UsageError(f"--seed {seed} is no seed: two digits of 0123456789abcdef for each byte") from error
    try:
        state = deal(rules, seats, deck)
    except DurakError as error:
        raise UsageError(str(error)) from error
    out.print(perft(state, depth))


def _state(path: Path) -> GameState:
    with reading(path):
        position = json.loads(_text(path))
        # A fault file of `durak play --save` holds its position under that name.
        if isinstance(position, dict) and "verdict" in position:
            if position.get("position") is None:
                raise CliError(f"{path} has no position: the fault ({position['verdict']}) came before the first deal")
            position = position["position"]
        return GameState.from_position(position)


def _text(path: Path) -> str:
    if str(path) != "-":
        return path.read_text(encoding="utf-8")
    if sys.stdin is None:
        raise CliError("there is no stdin to read the position from")
    return sys.stdin.read()


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """Turn what can go wrong with a file into words.

    Raises:
        CliError: the file cannot be read, or holds something else.

    """
    try:
        yield
    except OSError as error:
        raise CliError(f"cannot read {path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise CliError(f"{path} is not text in UTF-8") from error
    except RecursionError as error:
        raise CliError(f"{path} is nested too deeply") from error
    except DurakError as error:
        raise CliError(f"{path}: {error}") from error
    except ValueError as error:  # also a number of more digits than Python reads
        raise CliError(f"{path} is not JSON: {error}") from error
