"""What the referee is given for a sitting, and what it hands back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from bots_sdk.durak import Event, Result, RuleSet
from bots_sdk.referee.plan import DealSpec, MatchPlan, PlannedSitting, TimeControl
from bots_sdk.referee.player import ExitReport
from bots_sdk.referee.verdicts import Fault


@dataclass(frozen=True, slots=True)
class SittingSpec:
    """One sitting: the same processes in the same seats for all of its deals.

    `faults_before[seat]` are the faults that the seat's bot already had in this match; from
    `fault_limit` on it is out. `commitment` is told to the bots. With `mask_forced` a forced
    move takes as long as one of the seat's own decisions (before the first, one of the others'), so that
    its time does not betray it.

    Raises:
        ValueError: seats, deals or faults do not fit one another.

    """

    rules: RuleSet
    seats: int
    deals: tuple[DealSpec, ...]
    time_control: TimeControl = field(default_factory=TimeControl)
    fault_limit: int = 3
    faults_before: tuple[int, ...] = ()
    commitment: str = ""
    mask_forced: bool = True

    def __post_init__(self) -> None:
        if not self.deals:
            raise ValueError("a sitting needs at least one deal")
        if self.fault_limit < 1:
            raise ValueError(f"fault_limit is {self.fault_limit}; it must be at least 1")
        if not self.faults_before:
            object.__setattr__(self, "faults_before", (0,) * self.seats)
        if len(self.faults_before) != self.seats:
            raise ValueError(f"faults_before names {len(self.faults_before)} seats; the sitting has {self.seats}")

    @classmethod
    def planned(
        cls,
        plan: MatchPlan,
        sitting: PlannedSitting,
        *,
        time_control: TimeControl | None = None,
        fault_limit: int = 3,
        faults: Sequence[int] = (),
        mask_forced: bool = True,
    ) -> SittingSpec:
        """The spec of one sitting of a plan; `faults` are the match's so far, by participant."""
        return cls(
            rules=plan.rules,
            seats=plan.participants,
            deals=sitting.deals,
            time_control=time_control or TimeControl(),
            fault_limit=fault_limit,
            faults_before=tuple(faults[p] for p in sitting.order) if faults else (),
            commitment=plan.commitment,
            mask_forced=mask_forced,
        )

    @property
    def longest_ms(self) -> int:
        """An upper bound of the time that the bots' clocks allow: every one used up, as often as the rules can ask.

        Within a bout each card is put down, shown or taken at most once or is passed over by the seats in turn
        (R4 to R9), so that it has fewer than 3 x cards x (seats + 1) moves; a deal has at most `max_bouts` (R6.4).
        """
        clock = self.time_control
        moves = 3 * self.rules.cards * (self.seats + 1) * self.rules.max_bouts
        messages = 3 * self.seats  # that begin and end a deal or the sitting
        return clock.startup_ms + self.seats * clock.bank_ms + len(self.deals) * (moves + messages) * clock.move_ms

    def excluded_seats(self) -> list[int]:
        """The seats that are out before the sitting begins."""
        return [s for s, faults in enumerate(self.faults_before) if faults >= self.fault_limit]


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision that was asked: its number in the sitting, the seat, and the time it took."""

    turn: int
    seat: int
    ms: float


@dataclass(frozen=True, slots=True)
class DealOutcome:
    """One deal as played; `record` is its text, from which it replays."""

    spec: DealSpec
    record: str
    result: Result
    events: tuple[Event, ...]
    decisions: tuple[Decision, ...]


@dataclass(frozen=True, slots=True)
class SittingOutcome:
    """A finished sitting. `exits[seat]` is how each process ended, None if it never ran."""

    deals: tuple[DealOutcome, ...]
    faults: tuple[Fault, ...]
    excluded: tuple[bool, ...]
    exits: tuple[ExitReport | None, ...]
