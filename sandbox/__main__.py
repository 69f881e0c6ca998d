"""The sandbox from the command line: `python -m sandbox prepare | probe | run | sweep`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, NoReturn

import typer
from rich.console import Console
from rich.table import Table

from bots_sdk.referee.player import HostFault
from sandbox import packages
from sandbox.base import NoSandbox, Sandbox
from sandbox.capabilities import HELD, PARTIAL, Capabilities
from sandbox.choose import BACKENDS, open_sandbox
from sandbox.images import main as images_main
from sandbox.probe import WORDS
from sandbox.try_out import TryOutError, play_against_itself, talk

app = typer.Typer(no_args_is_help=True, add_completion=False, help=__doc__, pretty_exceptions_enable=False)
out = Console(highlight=False)
err = Console(stderr=True, highlight=False)

Backend = Annotated[str, typer.Option(help="auto, docker or bubblewrap")]
STYLES = {HELD: "green", PARTIAL: "yellow"}


@app.command()
def prepare(
    into: Annotated[Path | None, typer.Option(help="where; a cache of the system's unless given")] = None,
) -> None:
    """Make the folder of packages that Python bots may import (once; needs a package index)."""
    try:
        out.print(packages.prepare(into), soft_wrap=True)
    except (packages.CannotPrepare, OSError) as error:
        _fail(str(error))


@app.command()
def probe(
    backend: Backend = "all",
    *,
    as_json: Annotated[bool, typer.Option("--json", help="print JSON")] = False,
) -> None:
    """Test on this host what each backend holds; exit code 1 if none is safe."""
    found: dict[str, Capabilities | str] = {}
    for name in BACKENDS if backend == "all" else [backend]:
        try:
            sandbox = open_sandbox(name)
            try:
                found[name] = sandbox.probe()
            finally:
                sandbox.close()
        except (NoSandbox, ValueError) as reason:
            found[name] = str(reason)
    if as_json:
        print(  # noqa: T201
            json.dumps({k: v if isinstance(v, str) else v.as_dict() for k, v in found.items()}, indent=1)
        )
    else:
        for name, result in found.items():
            _print(name, result)
    if not any(isinstance(result, Capabilities) and result.safe for result in found.values()):
        raise typer.Exit(1)


@app.command()
def run(
    folder: Annotated[Path, typer.Argument(help="the bot's folder, with its durak.toml")],
    backend: Backend = "auto",
    *,
    deals: Annotated[int, typer.Option("-n", min=1, help="deals to play against itself")] = 10,
    seats: Annotated[int | None, typer.Option(help="seats; the manifest's first unless given")] = None,
    preset: Annotated[str | None, typer.Option(help="rules; the manifest's first unless given")] = None,
    speak: Annotated[bool, typer.Option(help="pass your lines to the bot, and its lines to you")] = False,
) -> None:
    """Build a bot in the sandbox, and let it play against itself there (or talk with it)."""
    sandbox = _open(backend)
    try:
        if speak:
            talk(sandbox, folder, out)
        elif not play_against_itself(sandbox, folder, out, deals=deals, seats=seats, preset=preset):
            raise typer.Exit(1)
    except (TryOutError, HostFault) as error:
        _fail(str(error))
    finally:
        sandbox.close()


@app.command()
def sweep(backend: Backend = "all") -> None:
    """Remove what workers that died left behind."""
    for name in BACKENDS if backend == "all" else [backend]:
        try:
            sandbox = open_sandbox(name, sweep=False)
        except (NoSandbox, ValueError) as reason:
            err.print(f"{name}: {reason}")
            continue
        lines = sandbox.sweep()
        for line in lines:
            out.print(f"{name}: {line}")
        if not lines:
            out.print(f"{name}: nothing was left over")
        sandbox.close()


def _open(backend: str) -> Sandbox:
    try:
        return open_sandbox(backend)
    except (NoSandbox, ValueError) as reason:
        _fail(str(reason))


def _print(name: str, result: Capabilities | str) -> None:
    if isinstance(result, str):
        out.print(f"[bold]{name}[/]: not available: {result}\n")
        return
    verdict = "[green]safe[/]" if result.safe else "[red]not safe: foreign code is refused[/]"
    table = Table(title=f"{result.backend} {result.version}: {verdict}", title_justify="left")
    for column in ("control", "", "what was seen", "what to do"):
        table.add_column(column, overflow="fold")
    for control in result.controls:
        style = STYLES.get(control.state, "red")
        what = WORDS.get(control.name, "")
        title = f"{control.name}: {what}" if what else control.name
        table.add_row(title, f"[{style}]{control.state}[/]", control.detail, control.remedy)
    out.print(table)
    for language, reason in result.languages.items():
        out.print(f"  {language}: " + (f"no ({reason})" if reason else "yes"), soft_wrap=True)
    for note in result.notes:
        out.print(f"  note: {note}", soft_wrap=True)
    out.print()


def _fail(message: str) -> NoReturn:
    err.print(message, style="red", soft_wrap=True)
    raise typer.Exit(2)


@app.command(context_settings={"allow_extra_args": True, "ignore_unknown_options": True}, add_help_option=False)
def images(context: typer.Context) -> None:
    """Build the languages' images, or list what is in them."""
    raise typer.Exit(images_main(context.args))


if __name__ == "__main__":
    app()
