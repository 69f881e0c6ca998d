"""The `durak` command: for bot authors, on their own machine."""

from __future__ import annotations

import contextlib
import io
import os
import signal
import sys

import typer

from bots_sdk.cli.check import check
from bots_sdk.cli.console import complain
from bots_sdk.cli.errors import FAILURE, CliError
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
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        try:
            app(arguments, prog_name="durak")
        finally:
            if sys.stdout is not None:
                sys.stdout.flush()
    except CliError as error:
        complain(str(error))
        sys.exit(error.code)
    except BrokenPipeError:
        _drop_output()
        sys.exit(FAILURE)
    except OSError as error:
        _drop_output()
        where = "" if error.filename is None else f"{error.filename}: "
        complain(f"{where}{error.strerror or error}")
        sys.exit(FAILURE)


def _drop_output() -> None:
    """Keep what is still in stdout's buffer from failing once more when the interpreter leaves."""
    with contextlib.suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
