"""The bout in progress as a position writes it, and back (R13)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from bots_sdk.durak import fields
from bots_sdk.durak.bout_refusals import HELP, OPEN
from bots_sdk.durak.cards import CARDS, RANK_FACES, hand_of, names_of
from bots_sdk.durak.errors import PositionError

if TYPE_CHECKING:
    from bots_sdk.durak.bout import BoutState


def describe(state: BoutState) -> dict[str, Any]:
    """The bout in progress: table, attacker, defender, taking, passed, limit and, where they say something
    more, the seats and places of R7.3 and R8.1, the shown trumps and whether a partner is asked.
    """
    bout: dict[str, Any] = {
        "table": [
            [str(CARDS[attack]), str(CARDS[defence]) if defence >= 0 else None]
            for attack, defence in zip(state.attacks, state.defences, strict=True)
        ],
        "attacker": state.attacker,
        "defender": state.defender,
        "taking": state.taking,
        "passed": [seat for seat in range(state.seats) if state.passed >> seat & 1],
        "limit": state.limit,
    }
    if state.opener != state.attacker:
        bout["opener"] = state.opener
    if state.teams:
        bout["attack_place"] = state.attack_place
        bout["defend_place"] = state.defend_place
        if state.opener_place != state.attack_place:
            bout["opener_place"] = state.opener_place
    if state.shown:
        bout["shown"] = names_of(state.shown)
    if state.phase == HELP:
        bout["helping"] = True
    return bout


def resume(state: BoutState, position: Mapping[str, Any]) -> None:
    """Take up a bout in progress. Raises ``PositionError``."""
    state.attacker = state.attack_place = fields.seat(position, "attacker", state.seats, 0)
    next_seat = state.next_with_cards((state.attacker + 1) % state.seats)
    if state.teams:
        state.attack_place = fields.seat(position, "attack_place", state.seats, state.attacker)
        next_seat, state.defend_place = state.defender_after(state.attacker, state.attack_place)
    state.defender = fields.seat(position, "defender", state.seats, next_seat)
    place = state.defend_place if state.teams else state.defender
    state.defend_place = fields.seat(position, "defend_place", state.seats, place)
    state.opener = fields.seat(position, "opener", state.seats, state.attacker)
    state.opener_place = fields.seat(position, "opener_place", state.seats, state.attack_place)
    if state.rules.team_of(state.attacker) == state.rules.team_of(state.defender):
        raise PositionError(f"position: seat {state.attacker} cannot attack seat {state.defender}")
    for attack, defence in fields.table(position):
        state.attacks.append(attack)
        state.defences.append(defence)
        state.ranks |= RANK_FACES[attack]
        if defence < 0:
            state.unbeaten += 1
            continue
        state.ranks |= RANK_FACES[defence]
        if not state.beaters[attack] >> defence & 1:
            raise PositionError(f"position: on the table {CARDS[defence]} does not beat {CARDS[attack]}")
    beaten = len(state.attacks) - state.unbeaten
    state.limit = fields.whole(position, "limit", state.limit_of(state.hands[state.defender].bit_count() + beaten), 0)
    if state.unbeaten > state.hands[state.defender].bit_count():
        raise PositionError(
            f"position: {state.unbeaten} attack cards are unbeaten, but the defender, seat {state.defender}, "
            f"holds {state.hands[state.defender].bit_count()} (R4.3)"
        )
    state.shown = hand_of(fields.faces(position, "shown"))
    state.taking = fields.flag(position, "taking")
    if state.taking and not state.unbeaten:
        raise PositionError("position: taking is true, but no attack card is unbeaten")
    state.passed = 0
    for seat in fields.seats(position, "passed", state.seats):
        state.passed |= 1 << seat
    state.seat_throwers()
    if fields.flag(position, "helping"):
        state.turn = state.helper()
        if not state.taking or state.turn < 0:
            raise PositionError("position: helping is true, but no partner is to beat for a defender that takes")
        state.phase = HELP
    elif state.attacks:
        state.settle()
    elif not state.end_if_decided():
        state.phase = OPEN
        state.turn = state.attacker
        if not state.hands[state.attacker]:
            raise PositionError(f"position: the attacker, seat {state.attacker}, has no cards")
        if not state.talon:
            state.history.setdefault((state.attacker, *state.hands), 1)
