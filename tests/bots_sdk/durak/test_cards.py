"""Cards, hands and what beats what (R1)."""

from __future__ import annotations

import copy
import pickle

import pytest

from bots_sdk.durak import Card, NotationError
from bots_sdk.durak.cards import (
    CARDS,
    add,
    beating_faces,
    cards_of,
    deck_faces,
    drop,
    faces_of,
    hand_of,
    merge,
    names_of,
    symbols,
)


def beats(card: str, target: str, trumps: list[int], *, cross: bool = False) -> bool:
    table = beating_faces(trumps, cross_trump=cross)
    return bool(table[Card.parse(target).index] >> Card.parse(card).index & 1)


def test_every_card_reads_back_from_its_text() -> None:
    assert len({str(card) for card in CARDS}) == 52
    for card in CARDS:
        assert Card.parse(str(card)) == card
        assert str(card) == card.rank + card.suit


@pytest.mark.parametrize("text", ["", "8", "S8", "10S", "8s", "8S ", "1S", "8X"])
def test_a_text_that_is_no_card_is_refused_and_shown_how_to_write_one(text: str) -> None:
    with pytest.raises(NotationError, match="as in 8S"):
        Card.parse(text)


def test_a_card_can_be_copied_pickled_and_sorted() -> None:
    card = Card.parse("TH")
    assert copy.deepcopy(card) == card
    assert pickle.loads(pickle.dumps(card)) == card
    assert hash(Card(card.index)) == hash(card)
    assert sorted([Card.parse("7S"), Card.parse("6C"), Card.parse("6S")]) == [
        Card.parse("6S"),
        Card.parse("6C"),
        Card.parse("7S"),
    ]


def test_a_card_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        Card.parse("8S").index = 3  # type: ignore[misc]


def test_cards_are_written_for_a_reader_with_their_suit_s_symbol() -> None:
    assert Card.parse("TS").symbol == "10♠"
    assert symbols([Card.parse("8S"), Card.parse("8H"), Card.parse("9D")]) == "8♠, 8♥ and 9♦"
    assert symbols([Card.parse("AC")]) == "A♣"


def test_r1_a_higher_card_of_the_suit_and_any_trump_beat_a_card() -> None:
    hearts = [1]
    assert beats("JS", "8S", hearts)
    assert not beats("8S", "JS", hearts)
    assert not beats("AS", "8C", hearts)
    assert beats("2H", "AS", hearts)
    assert beats("7H", "6H", hearts)
    assert not beats("AS", "2H", hearts)


def test_r1_an_identical_card_does_not_beat() -> None:
    assert not any(beats(str(card), str(card), [1]) for card in CARDS)


def test_r9_3_a_trump_of_one_suit_does_not_beat_a_trump_of_the_other() -> None:
    black = [0, 3]
    assert not beats("AS", "6C", black)
    assert not beats("AC", "6S", black)
    assert beats("7C", "6C", black)
    assert beats("6C", "AD", black)
    assert beats("6S", "AD", black)


def test_r9_3_with_cross_trump_the_higher_of_two_trumps_beats() -> None:
    black = [0, 3]
    assert beats("7S", "6C", black, cross=True)
    assert not beats("6S", "6C", black, cross=True)
    assert not beats("6S", "7C", black, cross=True)


@pytest.mark.parametrize(("deck", "lowest"), [(24, "9"), (36, "6"), (52, "2")])
def test_r1_a_deck_runs_from_its_lowest_rank_to_the_ace(deck: int, lowest: str) -> None:
    names = [str(CARDS[face]) for face in deck_faces(deck, 1)]
    assert len(set(names)) == deck
    assert names[0] == lowest + "S"
    assert names[-1] == "AC"
    assert deck_faces(deck, 2) == deck_faces(deck, 1) * 2


def test_a_hand_holds_two_of_a_face_and_gives_them_one_by_one() -> None:
    eight = Card.parse("8S").index
    once = add(0, eight)
    twice = add(once, eight)
    assert names_of(twice) == ["8S", "8S"]
    assert cards_of(once) == [CARDS[eight]]
    assert drop(twice, eight) == once
    assert drop(once, eight) == 0
    assert merge(once, once) == twice
    assert faces_of(hand_of([eight, 3, eight])) == [3, eight, eight]
