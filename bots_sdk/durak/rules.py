"""Rule sets: every option of the family, declared, checked and serialisable."""

from __future__ import annotations

import dataclasses
import difflib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from bots_sdk.durak.errors import RuleError, quoted

MOST_SEATS = 12
LONGEST_NAME = 60
LONGEST_SUMMARY = 300
LADDER_STEPS = (0, 0, 1, 2)
"""Extra cards for a seat that has been durak 0, 1, 2, 3 or more times (R9.5)."""


def choice(default: str, section: str, meaning: str, *others: str) -> Any:
    """An option that takes one of a few words, the default first."""
    return field(default=default, metadata={"section": section, "meaning": meaning, "values": (default, *others)})


def number(default: int, section: str, meaning: str, *values: int) -> Any:
    """An option that takes one of a few whole numbers."""
    return field(default=default, metadata={"section": section, "meaning": meaning, "values": values})


def span(default: int, section: str, meaning: str, least: int, most: int) -> Any:
    """An option that takes a whole number from least to most."""
    return field(default=default, metadata={"section": section, "meaning": meaning, "span": (least, most)})


def switch(section: str, meaning: str, *, on: bool) -> Any:
    """An option that is on or off."""
    return field(default=on, metadata={"section": section, "meaning": meaning, "values": (False, True)})


