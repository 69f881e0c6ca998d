"""`durak new`: a bot to begin from."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path
from typing import Annotated

import typer

from bots_sdk.cli.console import out
from bots_sdk.cli.errors import CliError, UsageError
from sandbox.bundles import MANIFEST, BundleError
from sandbox.bundles.manifest import bot_name
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
    try:
        own_name = bot_name(folder.name)
    except BundleError as error:
        raise UsageError(f"{error.what} for a bot. {error.remedy}") from error
    try:
        if folder.exists():
            raise CliError(f"{folder} is there already; choose another name or remove it")
        shutil.copytree(runtime.folder / "template", folder)
        manifest = folder / MANIFEST
        text = manifest.read_text(encoding="utf-8")
        manifest.write_text(re.sub(r'(?m)^name = ".*"$', f'name = "{own_name}"', text), encoding="utf-8")
    except OSError as error:
        raise CliError(f"cannot make {folder}: {error.strerror}") from error
    word = shlex.quote(str(folder))
    for line in (
        f"{folder}: a {runtime.title} bot that plays its lowest card. Your idea goes into {runtime.entry}.",
        f"  durak play {word} lowest -n 100    see how it does on this machine",
        f"  durak check {word}                 try it as the server will",
        f"  durak submit {word}                upload it",
    ):
        out.print(line, markup=False)
