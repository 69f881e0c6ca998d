"""Prostoy, sentence by sentence of R9.2."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

from bots_sdk.durak import RuleSet, deal
from tests.bots_sdk.durak.book import hand, legal, play, refusal, sizes, table


def test_five_cards_each() -> None:
    for seats in (2, 3, 4, 5, 6):
        state = deal(RuleSet.preset("prostoy"), seats=seats, seed=bytes(16))
        assert sizes(state) == [5] * seats
        assert len(state.to_position()["talon"]) == 36 - 5 * seats


def attacks_of(cards: str, most: int) -> set[str]:
    """R9.2 by counting: one card; a pair and any; two pairs and any."""
    found = set()
    for size, pairs in ((1, 0), (3, 1), (5, 2)):
        if size <= most:
            for some in combinations(cards.split(), size):
                if sum(count // 2 for count in Counter(card[0] for card in some).values()) >= pairs:
                    found.add("a" + "".join(sorted(some)))
    return found


def test_an_attack_is_one_card_or_a_pair_and_any_or_two_pairs_and_any() -> None:
    five = "9C 9D TS TH KS"
    for cards in ("8S 8D 9C", five, "8S 8D 8C 8H KS", "8S 8D 8C 9D 9S", "6S 7S 8S 9S TS", "6S 6D 8S 8D 8C KS KD"):
        state = table("prostoy", cards, "6H 7H JH QH AH")
        assert legal(state) == attacks_of(cards, 5)


def test_two_cards_or_three_without_a_pair_are_no_attack() -> None:
    state = table("prostoy", "8S 8D 9C TC JC", "6H 7H JH QH KH")
    assert refusal(state, "a8S8D").rule.startswith("R9.2")
    assert refusal(state, "a9CTCJC").rule.startswith("R9.2")
    assert refusal(state, "a8S8D9CTC").rule.startswith("R9.2")
    assert refusal(state, "a8S8D9CTCJC").rule.startswith("R9.2")


def test_never_more_than_the_defender_holds() -> None:
    cards = "8S 8D 9C 9D TC"
    assert legal(table("prostoy", cards, "6H 7H JH QH")) == attacks_of(cards, 4)
    assert legal(table("prostoy", cards, "6H 7H")) == attacks_of(cards, 2)
    assert refusal(table("prostoy", cards, "6H 7H"), "a8S8D9C").rule in ("R4.3", "R9.2")


def test_nothing_is_thrown_in_after_beating_or_taking() -> None:
    state = table("prostoy", "8S 8D 9C", "9S 6H KC", "9D 8C")
    play(state, "a8S b8S:9S")
    assert state.seat_to_move == 1
    assert state.to_position()["table"] == []
    state = play(table("prostoy", "8S 8D 9C", "9S 6H KC", "9D 8C"), "a8S take")
    assert state.seat_to_move == 2
    assert sizes(state) == [2, 4, 2]


def test_each_card_is_beaten_by_itself_in_any_order() -> None:
    state = play(table("prostoy", "8S 8D 9C KC", "9S 9D TC 6H"), "a8S8D9C")
    assert legal(state) == {
        *("b8S:9S", "b8S:6H", "b8D:9D", "b8D:6H", "b9C:TC", "b9C:6H", "take"),
    }
    play(state, "b9C:TC b8S:9S b8D:9D")
    assert state.seat_to_move == 1
    assert sizes(state) == [1, 1]


def test_by_default_the_defender_who_beats_only_some_takes_all() -> None:
    state = play(table("prostoy", "8S 8D 9C KC", "9S 9D TC 6H", "6C 7C"), "a8S8D9C b8S:9S take")
    assert hand(state, 1) == {"9S", "9D", "TC", "6H", "8S", "8D", "9C"}
    assert state.seat_to_move == 2


def test_with_prostoy_take_unbeaten_the_beaten_cards_go_away() -> None:
    start = table("prostoy", "8S 8D 9C KC", "9S 9D TC 6H", "6C 7C", prostoy_take="unbeaten")
    before = start.to_position()["discarded"]
    state = play(start, "a8S8D9C b8S:9S take")
    assert hand(state, 1) == {"9D", "TC", "6H", "8D", "9C"}
    assert state.to_position()["discarded"] == before + 2
    assert state.seat_to_move == 2


def test_hands_are_refilled_to_five_the_attacker_first() -> None:
    state = table("prostoy", "8S 8D 9C KC AC", "9S 9D TC 6H AD", "6C 7C 6D 7D JD", talon="QC QD QS KH")
    play(state, "a8S8D9C b9C:TC b8S:9S b8D:9D")
    assert hand(state, 0) == {"KC", "AC", "QC", "QD", "QS"}
    assert hand(state, 1) == {"6H", "AD", "KH"}


def test_the_last_holder_is_durak_and_both_empty_is_a_draw() -> None:
    lost = play(table("prostoy", "8S", "9D 6C"), "a8S take").result
    assert lost is not None
    assert set(lost.duraks) == {1}
    drawn = play(table("prostoy", "8S", "9S"), "a8S b8S:9S").result
    assert drawn is not None
    assert not drawn.duraks