@dataclass(frozen=True)
class RuleSet:
    """The rules of one game: a frozen value, equal to another with the same options.

    Raises ``RuleError`` on construction for a value that an option does not take and for options that
    cannot go together, saying which and why. What each option means is in ``docs/rules.md``.
    """

    name: str = "custom"
    summary: str = ""
    game: str = choice("bout", "R9", "the shape of the game", "duel", "prostoy", "svoi_kozyri")
    deck: int = number(36, "R1", "cards in a pack: 9 to A, 6 to A or 2 to A", 24, 36, 52)
    packs: int = number(1, "R1", "packs shuffled together", 1, 2)
    hand_size: int = span(6, "R2.1", "cards dealt to a seat, and refilled to", 1, 26)
    min_seats: int = span(2, "R1", "fewest seats", 2, MOST_SEATS)
    max_seats: int = span(MOST_SEATS, "R1", "most seats, where the cards suffice", 2, MOST_SEATS)
    first: str = choice("lowest_trump", "R3.1", "who begins the first deal", "dealer", "left_of_dealer")
    no_trump: str = choice("redeal", "R3.2", "when nobody holds a trump", "lowest_card")
    next_first: str = choice("left_of_dealer", "R3.3", "who begins a later deal of a session", "lowest_trump", "dealer")
    multi_open: bool = switch("R4.1", "several cards of one rank may open a bout", on=True)
    max_attack: int = span(6, "R4.3", "most attack cards in a bout", 1, 26)
    first_limit: str = choice("none", "R4.3", "early bouts hold to five attack cards", "first_bout", "until_discard")
    throwers: str = choice("auto", "R4.4", "who may throw in", "all", "neighbours", "attacker")
    throw_when: str = choice("all_beaten", "R4.5", "when cards may be thrown in", "any_time")
    throw_on_take: bool = switch("R4.7", "cards may be thrown in after a take", on=True)
    after_take: str = choice("left_of_defender", "R5.2", "who attacks after a take", "same_attacker")
    out_when: str = choice("talon_empty", "R6.1", "when a seat without cards is out", "immediate")
    end_check: str = choice("bout_end", "R6.2", "when the end is looked for", "immediate")
    both_empty: str = choice("draw", "R6.3", "when nobody is left with cards", "defender")
    max_bouts: int = span(300, "R6.4", "bouts after which the deal is a draw", 1, 10_000)
    transfer: str = choice("none", "R7", "passing an attack on", "perevodnoy", "proyezdnoy")
    transfer_last_card: bool = switch("R7.2", "the last card may be used to transfer", on=True)
    transfer_first_bout: bool = switch("R7.2", "the first bout may be transferred", on=True)
    transfer_lead: str = choice("original", "R7.3", "the main attacker after a transfer", "transferrer")
    show_limit: str = choice("deal", "R7.4", "each trump may be shown once a deal or once a bout", "bout")
    teams: str = choice("none", "R8", "teams", "opposite", "adjacent")
    second_trump: bool = switch("R9.3", "the other suit of the turn-up's colour is trump too", on=False)
    cross_trump: bool = switch("R9.3", "a higher trump beats a trump of the other trump suit", on=False)
    last_card_trump: bool = switch("R9.3", "the last face-down card names the only trump", on=False)
    prostoy_take: str = choice("all", "R9.2", "what a prostoy defender takes", "unbeaten")
    svoi_pickup: str = choice("pile", "R9.4", "what is taken in svoi kozyri", "top")
    ladder: bool = switch("R9.5", "whoever was durak twice starts with 7 cards, thrice or more with 8", on=False)
    double_durak: str = choice(
        "recorded", "R10.3", "what a durak with more than six cards costs in a session", "counts_double", "deals_twice"
    )

    def __post_init__(self) -> None:
        for option in fields(self):
            _check_value(option, getattr(self, option.name))
        for wrong, reason in _conflicts(self):
            if wrong:
                raise RuleError(f"rules {self.name!r}: {reason}")
        if not self.seat_counts:
            raise RuleError(
                f"rules {self.name!r}: no number of seats from {self.min_seats} to {self.max_seats} fits: "
                f"{self._misfit(self.min_seats)}"
            )

    @property
    def cards(self) -> int:
        """Cards in play: packs times deck."""
        return self.deck * self.packs

    @property
    def seat_counts(self) -> tuple[int, ...]:
        """The numbers of seats that these rules can be played with."""
        return tuple(n for n in range(2, MOST_SEATS + 1) if self._misfit(n) is None)

    def check_seats(self, seats: int) -> None:
        """Raise ``RuleError`` with the reason if this many seats cannot play."""
        reason = self._misfit(seats)
        if reason is not None:
            raise RuleError(f"rules {self.name!r}: {reason}")

    def _misfit(self, seats: int) -> str | None:
        most = self.hand_size + (LADDER_STEPS[-1] if self.ladder else 0)
        if not self.min_seats <= seats <= self.max_seats:
            return f"{seats} seats, but they are played by {_range(self.min_seats, self.max_seats)}"
        if self.game != "svoi_kozyri" and seats * most > self.cards:
            return f"{seats} seats of {most} cards need {seats * most}, but there are {self.cards}"
        if self.teams == "opposite" and seats not in (4, 6):
            return f"{seats} seats, but opposite teams are two and two or three and three (R8.1)"
        if self.teams == "adjacent" and seats != 4:
            return f"{seats} seats, but adjacent teams are two and two (R8.3)"
        return None

    def throwers_at(self, seats: int) -> str:
        """``throwers`` with ``auto`` resolved: all up to four seats, the neighbours from five (R4.4)."""
        if self.throwers != "auto":
            return self.throwers
        return "all" if seats <= 4 else "neighbours"

    def team_of(self, seat: int) -> int:
        """The team of a seat; without teams each seat is its own (R8)."""
        if self.teams == "opposite":
            return seat % 2
        return seat // 2 if self.teams == "adjacent" else seat

    def replace(self, /, **options: Any) -> RuleSet:
        """The same rules with some options changed. Raises ``RuleError`` as the constructor does."""
        _check_names(options)
        return dataclasses.replace(self, **options)

    def to_dict(self) -> dict[str, Any]:
        """Every option by name, in the order of declaration."""
        return {option.name: getattr(self, option.name) for option in fields(self)}

    def to_json(self) -> str:
        """Every option as one line of JSON."""
        return json.dumps(self.to_dict(), separators=(",", ":"), ensure_ascii=False)

    @classmethod
    def from_dict(cls, options: Mapping[str, Any]) -> RuleSet:
        """Rules from options by name; what is left out has its default. Raises ``RuleError``."""
        _check_names(options)
        return cls(**options)

    @classmethod
    def from_json(cls, text: str | bytes) -> RuleSet:
        """Rules from a JSON object of options. Raises ``RuleError``."""
        try:
            options = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise RuleError(f"the rules are not JSON: {error}") from error
        if not isinstance(options, dict):
            raise RuleError(f"the rules are a JSON {type(options).__name__}; an object of options is needed")
        return cls.from_dict(options)

    @staticmethod
    def preset(name: str) -> RuleSet:
        """The preset of this name (R11). Raises ``RuleError`` naming the nearest one there is."""
        from bots_sdk.durak.presets import PRESETS

        if name not in PRESETS:
            raise RuleError(_unknown(name, list(PRESETS), what="preset"))
        return PRESETS[name]

    @staticmethod
    def presets() -> dict[str, RuleSet]:
        """Every preset by name, in the order of R11."""
        from bots_sdk.durak.presets import PRESETS

        return dict(PRESETS)

    def explain(self) -> str:
        """The rules in words, made from the options: paragraphs of plain text under short headings."""
        from bots_sdk.durak.explain import explain

        return explain(self)


