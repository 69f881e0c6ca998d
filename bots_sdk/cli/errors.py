"""How a command says that it cannot: to stderr, in words, with an exit code and no traceback."""

from __future__ import annotations

FAILURE = 1
USAGE = 2


class CliError(Exception):
    """What was asked for did not come off; `code` is the exit code."""

    def __init__(self, message: str, code: int = FAILURE) -> None:
        super().__init__(message)
        self.code = code


class UsageError(CliError):
    """What was asked for makes no sense; the message says what would."""

    def __init__(self, message: str) -> None:
        super().__init__(message, USAGE)
