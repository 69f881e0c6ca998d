"""What the demo's parts are told, kept in a file while it runs, so that a command of its organiser is told it too."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path

NAME = "environment.json"
OURS = ("ARENA_", "DJANGO_", "DURAK_")
DEFAULT_FOLDER = Path(__file__).resolve().parents[2] / "data"


def environment_keep(folder: Path, environment: Mapping[str, str]) -> Path:
    """Write the arena's own variables, secrets among them, into a file that only this user reads (mode 0600)."""
    path = folder / NAME
    path.unlink(missing_ok=True)
    with open(os.open(path, os.O_CREAT | os.O_WRONLY | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        json.dump({name: value for name, value in environment.items() if name.startswith(OURS)}, file, indent=1)
    return path


def environment_join() -> bool:
    """Take what a running demo has kept in ``ARENA_DATA`` (``data`` beside the code), but for what is set already.

    Returns whether there was a demo's file.
    """
    path = Path(os.environ.get("ARENA_DATA") or DEFAULT_FOLDER) / NAME
    try:
        kept = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return False
    except PermissionError:
        raise SystemExit(f"{path} is for the user who runs the demo: run this as the same one.") from None
    for name, value in kept.items():
        os.environ.setdefault(name, value)
    return True
