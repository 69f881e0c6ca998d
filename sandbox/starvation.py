"""Tells whether it was the bot that was slow, or the host.

When a bot's time is up, it is watched a moment longer. One that sleeps waits for no processor, and
one that works is given what its quota allows; one that wants a processor and is given much less
than its quota is starved by the host, and the attempt is void. A bot cannot pretend to be starved:
its own threads, however many, take the quota up between them.
"""

from __future__ import annotations

import contextlib
import time
from pathlib import Path
from typing import Final

from sandbox.cgroups import Group
from sandbox.limits import Limits

WATCHED_SECONDS: Final = 0.1
GIVEN_SHARE: Final = 0.5
"""Of its quota; a program that is given less than this while it waits is starved."""
WAITED_SHARE: Final = 0.4
"""Of the time watched, spent by one thread in the queue for a processor."""


def starved(group: Group, limits: Limits) -> str | None:
    """Watch the group for a moment; say in words how the host starved it, None if it did not."""
    waits, used = _waits(group), group.usage().cpu_ms
    began = time.monotonic()
    time.sleep(WATCHED_SECONDS)
    later, used_later = _waits(group), group.usage().cpu_ms
    watched = (time.monotonic() - began) * 1000
    if used is None or used_later is None:
        return None
    given = used_later - used
    waited = max((later[task] - waits[task] for task in later if task in waits), default=0.0)
    entitled = watched * min(limits.cpus, 1.0)
    if given < GIVEN_SHARE * entitled and waited > WAITED_SHARE * watched:
        return (
            f"the host is overloaded: in {watched:.0f} ms the bot waited {waited:.0f} ms for a processor "
            f"and was given {given:.0f} of {entitled:.0f} ms"
        )
    return None


def _waits(group: Group) -> dict[str, float]:
    """Thread to the milliseconds that it has spent ready to run but not running."""
    found = {}
    for pid in group.pids():
        for path in Path(f"/proc/{pid}/task").glob("*/schedstat"):
            # Threads come and go while we look.
            with contextlib.suppress(OSError, IndexError, ValueError):
                found[path.parent.name] = int(path.read_text().split()[1]) / 1e6
    return found
