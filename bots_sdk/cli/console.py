"""The two consoles: results go to stdout, everything else to stderr."""

from __future__ import annotations

import json
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

out = Console(highlight=False, soft_wrap=True)
err = Console(stderr=True, highlight=False, soft_wrap=True)


def progress_bar(*, shown: bool = True) -> Progress:
    """A bar on stderr that vanishes when it is done; none where stderr is no terminal."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    return Progress(*columns, console=err, transient=True, disable=not (shown and err.is_terminal))


def warn(message: str) -> None:
    """A line that must be seen but is not the result."""
    err.print("[yellow]warning:[/] ", end="")
    err.print(message, markup=False)


def complain(message: str) -> None:
    """Why there is no result, or none but a part."""
    err.print("[red]durak:[/] ", end="")
    err.print(message, markup=False)


def print_json(value: Any) -> None:
    """The result for a program: nothing else is on stdout."""
    print(json.dumps(value, indent=2))
