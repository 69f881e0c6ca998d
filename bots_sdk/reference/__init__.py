"""The reference bots: a folder each, ready to be packed, played and uploaded like anyone's.

| name | what it does |
|---|---|
| `random` | any legal move |
| `lowest` | the lowest card it may play |
| `hoarder` | plays low cards first and never throws a trump in while there is a talon |
| `counter` | counts every card, and plays the end of a deal between two by search |
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

REFERENCE_BOTS: Final = ("random", "lowest", "hoarder", "counter")


def reference_folder(name: str) -> Path:
    """The folder of a reference bot.

    Raises:
        KeyError: there is no such bot.

    """
    if name not in REFERENCE_BOTS:
        raise KeyError(f"no reference bot {name!r}; there are {', '.join(REFERENCE_BOTS)}")
    return Path(__file__).parent / name
