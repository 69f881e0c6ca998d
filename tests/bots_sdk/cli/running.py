"""Runs the `durak` command within the test's process."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from bots_sdk.cli import main


@dataclass(frozen=True)
class Ran:
    """What came of a command."""

    code: int
    out: str
    err: str


Durak = Callable[..., Ran]


def runner(capsys: pytest.CaptureFixture[str]) -> Durak:
    def durak(*arguments: object) -> Ran:
        capsys.readouterr()
        with pytest.raises(SystemExit) as left:
            main([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        code = left.value.code
        return Ran(code if isinstance(code, int) else 0, captured.out, captured.err)

    return durak
