"""Moves and their text form (R13)."""

from __future__ import annotations

import copy
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bots_sdk.durak import Card, Move, NotationError
from bots_sdk.durak.cards import CARDS

card = st.sampled_from(CARDS)
moves = st.one_of(
    st.just(Move("pass")),
    st.just(Move("take")),
    st.lists(card, min_size=1, max_size=8).map(lambda cards: Move("attack", tuple(cards))),
    st.builds(lambda one, target: Move("beat", (one,), target), card, card),
    st.builds(lambda kind, one: Move(kind, (one,)), st.sampled_from(["transfer", "show"]), card),
)


@given(moves)
def test_every_move_reads_back_from_its_text_equal_and_alike(move: Move) -> None:
    again = Move.parse(str(move))
    assert again == move
    assert hash(again) == hash(move)
    assert str(again) == str(move)
    assert pickle.loads(pickle.dumps(move)) == move
    assert copy.deepcopy(move) == move


@pytest.mark.parametrize(
    ("text", "kind", "cards", "target"),
    [
        ("a8S", "attack", ["8S"], None),
        ("a8S8H", "attack", ["8S", "8H"], None),
        ("b8S:JS", "beat", ["JS"], "8S"),
        ("t8H", "transfer", ["8H"], None),
        ("s8H", "show", ["8H"], None),
        ("take", "take", [], None),
        ("pass", "pass", [], None),
    ],
)
def test_the_protocol_s_forms_are_read(text: str, kind: str, cards: list[str], target: str | None) -> None:
    move = Move.parse(text)
    assert move.kind == kind
    assert [str(one) for one in move.cards] == cards
    assert (None if move.target is None else str(move.target)) == target
    assert str(move) == text


def test_an_attack_is_the_same_whatever_the_order_its_cards_are_named_in() -> None:
    assert Move.parse("a8H8S") == Move.parse("a8S8H")
    assert str(Move.parse("a8H8S")) == "a8S8H"


@pytest.mark.parametrize(
    "text", ["", "a", "a8", "8S", "x8S", "b8S", "b8S:", "b8SJS", "b8S:JSQS", "t8S8H", "s", "PASS", "pass ", "a8S 8H"]
)
def test_a_text_that_is_no_move_is_refused_and_shown_the_forms(text: str) -> None:
    with pytest.raises(NotationError, match=r"b8S:JS|as in 8S"):
        Move.parse(text)


@pytest.mark.parametrize(
    ("kind", "cards", "target"),
    [
        ("throw", ("8S",), None),
        ("attack", (), None),
        ("take", ("8S",), None),
        ("pass", ("8S",), None),
        ("beat", ("8S",), None),
        ("beat", ("8S", "9S"), "7S"),
        ("transfer", ("8S", "8H"), None),
        ("attack", ("8S",), "7S"),
    ],
)
def test_a_move_whose_cards_do_not_suit_its_kind_cannot_be_made(
    kind: str, cards: tuple[str, ...], target: str | None
) -> None:
    with pytest.raises(NotationError):
        Move(kind, tuple(Card.parse(one) for one in cards), None if target is None else Card.parse(target))


def test_a_move_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        Move.parse("a8S").kind = "pass"  # type: ignore[misc]
