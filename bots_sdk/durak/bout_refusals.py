"""Why a move of the bout family is refused, in a player's words (R12)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bots_sdk.durak.cards import CARDS, Card, symbols
from bots_sdk.durak.errors import IllegalMove
from bots_sdk.durak.moves import Move
from bots_sdk.durak.state import GameState, refuse

if TYPE_CHECKING:
    from bots_sdk.durak.bout import BoutState

OPEN: Final = 0
DEFEND: Final = 1
THROW: Final = 2
HELP: Final = 3
"""What the seat to move decides: opening the bout, answering, throwing in, beating for a partner (R8.3)."""


def verify(state: BoutState, move: Move) -> None:
    """Raise ``IllegalMove`` if the seat to move may not make this move."""
    kind = move.kind
    if kind == "attack":
        _verify_attack(state, move)
    elif kind == "pass":
        _verify_pass(state, move)
    elif kind == "beat":
        _verify_beat(state, move)
    elif state.phase != DEFEND:
        raise refuse(*_ONLY_DEFENDER[kind], move)
    elif kind == "transfer":
        _verify_transfer(state, move)
    elif kind == "show":
        _verify_show(state, move)


def _verify_attack(state: BoutState, move: Move) -> None:
    if state.phase == OPEN:
        state.check_opening(move)
    elif state.phase == THROW:
        _verify_throw_in(state, move)
    elif state.phase == DEFEND:
        raise refuse("R4.2", "you are the defender: beat a card, or take", move)
    else:
        raise refuse("R8.3", "you may beat for your partner or pass, but not throw in against him", move)


def _verify_pass(state: BoutState, move: Move) -> None:
    if state.phase == OPEN:
        raise refuse("R4.1", "the attacker opens the bout: he cannot pass", move)
    if state.phase == DEFEND:
        raise refuse("R4.2", "the defender cannot pass: beat a card, or take", move)


_ONLY_DEFENDER: Final[dict[str, tuple[str, str]]] = {
    "take": ("R4.2", "only the defender takes, when a card is unbeaten"),
    "transfer": ("R7.1", "only the defender can transfer, when asked to answer an attack"),
    "show": ("R7.4", "only the defender can show a trump, when asked to answer an attack"),
}


def verify_opening(state: BoutState, move: Move) -> None:
    """Refuse a bout's opening that R4.1 or R4.3 forbids."""
    state.require_held(move, "R4.1")
    count = len(move.cards)
    if count == 1:
        return
    if not state.rules.multi_open:
        raise refuse("R4.1", f"a bout is opened with one card, not with {symbols(move.cards)}", move)
    if move.cards[0].rank != move.cards[-1].rank:
        raise refuse("R4.1", f"{symbols(move.cards)} cannot open together: they are not of one rank", move)
    if count > state.limit:
        raise too_many(state, move)


def _verify_throw_in(state: BoutState, move: Move) -> None:
    state.require_held(move, "R4.4")
    if len(move.cards) > 1:
        raise refuse("R4.6", f"cards are thrown in one at a time, not {symbols(move.cards)} together", move)
    card = move.cards[0]
    if not state.ranks >> card.index & 1:
        raise refuse("R4.4", f"{card.symbol} cannot be thrown in: no {card.rank_name} lies on the table", move)


def too_many(state: BoutState, move: Move) -> IllegalMove:
    """The refusal of more attack cards than the limit (R4.3)."""
    return refuse("R4.3", f"{len(move.cards)} cards are too many: {_limit_reason(state)}", move)


def _limit_reason(state: BoutState) -> str:
    held = state.hands[state.defender].bit_count()
    if state.limit >= held:
        return f"the defender holds only {held}"
    if state.limit < state.rules.max_attack:
        return f"so early in the deal a bout has at most {state.limit} attack cards"
    return f"a bout has at most {state.limit} attack cards"


