"""`durak new`: a bot to begin from."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Annotated

import typer

from bots_sdk.cli.console import out
from bots_sdk.cli.errors import CliError, UsageError
from sandbox.bundles.manifest import MANIFEST
from sandbox.runtimes import RUNTIMES


def new(
    name: Annotated[str, typer.Argument(help="the bot's name, and the folder that is made for it")],
    language: Annotated[str, typer.Option("--language", "-l", help=", ".join(RUNTIMES))] = "python",
) -> None:
    """Make a folder with a complete, legal bot to begin from."""
    runtime = RUNTIMES.get(language)
    if runtime is None:
        raise UsageError(f"there is no template for {language!r}; languages are {', '.join(RUNTIMES)}")
    folder = Path(name)
    own_name = folder.name
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_-]{0,38}", own_name):
        raise UsageError(f"{own_name!r} is no name for a bot: use up to 39 letters, digits, - and _")
    if folder.exists():
        raise CliError(f"{folder} is there already; choose another name or remove it")
    try:
        shutil.copytree(runtime.folder / "template", folder)
        manifest = folder / MANIFEST
        text = manifest.read_text(encoding="utf-8")
        manifest.write_text(re.sub(r'(?m)^name = ".*"$', f'name = "{own_name}"', text), encoding="utf-8")
    except OSError as error:
        raise CliError(f"cannot make {folder}: {error.strerror}") from error
    out.print(f"{folder}: a {runtime.title} bot that plays its lowest card. Your idea goes into {runtime.entry}.")
    out.print(f"  durak play {folder} lowest -n 100    see how it does on this machine")
    out.print(f"  durak check {folder}                 try it as the server will")
    out.print(f"  durak submit {folder}                upload it")
