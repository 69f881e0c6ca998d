"""The one interface of a sandbox, whichever backend stands behind it."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from bots_sdk.referee.pipes import Poller
from bots_sdk.referee.player import HostFault, Player
from sandbox.capabilities import Capabilities
from sandbox.spec import SandboxSpec


class NoSandbox(Exception):
    """Foreign code cannot be run here, and will not be; the message says why and what to do."""


class CannotStart(HostFault):
    """No sandbox can be started here now, whatever the program: the host needs mending, or another one its work."""


@runtime_checkable
class Session(Player, Protocol):
    """A running sandboxed program: a `Player` that can share its table's poll loop."""

    def join(self, poller: Poller) -> None:
        """Move to a table's common loop."""


class Sandbox(Protocol):
    """Starts programs that nobody trusts."""

    name: str

    def probe(self) -> Capabilities:
        """Test on the live host what is enforced; slow (a second or so)."""

    def start(self, spec: SandboxSpec) -> Session:
        """Start a program; it has not necessarily run its first instruction yet.

        Raises:
            CannotStart: the host could not start any; nobody is to be charged.
            HostFault: it could not start this one, whose folder holds what no program has.

        """

    def sweep(self) -> list[str]:
        """Remove what dead workers and passed deadlines left behind; one line for each thing."""

    def close(self) -> None:
        """Give up what is held ahead (warm containers, connections)."""
