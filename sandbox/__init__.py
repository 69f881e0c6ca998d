"""Runs code that nobody trusts: one policy, enforced by bubblewrap or by Docker.

    sandbox = open_sandbox("auto")
    session = sandbox.start(SandboxSpec(runtime=RUNTIMES["python"], folder=bot, argv=argv))

A session is a `bots_sdk.referee.Player`. The library is usable without the arena:
`python -m sandbox probe`, `python -m sandbox run <bot folder>`.
"""

from sandbox.base import NoSandbox, Sandbox, Session
from sandbox.capabilities import Capabilities, Control
from sandbox.choose import open_sandbox
from sandbox.limits import Limits
from sandbox.spec import Labels, SandboxSpec

__all__ = [
    "Capabilities",
    "Control",
    "Labels",
    "Limits",
    "NoSandbox",
    "Sandbox",
    "SandboxSpec",
    "Session",
    "open_sandbox",
]
