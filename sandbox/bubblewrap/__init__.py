"""The bubblewrap backend: no daemon, no root-installed service; starts in milliseconds."""

from sandbox.bubblewrap.backend import BubblewrapSandbox

__all__ = ["BubblewrapSandbox"]
