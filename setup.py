"""Builds the wheel: the same source, with the engine's hot modules compiled by mypyc where that is possible.

Everything else about the package is in ``pyproject.toml``. An editable install, a machine without a C
compiler and ``DURAK_PURE=1`` all give the pure Python package, which plays the same, only slower; the build
log says which one was built and why.
"""

from __future__ import annotations

import os
import sys

from setuptools import setup
from setuptools.command.build_ext import build_ext

COMPILED = [
    f"bots_sdk/durak/{module}.py"
    for module in (
        "bout",
        "bout_refusals",
        "cards",
        "dealing",
        "duel",
        "games",
        "moves",
        "perft",
        "prostoy",
        "shuffle",
        "state",
        "svoi_kozyri",
    )
]


def log(message: str) -> None:
    """Say what is built, where a build's log is read."""
    print(f"durak-arena: {message}", file=sys.stderr)


class OptionalBuild(build_ext):
    """Builds the extensions, or goes on without them and says so."""

    def run(self) -> None:
        try:
            super().run()
            log("the engine is compiled")
        except Exception as error:  # noqa: BLE001
            log(f"the engine stays pure Python: {error}")
            self.extensions = []

    def copy_extensions_to_source(self) -> None:
        """An editable install runs the Python source: nothing is copied beside it."""


def extensions() -> list:
    if os.environ.get("DURAK_PURE") == "1":
        log("the engine stays pure Python: DURAK_PURE=1")
        return []
    if {"editable_wheel", "develop"} & set(sys.argv):
        log("the engine stays pure Python: this is an editable install")
        return []
    if not {"bdist_wheel", "build_ext", "build"} & set(sys.argv):
        return []
    try:
        from mypyc.build import mypycify
    except ImportError as error:
        log(f"the engine stays pure Python: {error}")
        return []
    try:
        return mypycify(COMPILED, opt_level="3", debug_level="0")
    except Exception as error:  # noqa: BLE001
        log(f"the engine stays pure Python: mypyc failed: {error}")
        return []


setup(ext_modules=extensions(), cmdclass={"build_ext": OptionalBuild})
