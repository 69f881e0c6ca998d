"""A minimal Debian 12 root as a tarball, with this machine's settings for package downloads.

The settings (sources, proxy, certificates) are read when the tarball is made and live only in the
git-ignored cache.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import tarfile
from pathlib import Path

SUITE = "bookworm"
TAG = ("debian", "12-slim")
BUNDLE = Path("/etc/ssl/certs/ca-certificates.crt")
CERTIFICATE = re.compile(r"-----BEGIN CERTIFICATE-----.+?-----END CERTIFICATE-----\n", re.DOTALL)


def base_tarball(cache: Path) -> Path:
    """The tarball for this machine's present settings, made if it is not cached.

    Raises:
        RuntimeError: debootstrap is missing or failed.
    """
    settings = _settings()
    digest = hashlib.sha256(repr(sorted(settings.items())).encode()).hexdigest()[:12]
    target = cache / f"debian-{SUITE}-{digest}.tar"
    if target.exists():
        return target
    root = cache / f"root-{os.getpid()}"
    try:
        _debootstrap(root)
        for name, text in settings.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text)
        _trust_the_hosts_certificates(root)
        fresh = target.with_suffix(f".{os.getpid()}")
        with tarfile.open(fresh, "w") as archive:
            archive.add(root, arcname=".")
        fresh.replace(target)
    finally:
        shutil.rmtree(root, ignore_errors=True)
    return target


def _debootstrap(root: Path) -> None:
    if not shutil.which("debootstrap"):
        raise RuntimeError("debootstrap is missing: apt-get install debootstrap")
    mirror = next((uri for uri, suite, _ in _sources() if suite == SUITE), None)
    # Its mounts go with it, however it ends.
    line = ["unshare", "--mount", "debootstrap", "--variant=minbase", "--include=ca-certificates", SUITE, str(root)]
    done = subprocess.run([*line, *([mirror] if mirror else [])], capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"debootstrap failed:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    for archive in (root / "var/cache/apt/archives").glob("*.deb"):
        archive.unlink()


def _settings() -> dict[str, str]:
    """Files of the root (paths relative to it) that make downloads work as on this machine."""
    sources = "".join(f"deb {uri} {suite} {part}\n" for uri, suite, part in _sources())
    files = {"etc/apt/sources.list": sources} if sources else {}
    dump = subprocess.run(["apt-config", "dump"], capture_output=True, text=True, check=True).stdout
    wanted = re.compile(r"Acquire::(http|https|Check-\w+|Retries)\b")
    lines = [line for line in dump.splitlines() if wanted.match(line)]
    files["etc/apt/apt.conf.d/99host"] = "\n".join([*lines, ""])
    for path in (Path("/etc/pip.conf"),):
        if path.exists():
            files[str(path).lstrip("/")] = path.read_text()
    return files


def _sources() -> list[tuple[str, str, str]]:
    """(address, suite, component) of this machine's Debian 12 package sources."""
    line = ["apt-get", "indextargets", "--format", "$(REPO_URI) $(RELEASE) $(COMPONENT) $(ORIGIN)"]
    done = subprocess.run([*line, "Created-By: Packages"], capture_output=True, text=True, check=True)
    rows = [row.split() for row in done.stdout.splitlines()]
    return sorted(
        (row[0], row[1], row[2])
        for row in rows
        if len(row) >= 3 and row[1].startswith(SUITE) and row[-1] in {"Debian", "Debian-Security", row[2]}
    )


def _trust_the_hosts_certificates(root: Path) -> None:
    """Add what the machine trusts beyond Debian's list, so that it survives an update of the list."""
    if not BUNDLE.exists():
        return
    known = set(CERTIFICATE.findall((root / str(BUNDLE).lstrip("/")).read_text()))
    extra = [text for text in CERTIFICATE.findall(BUNDLE.read_text()) if text not in known]
    for number, text in enumerate(extra):
        (root / f"usr/local/share/ca-certificates/host-{number}.crt").write_text(text)
    if extra:
        subprocess.run(["chroot", str(root), "update-ca-certificates"], capture_output=True, check=True)
