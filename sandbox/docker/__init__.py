"""The Docker backend: hardened containers, started ahead and waiting at a gate."""

from sandbox.docker.backend import DockerSandbox

__all__ = ["DockerSandbox"]
