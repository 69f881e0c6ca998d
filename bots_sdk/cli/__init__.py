"""The `durak` command: for bot authors, on their own machine."""

from __future__ import annotations

import signal
import sys

import typer

from bots_sdk.cli.check import check
from bots_sdk.cli.console import err
from bots_sdk.cli.errors import CliError
from bots_sdk.cli.new import new
from bots_sdk.cli.play import play
from bots_sdk.cli.replay import replay
from bots_sdk.cli.rules import count_leaves, explain, legal, why
from bots_sdk.cli.submit import submit

app = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False, help=__doc__)
for command in (new, play, check, submit, replay, explain, legal, why):
    app.command()(command)
app.command("perft")(count_leaves)


def main(arguments: list[str] | None = None) -> None:
    """Run the command and leave with its exit code: 2 for wrong usage, 1 for failure."""
    # As ctrl-C does, so that bots are stopped and scratch folders removed.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    try:
        app(arguments, prog_name="durak")
    except CliError as error:
        err.print("[red]durak:[/] ", end="")
        err.print(str(error), markup=False)
        sys.exit(error.code)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(1)
