"""Builds the wheel: the same source, with the engine's hot modules compiled by mypyc where that is possible.

Everything else about the package is in ``pyproject.toml``. An editable install, a machine without a C
compiler and ``DURAK_PURE=1`` all give the pure Python package, which plays the same, only slower; the build
log says which one was built and why.
"""

from __future__ import annotations

import os
import shutil
import sys
import sysconfig

from setuptools import setup
from setuptools.command.build_ext import build_ext

COMPILED = [
    f"bots_sdk/durak/{module}.py"
    for module in (
        "bout",
        "bout_positions",
        "bout_refusals",
        "cards",
        "chronicle",
        "dealing",
        "duel",
        "games",
        "moves",
        "perft",
        "prostoy",
        "shuffle",
        "state",
        "svoi_kozyri",
        "views",
    )
]


def log(message: str) -> None:
    """Say what is built, where a build's log is read."""
    print(f"durak-arena: {message}", file=sys.stderr)  # noqa: T201


class OptionalBuild(build_ext):
    """Builds the extensions, or goes on without them and says so."""

    def run(self) -> None:
        """Build, and never fail."""
        try:
            super().run()
            log("the engine is compiled")
        except Exception as error:  # noqa: BLE001
            log(f"the engine stays pure Python: {error}")
            self.extensions = []

    def copy_extensions_to_source(self) -> None:
        """An editable install runs the Python source: nothing is copied beside it."""


def compiler() -> str:
    """The C compiler that would be used."""
    return (os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc").split()[0]


def obstacle() -> str | None:
    """Why nothing is to be compiled; ``None`` if it is to be tried."""
    if os.environ.get("DURAK_PURE") == "1":
        return "DURAK_PURE=1"
    if {"editable_wheel", "develop"} & set(sys.argv):
        return "this is an editable install"
    if shutil.which(compiler()) is None:
        return f"there is no C compiler {compiler()}"
    return None


def extensions() -> list:
    """The extensions to build, none where the package is to stay pure Python."""
    building = {"bdist_wheel", "build_ext", "build", "editable_wheel", "develop"} & set(sys.argv)
    reason = obstacle()
    if building and reason is None:
        try:
            from mypyc.build import mypycify

            return mypycify(COMPILED, opt_level="3", debug_level="0")
        except Exception as error:  # noqa: BLE001
            reason = str(error)
    if building:
        log(f"the engine stays pure Python: {reason}")
    return []


setup(ext_modules=extensions(), cmdclass={"build_ext": OptionalBuild})
