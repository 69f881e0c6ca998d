"""A finished deal as a film: one frame for the deal, one for each move, one for each end of a bout, one for a fault.

Frames are made by playing the record through the game itself, and then filtered to what one seat, or a spectator,
may know; a hidden card never reaches the browser, only how many there are.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from arena.errors import Invalid
from arena.matches.selectors import deal_get, faults_for
from bots_sdk.durak import Card, DealRecord, GameState
from bots_sdk.durak.cards import CARDS, names_of, symbols
from bots_sdk.durak.result import REASONS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from arena.matches.models import Match
    from bots_sdk.durak import Fault, Move

ALL = "all"
SPECTATOR = "none"
SUIT_SIGNS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
SUIT_ORDER = "SDCH"
MOVE_WORDS = {
    "attack": "attacks with {cards}",
    "beat": "beats {target} with {cards}",
    "transfer": "transfers with {cards}",
    "show": "shows {cards} and passes the attack on",
    "take": "takes",
    "pass": "passes",
}


@dataclass(frozen=True)
class ReplayData:
    """``meta`` says who sits where and by which rules; ``frames`` hold only what changed since the frame before.

    Keys of a frame, all JSON values: ``text`` and ``kind`` always; ``seat`` (who acted) and ``move``; ``ms`` (the time
    it took to decide, only for those who may know that it was asked); ``hands`` (seat -> its cards; if hidden, their
    ``count`` and the ``known`` ones, which everybody saw go there); ``table`` (pairs), ``pile``, ``shown``, ``talon``
    and ``discarded`` (counts), ``trumps`` (suits), ``turn_up`` (the card under the talon), ``attacker``,
    ``defender``, ``taking``, ``passed``, ``out``, ``to_move``, ``bout``, ``fault``, ``duraks``.
    """

    meta: dict[str, Any]
    frames: list[dict[str, Any]]

    def to_dict(self) -> dict[str, Any]:
        """As one JSON value."""
        return {"meta": self.meta, "frames": self.frames}


def perspective_parse(text: str, seats: int) -> int | str | None:
    """A perspective from a query string: a seat's number, ``all`` (also the default) or ``none`` for a spectator.

    Raises:
        Invalid: it is none of these.

    """
    if text in {"", ALL}:
        return ALL
    if text == SPECTATOR:
        return None
    if text.isascii() and text.isdigit() and len(text) < 3 and int(text) < seats:
        return int(text)
    raise Invalid(
        f"“{text[:20]}” is no perspective: use a seat from 0 to {seats - 1}, “{ALL}” or “{SPECTATOR}”.", field="seat"
    )


def deal_replay(match: Match, index: int, seat: int | str | None = ALL) -> ReplayData:
    """The film of a deal of a finished match as this seat saw it (``None`` a spectator, ``"all"`` with open cards).

    Raises:
        NotFound: the match has no such deal, or is not finished.

    """
    deal = deal_get(match, index)
    participants = {p.index: p for p in match.participants.all()}
    seated = [participants[place] for place in deal.seating]
    names = seat_names([p.version.bot.slug for p in seated])
    faults = [fault for fault in faults_for(match, None) if fault.deal_index == index]
    record = DealRecord.parse(deal.record)
    film = Film(record.deal(), names)
    timings = [(turn, seat, ms) for turn, seat, ms in deal.timings]
    reason = faults[0].reason if faults else "It had been put out of the match for its faults before."
    frames = film.of_record(record, timings, reason)
    meta = {
        "match": match.pk,
        "deal": index,
        "deals": match.deals_total,
        "preset": match.preset,
        "versions": [p.version.number for p in seated],
        "cards": record.rules.cards,
        **film.meta(seat),
    }
    eyes = Eyes(seat)
    return ReplayData(meta, [eyes.see(frame) for frame in frames])


def seat_names(slugs: Sequence[str]) -> list[str]:
    """Names for the seats: a bot that sits more than once gets its seat added."""
    return [slug if slugs.count(slug) == 1 else f"{slug} (seat {seat + 1})" for seat, slug in enumerate(slugs)]


class Film:
    """Follows one deal and tells it frame by frame, each frame complete and with all cards open.

    ``opening`` is the deal before its first move; ``names[seat]`` are the players. First comes ``begin``, then
    ``play`` for each move, then ``end``.
    """

    def __init__(self, opening: GameState, names: Sequence[str]) -> None:
        self.names = names
        self.rules = opening.rules
        self._state = opening.copy()
        self._now = self._picture(self._state)

    def meta(self, perspective: int | str | None) -> dict[str, Any]:
        """What stays the same throughout the deal."""
        info, seats = self._state.deal_info, self._state.seats
        return {
            "seats": seats,
            "names": list(self.names),
            "teams": None if self.rules.teams == "none" else [self.rules.team_of(seat) for seat in range(seats)],
            "own_trumps": list(info.trumps) if self._own_trumps else None,
            "dealer": info.dealer,
            "perspective": SPECTATOR if perspective is None else perspective,
        }

    def of_record(
        self, record: DealRecord, timings: Sequence[tuple[int, int, float]] = (), fault_reason: str = ""
    ) -> Iterator[dict[str, Any]]:
        """All frames. ``timings`` are (turn, seat, ms) of the decisions that were asked, in order."""
        yield self.begin()
        asked = iter(timings)
        for move in record.moves:
            was_asked = len(self._state.legal_moves()) > 1
            shot, *others = self.play(move)
            if was_asked and (timing := next(asked, None)) is not None:
                shot["ms"] = round(timing[2], 1)
            yield shot
            yield from others
        yield from self.end(record.fault, fault_reason)

    def begin(self) -> dict[str, Any]:
        """The frame of the deal itself."""
        return {**self._now, "kind": "deal", "text": self._deal_text(self._state)}

    def play(self, move: Move) -> list[dict[str, Any]]:
        """Make a move: its frame, and one for the end of the bout if it ended it. Raises ``IllegalMove``."""
        state, before = self._state, self._now
        seat, bout = state.seat_to_move, state.bout
        state.play(move)
        self._now = now = self._picture(state)
        ended = state.bout != bout or (state.is_over and now["table"] != before["table"])
        shot = _after_move(before, move, seat) if ended else dict(now)
        shot |= {"kind": move.kind, "seat": seat, "move": str(move), "text": self._move_text(move, seat, before)}
        return [shot, {**now, "kind": "bout", "text": self._bout_text(shot, now, seat)}] if ended else [shot]

    def _picture(self, state: GameState) -> dict[str, Any]:
        """The whole position as the page draws it."""
        bout = state.describe()
        trumps = ["SHDC"[suit] for suit in state.trumps]
        high = trumps if self._own_trumps else [trumps] * state.seats
        return {
            "hands": [_sorted(names_of(hand), high[seat]) for seat, hand in enumerate(state.hands)],
            "known": [_sorted(names_of(known), high[seat]) for seat, known in enumerate(state.known)],
            "table": bout.get("table", []),
            "pile": bout.get("pile", []),
            "shown": bout.get("shown", []),
            "talon": len(state.talon),
            "discarded": state.discarded,
            "trumps": trumps,
            "turn_up": str(CARDS[state.turn_up])
            if state.talon and state.turn_up >= 0 and not state.turn_up_in_hand
            else None,
            "attacker": bout.get("attacker", state.attacker),
            "defender": bout.get("defender", state.defender),
            "taking": bool(bout.get("taking")),
            "passed": bout.get("passed", []),
            "out": [seat for seat in range(state.seats) if not state.in_play(seat)],
            "to_move": state.seat_to_move,
            "bout": state.bout,
            "fault": None,
            "duraks": None,
        }

    def _deal_text(self, state: GameState) -> str:
        info = state.deal_info
        parts = []
        if info.redeals:
            parts.append(
                f"Dealt anew {'once' if info.redeals == 1 else f'{info.redeals} times'}, for nobody held a trump."
            )
        sizes = {hand.bit_count() for hand in state.hands}
        size = str(sizes.pop()) if len(sizes) == 1 else "their"
        parts.append(f"{self.names[info.dealer]} deals {size} cards to each.")
        if state.rules.game == "svoi_kozyri":
            parts.append(
                "Own trumps: "
                + ", ".join(f"{n} {SUIT_SIGNS[s]}" for n, s in zip(self.names, info.trumps, strict=True))
                + "."
            )
        elif info.turn_up is not None:
            where = f"stays with {self.names[info.dealer]}" if info.turn_up_in_hand else "lies under the talon"
            signs = " and ".join(SUIT_SIGNS[suit] for suit in info.trumps)
            parts.append(f"Trump is {signs}: {info.turn_up.symbol} {where}.")
        if info.lowest_trump is not None:
            parts.append(f"{self.names[info.first]} shows the lowest trump, {info.lowest_trump.symbol}, and begins.")
        else:
            parts.append(f"{self.names[info.first]} begins.")
        return " ".join(parts)

    def _move_text(self, move: Move, seat: int, before: dict[str, Any]) -> str:
        words = MOVE_WORDS[move.kind]
        if move.kind == "attack" and (before["table"] or before["pile"]):
            words = "throws in {cards}"
        elif move.kind == "attack" and self._own_trumps:
            words = "leads {cards}"
        elif move.kind == "beat" and not self._own_trumps and seat != before["defender"]:
            words += f" for {self.names[before['defender']]}"
        target = move.target.symbol if move.target else ""
        return f"{self.names[seat]} {words.format(cards=symbols(move.cards), target=target)}"

    @property
    def _own_trumps(self) -> bool:
        return self.rules.game == "svoi_kozyri"

    def _bout_text(self, shot: dict[str, Any], now: dict[str, Any], mover: int) -> str:
        """What became of the cards on the table, who drew, who is out, what is trump."""
        on_table = sum(2 if defence else 1 for _, defence in shot["table"]) + len(shot["pile"])
        gone = now["discarded"] - shot["discarded"]
        taken = on_table - gone - len(now["pile"]) - sum(2 if d else 1 for _, d in now["table"])
        taker = mover if self._own_trumps else shot["defender"]
        parts = []
        if taken > 0:
            parts.append(f"{self.names[taker]} picks up {_count(taken)}.")
        if gone > 0:
            parts.append(f"Beaten: {_count(gone)} {'goes' if gone == 1 else 'go'} to the discard.")
        draws = []
        for seat, name in enumerate(self.names):
            more = len(now["hands"][seat]) - len(shot["hands"][seat]) - (taken if seat == taker else 0)
            if more > 0:
                draws.append(f"{name} draws {more}")
        if draws:
            parts.append(", ".join(draws) + ".")
        parts += [f"{self.names[seat]} is out." for seat in now["out"] if seat not in shot["out"]]
        if now["trumps"] != shot["trumps"]:
            parts.append(f"{' and '.join(SUIT_SIGNS[suit] for suit in now['trumps'])} is the only trump now.")
        return " ".join(parts) or "The bout is over."

    def end(self, fault: Fault | None = None, reason: str = "") -> list[dict[str, Any]]:
        """How it ended, after the fault that broke the deal off, if one did."""
        now, frames = self._now, []
        if fault is not None:
            self._state.fault(fault.seat)
            now = now | {"fault": {"seat": fault.seat, "verdict": fault.verdict, "reason": reason}, "to_move": None}
            text = f"{self.names[fault.seat]}: {_words(fault)}. {reason}".strip()
            frames = [{**now, "kind": "fault", "seat": fault.seat, "text": text}]
        result = self._state.result
        duraks = sorted(result.duraks)
        if not duraks:
            text = "A draw"
        else:
            text = " and ".join(self.names[seat] for seat in duraks) + (" is" if len(duraks) == 1 else " are")
            text += " the durak" if not result.double else " the double durak"
        why = _words(fault) if fault else REASONS[result.reason]
        return [*frames, {**now, "kind": "over", "duraks": duraks, "to_move": None, "text": f"{text}: {why}."}]


def _after_move(before: dict[str, Any], move: Move, seat: int) -> dict[str, Any]:
    """The picture right after a move that ended its bout, before the table was cleared."""
    cards = [str(card) for card in move.cards]
    hands = [list(hand) for hand in before["hands"]]
    known = [list(cards) for cards in before["known"]]
    table = [list(pair) for pair in before["table"]]
    pile, passed = list(before["pile"]), list(before["passed"])
    if move.kind != "show":
        for card in cards:
            hands[seat].remove(card)
            if card in known[seat]:
                known[seat].remove(card)
    if before["pile"]:
        pile += cards
    elif move.kind in {"attack", "transfer"}:
        table += [[card, None] for card in cards]
    elif move.kind == "beat":
        next(pair for pair in table if pair == [str(move.target), None])[1] = cards[0]
    if move.kind == "pass":
        passed.append(seat)
    return {
        **before,
        "hands": hands,
        "known": known,
        "table": table,
        "pile": pile,
        "passed": passed,
        "taking": before["taking"] or move.kind == "take",
        "to_move": None,
    }


class Eyes:
    """Sees frames, one after the other, as one seat does (``None`` a spectator, ``"all"`` with open cards)."""

    def __init__(self, perspective: int | str | None) -> None:
        self._perspective = perspective
        self._shown: dict[str, Any] = {}
        self._hands: list[Any] = []

    def see(self, frame: dict[str, Any]) -> dict[str, Any]:
        """The frame without what these eyes may not know, cut to what changed since the last that they saw."""
        perspective, hands = self._perspective, self._hands
        delta: dict[str, Any] = {"kind": frame["kind"], "text": frame["text"]}
        seat = frame.get("seat")
        if seat is not None:
            delta["seat"] = seat
        if "move" in frame:
            delta["move"] = frame["move"]
        if "ms" in frame and perspective in (ALL, seat):
            delta["ms"] = frame["ms"]
        seen = [
            hand if perspective in (ALL, owner) else {"count": len(hand), "known": known}
            for owner, (hand, known) in enumerate(zip(frame["hands"], frame["known"], strict=True))
        ]
        changed = {str(owner): hand for owner, hand in enumerate(seen) if not hands or hands[owner] != hand}
        if changed:
            delta["hands"] = changed
        self._hands = seen
        for key, value in frame.items():
            if key not in {"kind", "text", "seat", "move", "ms", "hands", "known"} and (
                key not in self._shown or self._shown[key] != value
            ):
                delta[key] = self._shown[key] = value
        return delta


def _words(fault: Fault) -> str:
    return fault.verdict.replace("_", " ")


def _sorted(cards: list[str], trumps: Sequence[str]) -> list[str]:
    """A hand as a player holds it: suit by suit in alternating colours, trumps on the right."""

    def key(name: str) -> tuple[bool, int, int]:
        return name[1] in trumps, SUIT_ORDER.index(name[1]), Card.parse(name).index

    return sorted(cards, key=key)


def _count(cards: int) -> str:
    return "1 card" if cards == 1 else f"{cards} cards"
