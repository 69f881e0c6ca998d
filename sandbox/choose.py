"""Choosing a backend. There is no bare fallback: no sandbox, no foreign code."""

from __future__ import annotations

from sandbox.base import NoSandbox, Sandbox

BACKENDS = ("docker", "bubblewrap")


def open_sandbox(backend: str = "auto", *, sweep: bool = True) -> Sandbox:
    """Open a backend by name; `auto` takes Docker if a daemon answers, else bubblewrap.

    What dead workers left behind is swept first, unless `sweep` is false.

    Raises:
        NoSandbox: it cannot be had, with the reason and what to do.
        ValueError: an unknown name.

    """
    if backend == "auto":
        reasons = []
        for name in BACKENDS:
            try:
                return open_sandbox(name, sweep=sweep)
            except NoSandbox as reason:
                reasons.append(f"{name}: {reason}")
        raise NoSandbox("no sandbox can be had. " + " | ".join(reasons))
    if backend == "bubblewrap":
        from sandbox.bubblewrap import BubblewrapSandbox

        try:
            return BubblewrapSandbox(sweep=sweep)
        except OSError as error:
            raise NoSandbox(f"bubblewrap cannot be used here: {error}") from error
    if backend == "docker":
        # The backend's library is an extra that an author's machine need not have.
        try:
            from sandbox.docker import DockerSandbox
        except ImportError as error:
            raise NoSandbox("the package `docker` is missing: pip install docker") from error
        return DockerSandbox(sweep=sweep)
    raise ValueError(f"unknown sandbox {backend!r}; choose auto, docker or bubblewrap")
