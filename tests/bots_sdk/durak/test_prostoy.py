"""Prostoy (R9.2)."""

from __future__ import annotations

from itertools import combinations

from bots_sdk.durak import Card, deal
from tests.bots_sdk.durak.tables import PRESETS, hand, legal, play, refusal, rules, table

FIVE = "JC QC KC AC JD"


def test_five_cards_each_are_dealt_and_refilled() -> None:
    state = deal(PRESETS["prostoy"], 3, bytes(16))
    assert [len(hand(state, seat)) for seat in range(3)] == [5, 5, 5]
    state = table("8S 8D KS", FIVE, rules="prostoy", talon="6C 7C 8C 9C TC QD KD 6H")
    play(state, "a8S take")
    assert len(hand(state, 0)) == 5


def test_an_attack_is_one_card_or_three_with_a_pair_or_five_with_two_pairs() -> None:
    state = table("8S 8D 9S 9D KS", FIVE, rules="prostoy")
    assert {len(move.cards) for move in state.legal_moves()} == {1, 3, 5}
    assert "a8S8DKS" in legal(state)
    assert "a8S8D9S9DKS" in legal(state)
    assert refusal(state, "a8S9SKS").message == "three cards attack if two are a pair: 8♠, 9♠ and K♠ hold none"
    assert refusal(state, "a8S8D").message == "an attack is one, three or five cards, not 2: 8♠ and 8♦"


def test_three_and_four_of_a_kind_count_as_pairs() -> None:
    triple = table("8S 8D 8C 9S KS", FIVE, rules="prostoy")
    assert "a8S8D8C" in legal(triple)
    assert refusal(triple, "a8S8D8C9SKS").message.endswith("hold 1")
    assert "a8S8H8D8CKS" in legal(table("8S 8D 8C 8H KS", FIVE, rules="prostoy"))


def test_the_attacks_are_exactly_those_with_enough_pairs() -> None:
    state = table("6S 6D 6C 7S 7D 8S 9S 9C AS", FIVE, rules="prostoy")
    held = [Card.parse(text) for text in sorted(hand(state, 0))]
    expected = set()
    for count in (1, 3, 5):
        for chosen in combinations(sorted(held), count):
            ranks = [card.rank for card in chosen]
            if sum(ranks.count(rank) // 2 for rank in set(ranks)) >= count // 2:
                expected.add("a" + "".join(map(str, chosen)))
    assert legal(state) == expected


def test_never_more_cards_attack_than_the_defender_holds() -> None:
    state = table("8S 8D 9S 9D KS", "JC QC KC", rules="prostoy")
    assert refusal(state, "a8S8D9S9DKS").message == "5 cards are too many: the defender holds only 3"


def test_nothing_is_thrown_in_and_who_beats_all_leads() -> None:
    state = play(table("8S 8D KS", "JS JD QS AC", "8C 9C", rules="prostoy"), "a8S b8S:JS")
    assert state.bout == 2
    assert state.seat_to_move == 1


def test_the_defender_beats_what_he_will_and_takes_all_if_not_all_is_beaten() -> None:
    state = play(table("8S 8D KS 7C", "JS JD QC AC", rules="prostoy"), "a8S8DKS b8S:JS take")
    assert hand(state, 1) == {"JD", "QC", "AC", "8S", "JS", "8D", "KS"}


def test_with_unbeaten_he_takes_only_what_he_has_not_beaten() -> None:
    state = table("8S 8D KS 7C", "JS JD QC AC", rules=rules("prostoy", prostoy_take="unbeaten"), discarded=28)
    play(state, "a8S8DKS b8S:JS take")
    assert hand(state, 1) == {"JD", "QC", "AC", "8D", "KS"}
    assert state.discarded == 30
    assert state.seat_to_move == 0


def test_after_a_take_the_left_of_the_defender_leads() -> None:
    state = play(table("8S 8D KS", "JS JD QS AC", "8C 9C", rules="prostoy"), "a8S take")
    assert state.seat_to_move == 2