def _check_names(options: Mapping[str, Any]) -> None:
    known = [option.name for option in fields(RuleSet)]
    for name in options:
        if name not in known:
            raise RuleError(_unknown(name, known))


def _check_value(option: dataclasses.Field[Any], value: object) -> None:
    meta = option.metadata
    if option.name in ("name", "summary"):
        most = LONGEST_NAME if option.name == "name" else LONGEST_SUMMARY
        least = 1 if option.name == "name" else 0
        if not isinstance(value, str) or not value.isprintable() or not least <= len(value) <= most:
            needed = f"one line of {least} to {most} printable characters"
            raise RuleError(f"rules: {option.name} = {quoted(value)}; it is {needed}")
        return
    wanted = type(option.default)
    if "span" in meta:
        least, most = meta["span"]
        fits = type(value) is int and least <= value <= most
        needed = f"a whole number from {least} to {most}"
    else:
        fits = type(value) is wanted and value in meta["values"]
        needed = "one of " + ", ".join(json.dumps(known) for known in meta["values"])
    if not fits:
        raise RuleError(f"rules: {option.name} = {quoted(value)} ({meta['section']}); it is {needed}")


def _conflicts(rules: RuleSet) -> list[tuple[bool, str]]:
    bout = rules.game == "bout"
    return [
        (rules.min_seats > rules.max_seats, "min_seats is more than max_seats"),
        (
            rules.game == "duel" and (rules.min_seats, rules.max_seats) != (2, 2),
            "a duel is for two players: min_seats and max_seats must be 2 (R9.1)",
        ),
        (
            rules.game == "duel" and (rules.both_empty, rules.end_check) != ("defender", "immediate"),
            "a duel is won at once and never drawn: both_empty must be defender and end_check immediate (R9.1)",
        ),
        (
            rules.game == "svoi_kozyri" and rules.max_seats > 4,
            "in svoi kozyri every seat has its own suit: max_seats must be 4 or less (R9.4)",
        ),
        (
            rules.game == "svoi_kozyri" and (rules.cards != 36 or rules.first != "left_of_dealer"),
            (
                "svoi kozyri is played with one pack of 36, begun to the dealer's left: "
                "deck must be 36, packs 1 and first left_of_dealer (R9.4)"
            ),
        ),
        (not bout and rules.transfer != "none", f"transfer is not part of the game {rules.game} (R7)"),
        (not bout and rules.teams != "none", f"teams are not part of the game {rules.game} (R8)"),
        (
            rules.game == "svoi_kozyri" and (rules.second_trump or rules.last_card_trump),
            "second_trump and last_card_trump name a trump for all, svoi kozyri has none (R9.3, R9.4)",
        ),
        (rules.cross_trump and not rules.second_trump, "cross_trump needs second_trump (R9.3)"),
        (
            rules.game != "bout" and rules.out_when == "immediate",
            f"out_when immediate is not part of the game {rules.game} (R6.1)",
        ),
    ]


def _range(least: int, most: int) -> str:
    return str(least) if least == most else f"{least} to {most}"


def _unknown(name: object, known: list[str], what: str = "option") -> str:
    near = difflib.get_close_matches(str(name)[:60], known, n=1)
    hint = f"did you mean {near[0]}?" if near else f"there are: {', '.join(known)}"
    return f"there is no {what} {quoted(name)}; {hint}"
