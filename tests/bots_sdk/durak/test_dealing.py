"""The shuffle, the deal and who begins (R2, R3)."""

from __future__ import annotations

import random
from collections import Counter
from hashlib import sha256

import pytest

from bots_sdk.durak import Card, DurakError, RuleError, deal
from bots_sdk.durak.cards import CARDS, SUIT_FACES, faces_of
from bots_sdk.durak.shuffle import Shuffler
from tests.bots_sdk.durak.tables import PRESETS, TABLES, hand, rules


def reference_shuffles(seed: bytes, deck: list[int], count: int) -> list[list[int]]:
    """R2.3 written again from docs/rules.md: byte by byte, as plainly as can be."""
    stream = b"".join(sha256(b"durak-deal-1" + seed + block.to_bytes(8, "big")).digest() for block in range(60))
    taken = 0
    decks = []
    for _ in range(count):
        cards = list(deck)
        for last in range(len(cards) - 1, 0, -1):
            while stream[taken] >= 256 // (last + 1) * (last + 1):
                taken += 1
            partner = stream[taken] % (last + 1)
            taken += 1
            cards[last], cards[partner] = cards[partner], cards[last]
        decks.append(cards)
    return decks


@pytest.mark.parametrize("size", [24, 36, 52, 72, 104])
def test_r2_3_the_shuffle_is_the_documented_one(size: int) -> None:
    for number in range(20):
        seed = number.to_bytes(16, "little")
        shuffler = Shuffler(seed)
        for expected in reference_shuffles(seed, list(range(size)), 4):
            cards = list(range(size))
            shuffler.shuffle(cards)
            assert cards == expected


def test_r2_3_the_shuffle_is_unbiased() -> None:
    orders: Counter[tuple[int, ...]] = Counter()
    shuffler = Shuffler(b"sixteen bytes ok")
    total = 6000
    for _ in range(total):
        cards = [0, 1, 2]
        shuffler.shuffle(cards)
        orders[tuple(cards)] += 1
    expected = total / 6
    assert len(orders) == 6
    assert sum((count - expected) ** 2 / expected for count in orders.values()) < 20.5, "chi square, 5 degrees, .001"


def test_r2_3_a_seed_under_128_bits_is_refused() -> None:
    with pytest.raises(DurakError, match="the seed has 15 bytes; at least 16 are needed"):
        deal(PRESETS["podkidnoy"], 2, bytes(15))


def test_r2_3_a_longer_seed_gives_another_deal() -> None:
    short, long = (deal(PRESETS["podkidnoy"], 2, bytes(size)) for size in (16, 17))
    assert short.hands != long.hands


@pytest.mark.parametrize("dealer", range(4))
def test_r2_1_cards_go_one_by_one_clockwise_from_the_dealer_s_left(dealer: int) -> None:
    seed = bytes(range(16))
    [deck] = reference_shuffles(seed, list(range(16, 52)), 1)
    state = deal(PRESETS["podkidnoy"], 4, seed, dealer)
    for step in range(4):
        seat = (dealer + 1 + step) % 4
        assert faces_of(state.hands[seat]) == sorted(deck[step:24:4])
    assert state.turn_up == deck[24]
    assert list(reversed(state.talon)) == [*deck[25:], deck[24]], "the turn-up is drawn last"
    assert state.trumps == [deck[24] & 3]


def test_r2_2_with_all_cards_dealt_the_dealer_s_last_card_names_the_trump_and_stays_in_his_hand() -> None:
    seed = bytes(16)
    deck = reference_shuffles(seed, list(range(16, 52)), 1)[0]
    state = deal(PRESETS["podkidnoy"], 6, seed, 2)
    assert state.talon == []
    assert state.turn_up == deck[-1]
    assert state.turn_up_in_hand
    assert str(CARDS[deck[-1]]) in hand(state, 2)
    assert str(CARDS[deck[-1]]) in state.view(None)["known"][2]


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_r3_1_the_holder_of_the_lowest_trump_begins_and_shows_it(name: str, seats: int) -> None:
    if PRESETS[name].first != "lowest_trump":
        return
    for number in range(20):
        state = deal(PRESETS[name], seats, number.to_bytes(16, "big"))
        trumps = [face for suit in state.trumps for face in faces_of(SUIT_FACES[suit]) if _held(state.hands, face)]
        lowest = min(trumps, key=lambda face: face >> 2)
        shown = state.deal_info.lowest_trump
        assert shown is not None
        assert shown.index >> 2 == lowest >> 2
        assert state.hands[state.attacker] >> shown.index & 1
        assert state.seat_to_move == state.first == state.attacker


def _held(hands: list[int], face: int) -> bool:
    return any(hand >> face & 1 for hand in hands)


