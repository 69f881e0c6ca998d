"""The referee: plays matches between players over the bot protocol.

A match is laid out by `MatchPlan.build` as sittings; `play_sitting` plays one between started
players. `bots_sdk.referee.local` starts them without a sandbox, `sandbox` within one.
"""

from bots_sdk.referee.outcome import DealOutcome, Decision, SittingOutcome, SittingSpec
from bots_sdk.referee.plan import DealSpec, MatchPlan, PlannedSitting, TimeControl
from bots_sdk.referee.player import ExitReport, HostFault, Player
from bots_sdk.referee.sitting import play_sitting, start_players
from bots_sdk.referee.verdicts import VERDICT_WORDS, Fault, Verdict

__all__ = [
    "VERDICT_WORDS",
    "DealOutcome",
    "DealSpec",
    "Decision",
    "ExitReport",
    "Fault",
    "HostFault",
    "MatchPlan",
    "PlannedSitting",
    "Player",
    "SittingOutcome",
    "SittingSpec",
    "TimeControl",
    "Verdict",
    "play_sitting",
    "start_players",
]
