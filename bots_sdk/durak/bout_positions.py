"""The bout in progress as a position writes it, and back (R13)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from bots_sdk.durak import fields
from bots_sdk.durak.bout_refusals import HELP, OPEN
from bots_sdk.durak.cards import CARDS, NAMES, RANK_FACES, hand_of, names_of
from bots_sdk.durak.errors import PositionError

if TYPE_CHECKING:
    from bots_sdk.durak.bout import BoutState


def describe(state: BoutState) -> dict[str, Any]:
    """The bout in progress, all of it public.

    Table, attacker, defender, taking, passed, limit and, where they say something more, the seats and places
    of R7.3 and R8.1, the shown trumps and whether a partner is asked.
    """
    bout: dict[str, Any] = {
        "table": [
            [NAMES[attack], NAMES[defence] if defence >= 0 else None]
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
    _seat_players(state, position)
    _lay_table(state, position)
    state.limit = state.limit_of(state.hands[state.defender].bit_count() + state.beaten())
    state.shown = hand_of(fields.faces(position, "shown"))
    state.taking = fields.flag(position, "taking")
    state.passed = sum(1 << seat for seat in set(fields.seats(position, "passed", state.seats)))
    state.seat_throwers()
    if state.is_over or (not state.attacks and state.end_if_decided()):
        state.limit = fields.whole(position, "limit", state.limit, 0)
    else:
        _refuse_impossible(state)
        state.limit = fields.whole(position, "limit", state.limit, max(1, len(state.attacks)), state.limit)
        _find_decision(state, position)


def _seat_players(state: BoutState, position: Mapping[str, Any]) -> None:
    seats = state.seats
    state.attacker = fields.seat(position, "attacker", seats, 0)
    state.attack_place = fields.seat(position, "attack_place", seats, state.attacker)
    if state.teams:
        defender, place = state.defender_after(state.attacker, state.attack_place)
        state.defender = fields.seat(position, "defender", seats, defender)
        state.defend_place = fields.seat(position, "defend_place", seats, place)
    else:
        next_seat = state.next_with_cards((state.attacker + 1) % seats)
        state.defender = fields.seat(position, "defender", seats, next_seat)
        state.defend_place = fields.seat(position, "defend_place", seats, state.defender)
    state.opener = fields.seat(position, "opener", seats, state.attacker)
    state.opener_place = fields.seat(position, "opener_place", seats, state.attack_place)


def _lay_table(state: BoutState, position: Mapping[str, Any]) -> None:
    for attack, defence in fields.table(position):
        if defence >= 0 and not state.beaters[attack] >> defence & 1:
            raise PositionError(f"position: on the table {CARDS[defence]} does not beat {CARDS[attack]}")
        state.attacks.append(attack)
        state.defences.append(defence)
        state.ranks |= RANK_FACES[attack] | (RANK_FACES[defence] if defence >= 0 else 0)
        state.unbeaten += defence < 0
    held = state.hands[state.defender].bit_count()
    if state.unbeaten > held and not state.is_over:
        raise PositionError(
            f"position: {state.unbeaten} attack cards are unbeaten, but the defender, seat {state.defender}, "
            f"holds {held} (R4.3)"
        )


def _refuse_impossible(state: BoutState) -> None:
    """Raise ``PositionError`` for what no deal that goes on comes to. ``limit`` is what the defender's cards allow."""
    attacker, defender, count, side_of = state.attacker, state.defender, len(state.attacks), state.side_of
    follows, _ = state.defender_after(attacker, state.attack_place)
    asked_wrongly = [
        seat for seat in range(state.seats) if state.passed >> seat & 1 and side_of[seat] == side_of[defender]
    ]
    shown_wrongly = [card for card in names_of(state.shown) if "SHDC".index(card[1]) not in state.trumps]
    for wrong, reason in (
        (side_of[attacker] == side_of[defender], f"seat {attacker} cannot attack seat {defender}"),
        (
            side_of[state.attack_place] != side_of[attacker],
            f"attack_place is {state.attack_place}, where seat {attacker} does not play (R8.1)",
        ),
        (
            side_of[state.defend_place] != side_of[defender],
            f"defend_place is {state.defend_place}, where seat {defender} does not play (R8.1)",
        ),
        (not count and not state.hands[attacker], f"the attacker, seat {attacker}, has no cards; name a seat that has"),
        (not count and not state.hands[defender], f"the defender, seat {defender}, has no cards; name a seat that has"),
        (
            not count and defender != follows,
            f"seat {attacker} opens the bout against seat {follows}, the next in play, not against {defender} (R4.1)",
        ),
        (
            count > state.limit,
            f"table holds {count} attack cards; against seat {defender} they are {state.limit} at most (R4.3)",
        ),
        (state.taking and not state.unbeaten, "taking is true, but no attack card is unbeaten"),
        (state.passed and not count, "passed names seats, but nothing lies on the table: leave it out"),
        (asked_wrongly, f"passed names seat {asked_wrongly}, but nobody passes against himself or a partner (R4.4)"),
        (state.shown and not state.shows, "shown names cards, but these rules show none (R7.4): leave it out"),
        (
            shown_wrongly and not state.rules.last_card_trump,
            f"shown names {shown_wrongly}, but only trumps are shown (R7.4)",
        ),
        (
            state.opener != attacker and not (state.transfers and count),
            f"opener is seat {state.opener}, but no attack was passed on (R7.3): leave it out",
        ),
    ):
        if wrong:
            raise PositionError(f"position: {reason}")


def _find_decision(state: BoutState, position: Mapping[str, Any]) -> None:
    if fields.flag(position, "helping"):
        state.turn = state.helper()
        if not state.taking or state.turn < 0:
            raise PositionError("position: helping is true, but no partner is to beat for a defender that takes")
        state.phase = HELP
    elif state.attacks:
        state.settle()
    else:
        state.phase = OPEN
        state.turn = state.attacker
        if not state.talon:
            state.history.setdefault((state.attacker, *state.hands), 1)
