"""Honcho's process manager, with a worker's manners."""

from __future__ import annotations

import os
import signal
from typing import Any

from honcho import manager


class Supervisor(manager.Manager):
    """Runs processes, prefixes their lines, ends them all when one ends.

    Asked to stop, it signals only each process itself and not its whole group, so that a worker ends its match first;
    whoever is not gone after ``patience`` seconds is killed with its group.
    """

    patience = 20  # seconds

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        manager.KILL_WAIT = self.patience
        self.first_to_end = ""

    def terminate(self) -> None:
        """Tell all to end; who has ended before that is kept in ``first_to_end``."""
        if not self._terminating:
            self.first_to_end = next((name for name, state in self._processes.items() if "returncode" in state), "")
        super().terminate()

    def _killall(self, force: bool = False) -> None:
        if force:
            super()._killall(force=True)
            return
        for state in self._processes.values():
            if "pid" in state and "returncode" not in state:
                os.kill(state["pid"], signal.SIGTERM)
