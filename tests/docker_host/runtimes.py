"""The OCI runtimes that the tests' daemon knows beside runc, which Docker brings along."""

from __future__ import annotations

import shutil
from pathlib import Path

ARGUMENTS: dict[str, list[str]] = {"crun": [], "runsc": ["--platform=ptrace", "--network=none", "--oci-seccomp"]}
UNFILTERED = "runsc-unfiltered"
"""gVisor as one registers it who has not read that it ignores system call filters unless told."""
BROKEN = "broken"
"""A runtime that starts nothing and says why."""

UNIFIED = Path("/sys/fs/cgroup/unified")
WITHOUT_UNIFIED = """\
#!/bin/sh
exec unshare --mount sh -c 'umount {unified} && exec {crun} "$@"' crun "$@"
"""


def oci_runtimes(folder: Path) -> dict[str, dict[str, object]]:
    """Those that this machine has, as `daemon.json` lists them; scripts that they need are put into a folder."""
    found: dict[str, dict[str, object]] = {}
    for name, arguments in ARGUMENTS.items():
        if path := shutil.which(name):
            found[name] = {"path": path, "runtimeArgs": arguments}
    if "runsc" in found:
        found[UNFILTERED] = {"path": found["runsc"]["path"], "runtimeArgs": ["--platform=ptrace", "--network=none"]}
    if "crun" in found and _is_hybrid():
        # crun refuses hosts with controllers in both hierarchies; it shall see the first only.
        text = WITHOUT_UNIFIED.format(unified=UNIFIED, crun=found["crun"]["path"])
        found["crun"]["path"] = _script(folder / "crun", text)
    broken = "#!/bin/sh\necho 'no such kernel module' >&2\nexit 1\n"
    found[BROKEN] = {"path": _script(folder / "broken-runtime", broken)}
    return found


def _is_hybrid() -> bool:
    controllers = UNIFIED / "cgroup.controllers"
    return controllers.exists() and bool(controllers.read_text().split())


def _script(path: Path, text: str) -> str:
    path.write_text(text)
    path.chmod(0o755)
    return str(path)
