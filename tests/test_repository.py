"""What holds for the repository as a whole."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
MOST_LINES = 500


def tracked(*patterns: str) -> list[Path]:
    listing = subprocess.run(["git", "ls-files", "-z", *patterns], cwd=ROOT, capture_output=True, text=True, check=True)
    return [ROOT / name for name in listing.stdout.split("\0") if name and (ROOT / name).is_file()]


def pages() -> list[Path]:
    return tracked("*.md")


@pytest.mark.parametrize("page", pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_between_the_pages_leads_somewhere(page: Path) -> None:
    targets = re.findall(r"\]\(([^)\s#]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))
    broken = [
        target
        for target in targets
        if not re.match(r"[a-z]+:", target) and not target.startswith("/") and not (page.parent / target).exists()
    ]
    assert not broken


def test_no_python_file_has_outgrown_its_room() -> None:
    counts = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in tracked("*.py")}
    assert {str(path.relative_to(ROOT)): lines for path, lines in counts.items() if lines > MOST_LINES} == {}


def test_the_readme_names_only_targets_that_the_makefile_has() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z]+):", makefile, re.MULTILINE))
    named = set(re.findall(r"(?:`|^)make ([a-z]+)", (ROOT / "README.md").read_text(encoding="utf-8"), re.MULTILINE))
    assert {"demo", "test"} <= named <= targets


def test_every_lock_file_pins_with_hashes_and_names_no_registry() -> None:
    for lock in tracked("requirements/*.txt"):
        text = lock.read_text(encoding="utf-8")
        assert "--hash=sha256:" in text, lock
        assert "://" not in text, lock
