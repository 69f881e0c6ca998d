"""What a backend holds on this host, control by control, and what to do about the rest."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Final

HELD: Final = "held"
PARTIAL: Final = "partial"
MISSING: Final = "missing"


@dataclass(frozen=True, slots=True)
class Control:
    """One thing that a sandbox enforces.

    `state` is held, partial or missing; `detail` is what the self-test saw; `remedy` what to
    install or set. A `required` control that is missing means that nothing is run at all.
    """

    name: str
    state: str
    detail: str = ""
    remedy: str = ""
    required: bool = True


@dataclass(frozen=True, slots=True)
class Capabilities:
    """The outcome of a self-test. `languages` maps each to "" or to why it is not offered."""

    backend: str
    version: str
    controls: tuple[Control, ...]
    languages: dict[str, str]
    notes: tuple[str, ...] = ()

    @property
    def refusals(self) -> tuple[str, ...]:
        """Why foreign code is refused here; empty when it may run."""
        return tuple(
            f"{control.name}: {control.detail}" + (f" ({control.remedy})" if control.remedy else "")
            for control in self.controls
            if control.required and control.state == MISSING
        )

    @property
    def safe(self) -> bool:
        """Nothing that is required is missing."""
        return not self.refusals

    def as_dict(self) -> dict[str, object]:
        """JSON-able, for `probe --json` and the admin's page."""
        return {**asdict(self), "safe": self.safe, "refusals": list(self.refusals)}