def test_r3_1_of_two_seats_with_the_same_lowest_trump_the_first_from_the_dealer_s_left_begins() -> None:
    ties = 0
    for number in range(400):
        dealer = number % 6
        state = deal(PRESETS["two-packs"], 6, number.to_bytes(16, "big"), dealer)
        shown = state.deal_info.lowest_trump
        assert shown is not None
        holders = [seat for seat in range(6) if state.hands[seat] >> shown.index & 1]
        ties += len(holders) > 1
        assert state.first == min(holders, key=lambda seat: (seat - dealer - 1) % 6)
    assert ties, "the seeds must show the tie"


@pytest.mark.parametrize("dealer", [0, 1])
def test_r3_1_in_the_duel_the_dealer_begins(dealer: int) -> None:
    state = deal(PRESETS["duel"], 2, bytes(16), dealer)
    assert state.seat_to_move == dealer
    assert state.deal_info.lowest_trump is None


def test_r3_2_a_deal_without_trumps_is_dealt_again_from_the_same_stream_and_counted() -> None:
    few = rules(hand_size=1)
    found = 0
    for number in range(60):
        seed = number.to_bytes(16, "big")
        decks = reference_shuffles(seed, list(range(16, 52)), 12)
        thrown_in = next(i for i, deck in enumerate(decks) if deck[2] & 3 in (deck[0] & 3, deck[1] & 3))
        state = deal(few, 2, seed)
        assert state.deal_info.redeals == thrown_in
        assert state.turn_up == decks[thrown_in][2]
        assert faces_of(state.hands[1]) == [decks[thrown_in][0]]
        found += thrown_in > 0
    assert found


def test_r3_2_with_lowest_card_a_deal_without_trumps_is_begun_by_the_lowest_card() -> None:
    found = 0
    for number in range(60):
        state = deal(rules(hand_size=1, no_trump="lowest_card"), 3, number.to_bytes(16, "big"), 1)
        if not any(hand & SUIT_FACES[state.trumps[0]] for hand in state.hands):
            found += 1
            ranks = {seat: faces_of(state.hands[seat])[0] >> 2 for seat in (2, 0, 1)}
            assert state.first == min(ranks, key=lambda seat: ranks[seat])
            assert state.deal_info.lowest_trump is None
            assert state.redeals == 0
    assert found


@pytest.mark.parametrize(("name", "begins"), [("podkidnoy", "left"), ("podkidnoy-app", "lowest"), ("duel", "dealer")])
def test_r3_3_a_later_deal_begins_as_the_rules_say(name: str, begins: str) -> None:
    for number in range(20):
        seed = number.to_bytes(16, "big")
        state = deal(PRESETS[name], 2, seed, 1, later=True)
        first = {"left": 0, "dealer": 1, "lowest": deal(PRESETS[name], 2, seed, 1).first}[begins]
        assert state.first == first
        assert (state.deal_info.lowest_trump is not None) == (begins == "lowest")


def test_a_later_deal_without_trumps_that_needs_none_is_not_dealt_again() -> None:
    assert all(deal(rules(hand_size=1), 2, n.to_bytes(16, "big"), later=True).redeals == 0 for n in range(30))


def test_extra_cards_are_dealt_after_the_others_and_do_not_change_the_refill() -> None:
    state = deal(PRESETS["ladder"], 3, bytes(16), 0, extra=(0, 1, 2))
    assert [hand.bit_count() for hand in state.hands] == [6, 7, 8]
    assert len(state.talon) == 36 - 21


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"dealer": 3}, "the dealer is seat 3; the seats are 0 to 2"),
        ({"extra": (1, 2)}, "one number from 0 for each of 3 seats"),
        ({"extra": (0, -1, 0)}, "one number from 0"),
        ({"extra": (30, 0, 0)}, "do not fit: there are 36"),
    ],
)
def test_a_deal_that_cannot_be_is_refused_with_the_reason(arguments: dict[str, object], reason: str) -> None:
    with pytest.raises(DurakError, match=reason):
        deal(PRESETS["podkidnoy"], 3, bytes(16), **arguments)  # type: ignore[arg-type]


def test_a_deal_for_seats_that_do_not_fit_is_refused() -> None:
    with pytest.raises(RuleError, match="7 seats of 6 cards"):
        deal(PRESETS["podkidnoy"], 7, bytes(16))


def test_the_same_seed_gives_the_same_deal_whatever_the_dealer_s_deck() -> None:
    choose = random.Random(2)
    for name, seats in TABLES:
        seed = choose.randbytes(16)
        assert deal(PRESETS[name], seats, seed).to_position() == deal(PRESETS[name], seats, seed).to_position()


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_r9_4_each_seat_is_given_the_six_of_its_own_suit_and_all_cards_are_dealt(seats: int) -> None:
    for number in range(20):
        state = deal(PRESETS["svoi-kozyri"], seats, number.to_bytes(16, "big"), 1)
        for seat in range(seats):
            own = Card.parse("6" + "SHDC"[seat])
            assert str(own) in hand(state, seat)
            assert state.view(None)["known"][seat] == [str(own)]
            assert len(hand(state, seat)) == 36 // seats
        assert state.seat_to_move == 2 % seats
        assert state.deal_info.trumps == tuple("SHDC"[:seats])
