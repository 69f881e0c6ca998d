"""The rules in words, made from the options of a rule set: the "How to play" text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from bots_sdk.durak.rules import RuleSet

_LOWEST: Final = {24: "nine", 36: "six", 52: "two"}
_NUMBERS: Final = (
    *("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
)


def explain(rules: RuleSet) -> str:
    """Paragraphs of plain text, each under a heading line, separated by blank lines."""
    parts = {
        "The game": _aim(rules),
        "Cards and deal": _cards(rules),
        "Trumps": _trumps(rules),
        "Who begins": _first(rules),
        **_PLAY[rules.game](rules),
        "Teams": _teams(rules),
        "The end": _end(rules),
        "Several deals": _session(rules),
    }
    return "\n\n".join(f"{heading}\n{' '.join(lines)}" for heading, lines in parts.items() if lines)


def _number(count: int) -> str:
    return _NUMBERS[count] if count < len(_NUMBERS) else str(count)


def _aim(rules: RuleSet) -> list[str]:
    least, most = rules.seat_counts[0], rules.seat_counts[-1]
    players = _number(least) if least == most else f"{_number(least)} to {_number(most)}"
    return [
        f"{rules.summary}" if rules.summary else f"A game of the Durak family called {rules.name}.",
        f"For {players} players. Get rid of your cards: there is no winner, only a loser, the durak.",
    ]


def _cards(rules: RuleSet) -> list[str]:
    packs = "Two packs" if rules.packs == 2 else "One pack"
    lines = [f"{packs} of {rules.deck} cards, ace high, {_LOWEST[rules.deck]} low."]
    if rules.packs == 2:
        lines.append("Of two identical cards neither beats the other.")
    if rules.game == "svoi_kozyri":
        lines.append("Each player first gets the lowest card of his own suit; all other cards are dealt.")
    else:
        lines.append(f"Each player is dealt {_number(rules.hand_size)} cards, one by one, from the dealer's left.")
    return lines


def _trumps(rules: RuleSet) -> list[str]:
    if rules.game == "svoi_kozyri":
        return ["Every seat has a trump suit of its own: spades, hearts, diamonds, clubs in the order of the seats."]
    lines = [
        "The next card is turned up and put under the talon, where it is drawn last: its suit is trump.",
        "If no card is left to turn, the last card dealt is shown and stays in the hand.",
        "A card beats a lower one of its suit, and a trump beats any card that is not a trump.",
    ]
    if rules.second_trump:
        lines.append("The other suit of the same colour is trump too;")
        lines.append(
            "a higher trump beats a lower one of either trump suit."
            if rules.cross_trump
            else "a trump of one suit does not beat a trump of the other."
        )
    if rules.last_card_trump:
        lines.append(
            "When the last hidden card of the talon is drawn it is shown: "
            "from the next bout on its suit alone is trump."
        )
    return lines


def _first(rules: RuleSet) -> list[str]:
    who = {
        "lowest_trump": "the holder of the lowest trump shows it and begins.",
        "dealer": "the dealer begins.",
        "left_of_dealer": "the player to the dealer's left begins.",
    }
    lines = [f"In the first deal {who[rules.first]}", f"In later deals {who[rules.next_first]}"]
    if rules.first == rules.next_first:
        lines = [f"In every deal {who[rules.first]}"]
    if "lowest_trump" in (rules.first, rules.next_first):
        redeal = rules.no_trump == "redeal"
        lines.append(f"If nobody holds a trump, {'all is dealt again' if redeal else 'the lowest card begins'}.")
    return lines


def _bout(rules: RuleSet) -> dict[str, list[str]]:
    opening = "one card or several of one rank" if rules.multi_open else "one card"
    return {
        "Attack": [f"The attacker plays {opening} against the next player, the defender.", *_limits(rules)],
        "Defence": [
            "The defender beats an unbeaten card of his choice, one at a time, or takes; he may always take.",
            *_transfers(rules),
        ],
        "Throwing in": _throwing(rules),
        "After the bout": [*_afterwards(rules), *_refill(rules)],
    }


def _limits(rules: RuleSet) -> list[str]:
    lines = [
        (
            f"A bout has at most {_number(rules.max_attack)} attack cards, and never more than the defender held "
            "when he became defender."
        )
    ]
    if rules.first_limit == "first_bout":
        lines.append("In the first bout of the deal it has at most five.")
    if rules.first_limit == "until_discard":
        lines.append("Until cards have been discarded it has at most five.")
    return lines


def _transfers(rules: RuleSet) -> list[str]:
    if rules.transfer == "none":
        return []
    lines = [
        (
            "Before he has beaten anything he may instead add a card of the attack's rank and so pass the attack on "
            "to the next player, who must hold at least as many cards as then lie on the table."
        )
    ]
    if rules.transfer == "proyezdnoy":
        lines.append(
            "Showing the trump of that rank is enough: it stays in the hand, and each card can be shown once "
            f"a {rules.show_limit}."
        )
    if not rules.transfer_last_card:
        lines.append("Who is down to his last card cannot do so.")
    if not rules.transfer_first_bout:
        lines.append("The first bout cannot be passed on.")
    lines.append(
        "After that the first attacker is still the main attacker, or, if it has come back to him, whoever passed it "
        "on last."
        if rules.transfer_lead == "original"
        else "After that whoever passed it on is the main attacker."
    )
    return lines


def _throwing(rules: RuleSet) -> list[str]:
    others = "Everybody but the defender" if rules.teams == "none" else "Every opponent of the defender"
    neighbours = "two neighbours" if rules.teams == "none" else "nearest opponents on both sides"
    words = {
        "all": others,
        "neighbours": f"The defender's {neighbours}",
        "attacker": "The main attacker",
    }
    kinds = dict.fromkeys(rules.throwers_at(seats) for seats in rules.seat_counts)
    who = " ".join(words[kind] for kind in kinds)
    if len(kinds) > 1:
        who = f"{others} (from five players on, only the defender's {neighbours})"
    when = "once all is beaten" if rules.throw_when == "all_beaten" else "at any time"
    lines = [
        (
            f"{who} may throw in, {when}, cards of the ranks that lie on the table: the main attacker first, then "
            "clockwise, one card at a time."
        ),
        "After each card that the defender plays everybody is asked again.",
    ]
    lines.append(
        "When the defender takes, cards that fit may still be added within the limit; he takes those too."
        if rules.throw_on_take
        else "When the defender takes, nothing more is added."
    )
    return lines


def _afterwards(rules: RuleSet) -> list[str]:
    after = "the player to the defender's left" if rules.after_take == "left_of_defender" else "the same attacker"
    return [
        "If all is beaten and nobody throws in any more, the cards are discarded and the defender attacks next.",
        f"If he takes, he picks up what lies on the table, and {after} attacks next.",
    ]


def _refill(rules: RuleSet) -> list[str]:
    return [
        (
            f"Then hands are filled up to {_number(rules.hand_size)} from the talon: the main attacker first, then "
            "clockwise, the defender last."
        )
    ]


def _duel(rules: RuleSet) -> dict[str, list[str]]:
    return {
        "A bout": [
            "The leader plays one card, and nothing is thrown in.",
            (
                f"If it is beaten, both cards are put away, both fill up to {_number(rules.hand_size)}, the beater "
                "first, and the beater leads."
            ),
            "If not, the other takes that card, and the leader fills up and leads again.",
        ]
    }


def _prostoy(rules: RuleSet) -> dict[str, list[str]]:
    take = "all that lies on the table" if rules.prostoy_take == "all" else "what he has not beaten"
    after = "the player to his left" if rules.after_take == "left_of_defender" else "the same attacker"
    return {
        "Attack": [
            (
                "The attacker plays one card, or three of which two are a pair, or five with two pairs among them, "
                "against the next player, the defender. Nothing is thrown in."
            ),
            *_limits(rules),
        ],
        "Defence": [
            "The defender beats what he will. If he beats all, the cards are discarded and he attacks next.",
            f"If not, he takes {take}, and {after} attacks next.",
        ],
        "After the bout": _refill(rules),
    }


def _svoi_kozyri(rules: RuleSet) -> dict[str, list[str]]:
    pickup = (
        "takes the whole pile, after which the next player leads"
        if rules.svoi_pickup == "pile"
        else "takes its top card, after which the next player answers the new top, or leads if there is none"
    )
    return {
        "Play": [
            (
                "The leader puts any card on the table: the pile. Each player in turn beats its top card, with a "
                f"higher one of its suit or with a trump of his own, or {pickup}."
            ),
            "A trump of his own on top is beaten only by a higher one.",
            (
                "When every player in play has added a card since the lead, the pile is discarded and whoever played "
                "last leads."
            ),
        ]
    }


_PLAY: Final = {"bout": _bout, "duel": _duel, "prostoy": _prostoy, "svoi_kozyri": _svoi_kozyri}


def _teams(rules: RuleSet) -> list[str]:
    if rules.teams == "none":
        return []
    sides = " or ".join(_number(seats // 2) for seats in rules.seat_counts)
    if rules.teams == "opposite":
        return [
            f"Teams of {sides} are seated alternately. Nobody attacks a partner or throws in against him.",
            "Where a player without cards should attack or defend, a partner does it in his place.",
        ]
    return [
        "Partners sit side by side: seats 0 and 1 against 2 and 3. An attack goes to the next opponent.",
        "Before the defender takes, his partner may beat the unbeaten cards for him, one by one.",
        "Where a player without cards should attack or defend, his partner does it in his place.",
    ]


def _end(rules: RuleSet) -> list[str]:
    if rules.game == "duel":
        return [
            "Once the talon is gone, whoever plays his last card first has won at once. There are no draws.",
            "Left with more than six cards, the loser is a double durak.",
        ]
    has_talon = rules.game != "svoi_kozyri"
    out = "Once the talon is gone, a player without cards is out and safe."
    if rules.out_when == "immediate":
        out = "Whoever plays his last card is out and safe, and draws no more, even while there is a talon."
    elif not has_talon:
        out = "A player without cards is out and safe."
    after = "after a bout" if has_talon else "after the pile has gone"
    who, loses, double = "player", "he is the durak", "Left with more than six cards, he is a double durak."
    if rules.teams != "none":
        who, loses = "team", "it has lost and its players are the duraks"
        double = "If one of them is left with more than six cards, it is a double durak."
    when = (
        f"When {after} one {who} alone holds cards, {loses}"
        if rules.end_check == "bout_end"
        else f"As soon as one {who} alone holds cards, even in the middle of a bout, {loses}"
    )
    both = "it is a draw" if rules.both_empty == "draw" else "the last defender is the durak"
    again = (
        "when, with the talon gone, the same hands with the same attacker"
        if has_talon
        else "when the same hands with the same leader"
    )
    bouts = "bouts" if has_talon else "leads"
    return [
        out,
        f"{when}; if nobody does, {both}.",
        double,
        f"A deal is drawn {again} come up for the third time, and after {rules.max_bouts} {bouts}.",
    ]


def _session(rules: RuleSet) -> list[str]:
    who, pays = "The durak deals the next deal", "He pays each other player a chip."
    if rules.teams != "none":
        who = "The next deal is dealt by the first player after the old dealer whose team has lost"
        pays = "Each of that team pays each opponent a chip."
    lines = [f"{who}." if rules.game == "duel" else f"{who}; after a draw the old dealer deals again.", pays]
    if rules.double_durak == "counts_double":
        lines.append("A double durak counts and pays twice.")
    if rules.double_durak == "deals_twice":
        lines.append("A double durak deals the next two deals.")
    if rules.ladder:
        lines.append(
            f"Who has been durak twice starts with {_number(rules.hand_size + 1)} cards, who has been it three times "
            f"or more with {_number(rules.hand_size + 2)}."
        )
    return lines
