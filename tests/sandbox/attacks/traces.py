"""What a sandbox could leave behind on the host, as a set that can be compared."""

from __future__ import annotations

from pathlib import Path

from sandbox.slots import Slots


def traces(slots: Slots) -> set[str]:
    """Processes of slots, control groups, mounts, files in slot folders, and our own descriptors."""
    mounts = Path("/proc/self/mountinfo").read_text().splitlines()
    return {
        *_processes(slots),
        *(f"cgroup {path}" for path in Path("/sys/fs/cgroup").glob(f"*/durak/{slots.prefix}-*")),
        *(f"cgroup {path}" for path in Path("/sys/fs/cgroup").glob(f"durak/{slots.prefix}-*")),
        *(f"mount {line.split()[4]}" for line in mounts if str(slots.folder) in line),
        *(f"folder {path}" for path in slots.folder.iterdir() if path.is_dir()),
        *(f"lease {path}" for path in slots.folder.glob("*.lease") if path.stat().st_size),
        f"{len([*Path('/proc/self/fd').iterdir()])} descriptors",
    }


def _processes(slots: Slots) -> set[str]:
    found = set()
    for path in Path("/proc").glob("[0-9]*"):
        try:
            status = (path / "status").read_text()
        except OSError:
            continue
        fields = dict(line.split(":\t", 1) for line in status.splitlines() if ":\t" in line)
        if int(fields["Uid"].split()[0]) in range(slots.first_uid, slots.first_uid + slots.count):
            found.add(f"process {path.name} {fields['Name']}")
    return found
