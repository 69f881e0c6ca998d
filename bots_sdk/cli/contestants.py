"""Who plays in `durak play`: an author's folders and the reference bots, as programs on this machine."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import bots_sdk
from bots_sdk.cli.errors import CliError, UsageError
from bots_sdk.durak import RuleSet
from bots_sdk.referee import HostFault
from bots_sdk.referee.local import SubprocessPlayer
from bots_sdk.reference import REFERENCE_BOTS, reference_folder
from sandbox.bundles import Bundle, BundleError
from sandbox.runtimes import OUTPUT, PRODUCTS, Runtime

BUILD_SECONDS = 300
_SANDBOX_PLACE = re.compile(rf"{OUTPUT}\b|/tmp\b")


@dataclass(frozen=True)
class Contestant:
    """A bot that can be started bare; `label` tells it from others of the same name."""

    label: str
    bundle: Bundle
    folder: Path
    argv: tuple[str, ...]
    env: dict[str, str]

    def start(self) -> SubprocessPlayer:
        """Start a fresh process.

        Raises:
            CliError: its language's program is not on this machine.

        """
        try:
            return SubprocessPlayer(self.argv, cwd=self.folder, env=self.env)
        except HostFault as fault:
            raise CliError(f"{self.label}: {fault.reason}") from fault

    def require(self, preset: str, rules: RuleSet, seats: int) -> None:
        """Refuse a game that the bot's manifest does not name.

        Raises:
            UsageError: with what it plays.

        """
        manifest = self.bundle.manifest
        if preset not in manifest.presets:
            raise UsageError(f"{self.label} does not play {preset}; its durak.toml has {', '.join(manifest.presets)}")
        if seats not in manifest.seats or seats not in rules.seat_counts:
            own = ", ".join(str(count) for count in manifest.seats if count in rules.seat_counts)
            raise UsageError(f"{self.label} does not play {preset} with {seats} seats, but with {own or 'no number'}")


def read_bundle(folder: Path) -> Bundle:
    """Read a bot's folder as the server would.

    Raises:
        CliError: it is no bot, with the reason.

    """
    try:
        return Bundle.from_folder(folder)
    except BundleError as error:
        raise CliError(f"{folder}: {error}") from error
    except OSError as error:
        raise CliError(f"cannot read {error.filename or folder}: {error.strerror}") from error


def find_folder(name: str) -> Path:
    """The folder that a word on the command line means: a path, or a reference bot's name.

    Raises:
        UsageError: neither.
        CliError: it cannot be looked at.

    """
    folder = Path(name)
    try:
        if folder.is_dir():
            return folder.resolve()
    except OSError as error:
        raise CliError(f"cannot read {name}: {error.strerror}") from error
    if name in REFERENCE_BOTS:
        return reference_folder(name)
    raise UsageError(f"{name!r} is neither a folder nor one of the reference bots {', '.join(REFERENCE_BOTS)}")


def contestants(names: Sequence[str], scratch: Path) -> list[Contestant]:
    """Find and build everyone; a name given twice plays twice. Programs are built below `scratch`.

    Raises:
        UsageError: an unknown name.
        CliError: something that is no bot, or does not build.

    """
    built: dict[Path, tuple[Bundle, Path]] = {}
    labels: list[str] = []
    found = []
    for name in names:
        folder = find_folder(name)
        if folder not in built:
            bundle = read_bundle(folder)
            built[folder] = bundle, build_bare(bundle, scratch / f"bot{len(built)}")
        bundle, program = built[folder]
        label = bundle.manifest.name
        if label in labels:
            label += f"#{sum(other.split('#')[0] == label for other in labels) + 1}"
        labels.append(label)
        runtime = bundle.manifest.runtime
        argv = _argv(runtime, runtime.run_argv(bundle.manifest.entry))
        found.append(Contestant(label, bundle, program, argv, _environment(runtime.env, program)))
    return found


def build_bare(bundle: Bundle, folder: Path) -> Path:
    """Copy a bot's files to `folder`, and compile them there with this machine's own tools.

    Raises:
        CliError: a tool is missing, or the compiler's own words.

    """
    bundle.extract(folder)
    runtime = bundle.manifest.runtime
    if not runtime.compiled:
        return folder
    scratch = folder.with_name(folder.name + "-scratch")
    products = folder / PRODUCTS
    for made in (scratch, products):
        made.mkdir()
    words = runtime.compile_argv(bundle.manifest.entry, bundle.files)
    argv = [_relocated(word, scratch, products) for word in words]
    env = _environment(runtime.build_env, scratch)
    try:
        done = subprocess.run(
            argv, cwd=folder, env=env, stdin=subprocess.DEVNULL, capture_output=True, timeout=BUILD_SECONDS, check=False
        )
    except FileNotFoundError as error:
        needed = ", ".join(package.name for package in runtime.packages)
        raise CliError(f"{argv[0]} is not installed; {runtime.title} needs (Debian's names): {needed}") from error
    except subprocess.TimeoutExpired as error:
        raise CliError(f"the {runtime.title} compiler was stopped after {BUILD_SECONDS} s") from error
    if done.returncode:
        log = (done.stdout + done.stderr).decode(errors="replace").strip()
        raise CliError(f"{bundle.manifest.name} does not compile:\n{log[-8000:]}")
    shutil.rmtree(scratch, ignore_errors=True)
    return folder


def _relocated(word: str, scratch: Path, products: Path) -> str:
    """A word of a runtime's row with the sandbox's own places put elsewhere."""
    return _SANDBOX_PLACE.sub(lambda place: str(products if place[0] == OUTPUT else scratch), word)


def _argv(runtime: Runtime, argv: tuple[str, ...]) -> tuple[str, ...]:
    """Python bots get the Python that has the SDK, whatever is first on the path."""
    return (sys.executable, *argv[1:]) if runtime.name == "python" else argv


def _environment(row: object, scratch: Path) -> dict[str, str]:
    """The machine's own environment with what a runtime's row sets, but for places that are the sandbox's own."""
    own = dict(os.environ)
    for key, value in dict(row).items():  # type: ignore[call-overload]
        if key not in ("PATH", "HOME", "PYTHONPATH"):
            own[key] = _relocated(value, scratch, scratch)
    own["PYTHONPATH"] = str(Path(bots_sdk.__file__).parent.parent)
    return own
