"""Tells whether it was the bot that was slow, or the host.

A bot that sleeps waits for no processor, and one that works is given what its quota allows; one
that wants a processor and is given much less than its quota is starved by the host. A bot cannot
pretend to be starved, which would be a way out of a match that it is losing: a thread that slept
in between is believed only the waits that the kernel counted, and what other threads of the bot
used while one of them waited was not taken by the host.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from sandbox.cgroups import Group

STARVED_SHARE: Final = 0.4
"""Of the time watched; a program that lacked more than this of what it was entitled to is starved."""
ENOUGH_SHARE: Final = 0.4
"""Of what it was entitled to; a program that was given this has had its chance, though it waited.
Else on a host with one busy process a processor, which gives each but half, a bot that is losing
could spin until its time is up, and the match would be void. A bot that uses a fifth of its time,
as bots are advised, has been given more than it needs."""
NOTED_SHARE: Final = 0.25
"""A lack below this share is the ordinary jitter of a host in use."""


@dataclass(frozen=True, slots=True)
class Thread:
    """Milliseconds that a thread has run, and waited for a processor; whether it `wants` one now.

    `slept` is how often it gave its processor up to wait for something else.
    """

    ran: float
    waited: float
    wants: bool
    slept: int = 0

    def waited_until(self, later: Thread, watched: float, given: float) -> float:
        """What it waited for the host in between, when its program was `given` that much.

        The kernel counts a wait only once it is over, so one that is not over is what is left of the
        time; but only for a thread that has not slept at all, whatever it does when it is looked at.
        """
        ran, waited = later.ran - self.ran, later.waited - self.waited
        if self.wants and later.wants and self.slept == later.slept:
            waited = max(waited, watched - ran)
        return waited - max(0.0, given - ran)


@dataclass(frozen=True, slots=True)
class Reading:
    """What a group had used and waited by a moment (`at`, monotonic seconds); the rest in ms.

    `throttled` is for how long its own quota has held it up; the kernel counts that once it is over.
    """

    at: float
    used: float | None
    threads: Mapping[str, Thread]
    throttled: float = 0.0

    @classmethod
    def of(cls, group: Group) -> Reading:
        """Read now; takes a fraction of a millisecond."""
        at, usage = time.monotonic(), group.usage()
        return cls(at, usage.cpu_ms, dict(_threads(group)), usage.throttled_ms)

    def until(self, later: Reading, cpus: float) -> Share:
        """What the group was given between two readings, with a quota of `cpus` processors."""
        watched = (later.at - self.at) * 1000
        if self.used is None or later.used is None:
            return Share(watched, 0.0, 0.0, 0.0)
        given = later.used - self.used
        pairs = ((self.threads[name], now) for name, now in later.threads.items() if name in self.threads)
        waited = max((was.waited_until(now, watched, given) for was, now in pairs), default=0.0)
        waited -= later.throttled - self.throttled
        return Share(watched, watched * min(cpus, 1.0), given, max(0.0, waited))


@dataclass(frozen=True, slots=True)
class Share:
    """Milliseconds: watched, entitled to, given, and waited by the thread that waited longest."""

    watched: float
    entitled: float
    given: float
    waited: float

    @property
    def lacked(self) -> float:
        """What the host owed the program: it was entitled to it, waited for it, and was not given it."""
        if self.given >= ENOUGH_SHARE * self.entitled:
            return 0.0
        return max(0.0, min(self.waited, self.entitled - self.given))

    @property
    def is_starved(self) -> bool:
        """The delay is the host's."""
        return self.lacked > STARVED_SHARE * self.watched

    @property
    def is_noted(self) -> bool:
        """The lack is worth remembering."""
        return self.lacked > NOTED_SHARE * self.watched

    def __str__(self) -> str:
        return (
            f"the host is overloaded: in {self.watched:.0f} ms the bot waited {self.waited:.0f} ms for a processor "
            f"and was given {self.given:.0f} of {self.entitled:.0f} ms"
        )


def _threads(group: Group) -> Iterator[tuple[str, Thread]]:
    # Processes and threads come and go while we look.
    for pid in group.pids():
        tasks = Path(f"/proc/{pid}/task")
        with contextlib.suppress(OSError):
            for name in os.listdir(tasks):  # noqa: PTH208 - a glob hides nothing but some of the errors
                with contextlib.suppress(OSError, KeyError, IndexError, ValueError):
                    yield name, _thread(tasks / name)


def _thread(path: Path) -> Thread:
    ran, waited = (path / "schedstat").read_text().split()[:2]
    status = dict(line.split(":", 1) for line in (path / "status").read_text().splitlines())
    wants, slept = status["State"].split()[0] == "R", int(status["voluntary_ctxt_switches"])
    return Thread(int(ran) / 1e6, int(waited) / 1e6, wants, slept)