def _verify_beat(state: BoutState, move: Move) -> None:
    if state.phase not in (DEFEND, HELP):
        raise refuse("R4.2", "only the defender beats cards", move)
    card, target = move.cards[0], CARDS[move.target_face]
    state.require_held(move, "R4.2")
    both = (card, target)
    if target.index not in state.attacks:
        raise IllegalMove("R4.2", f"there is no {target.symbol} to beat among the attack cards", both)
    if target.index not in state.open_faces():
        raise IllegalMove("R4.2", f"{target.symbol} is beaten already", both)
    verify_beats(state, state.beaters, card, target)


def verify_beats(state: GameState, beaters: list[int], card: Card, target: Card) -> None:
    """Refuse a card that does not beat the target, by the table of what beats each face (R1)."""
    if beaters[target.index] >> card.index & 1:
        return
    suit, other = card.index & 3, target.index & 3
    own = state.rules.game == "svoi_kozyri"
    trumps = [state.trumps[state.turn]] if own else state.trumps
    if suit == other:
        reason = "it is not higher"
    elif other not in trumps:
        reason = (
            "it is neither of the same suit nor your trump" if own else "it is neither of the same suit nor a trump"
        )
    elif suit not in trumps:
        reason = "only a higher trump does"
    else:
        reason = "it is not a higher trump" if state.rules.cross_trump else "one trump suit does not beat the other"
    raise IllegalMove("R1", f"{card.symbol} does not beat {target.symbol}: {reason}", (card, target))


def _verify_transfer(state: BoutState, move: Move) -> None:
    state.require_held(move, "R7.1")
    refusal = no_transfer(state) or no_room_after(state, 1)
    if refusal is not None:
        raise refuse(*refusal, move)
    _require_rank(state, move)


def _verify_show(state: BoutState, move: Move) -> None:
    if not state.shows:
        raise refuse("R7.4", "in these rules an attack is not passed on by showing a trump", move)
    state.require_held(move, "R7.4")
    refusal = no_transfer(state) or no_room_after(state, 0)
    if refusal is not None:
        raise refuse(*refusal, move)
    _require_rank(state, move)
    card = move.cards[0]
    if card.index & 3 not in state.trumps:
        raise refuse("R7.4", f"{card.symbol} is not a trump: only a trump can be shown", move)
    if state.shown >> card.index & 1:
        raise refuse("R7.4", f"{card.symbol} was shown before in this {state.rules.show_limit}", move)


def _require_rank(state: BoutState, move: Move) -> None:
    card = move.cards[0]
    if not state.ranks >> card.index & 1:
        rank = CARDS[state.attacks[0]].rank_name
        raise refuse("R7.1", f"{card.symbol} cannot transfer: the attack is of rank {rank}", move)


def no_transfer(state: BoutState) -> tuple[str, str] | None:
    """The rule and the reason why the defender cannot transfer at all; ``None`` if he can."""
    rules = state.rules
    if not state.transfers:
        return ("R7", "these rules have no transfer")
    if state.unbeaten != len(state.attacks):
        return ("R7.1", "a card is beaten already: the attack can no longer be transferred")
    if state.bout == 1 and not rules.transfer_first_bout:
        return ("R7.2", "the first bout cannot be transferred")
    if not rules.transfer_last_card and state.hands[state.turn].bit_count() == 1:
        return ("R7.2", "who is down to his last card cannot transfer")
    if len({CARDS[face].rank for face in state.attacks}) > 1:
        return ("R7.1", "the attack is of more than one rank: it cannot be transferred")
    return None


def no_room_after(state: BoutState, added: int) -> tuple[str, str] | None:
    """The rule and the reason why the next defender cannot face the attack with so many cards added."""
    count = len(state.attacks) + added
    seat, _ = state.defender_after(state.turn, state.defend_place)
    held = state.hands[seat].bit_count()
    if seat == state.turn or held < count:
        return ("R7.1", f"seat {seat} holds {held} cards and cannot be made to face {count}")
    limit = state.limit_of(held)
    if limit < count:
        return ("R4.3", f"a bout has at most {limit} attack cards, {count} would lie on the table")
    return None
