"""For each preset, each way in which it differs from podkidnoy, seen at the table.

What is tested at length in a file of its own (transfers, teams, the variants) is looked at here once for each
preset, so that a preset that loses an option is noticed.
"""

from __future__ import annotations

import random

import pytest

from bots_sdk.durak import GameState, deal
from bots_sdk.durak.cards import cards_of
from tests.bots_sdk.durak.conceivable import all_cards
from tests.bots_sdk.durak.tables import PRESETS, hand, legal, play, refusal, table

TALON = "6C 7C 8C 9C TC QC KC AC QD KD 6D 6H"


@pytest.mark.parametrize(("name", "count", "lowest"), [("mini", 24, "9"), ("full", 52, "2"), ("podkidnoy", 36, "6")])
def test_r1_the_deck_has_as_many_cards_as_its_name_promises(name: str, count: int, lowest: str) -> None:
    dealt = all_cards(deal(PRESETS[name], 2, bytes(16)))
    assert len(set(dealt)) == len(dealt) == count
    assert min(dealt).rank == lowest


def test_r1_two_packs_hold_every_card_twice() -> None:
    dealt = all_cards(deal(PRESETS["two-packs"], 6, bytes(16)))
    assert sorted(dealt) == sorted(list(dict.fromkeys(dealt)) * 2)
    assert len(dealt) == 72


def test_r1_with_two_packs_an_identical_card_does_not_beat() -> None:
    state = play(table("8S KS", "8S 9S", "9D", "TC", "JC", "QC", rules="two-packs"), "a8S")
    assert legal(state) == {"b8S:9S", "take"}
    assert refusal(state, "b8S:8S").message == "8♠ does not beat 8♠: it is not higher"


def test_with_two_packs_each_of_two_identical_attack_cards_is_beaten_by_its_own_card() -> None:
    state = play(table("8S 8S KS", "9S 9S TS", "9D", "TC", "JC", "QC", rules="two-packs"), "a8S8S")
    assert legal(state) == {"b8S:9S", "b8S:TS", "take"}
    play(state, "b8S:9S b8S:9S")
    assert state.view(None)["table"] == [["8S", "9S"], ["8S", "9S"]]


LONG = ["podkidnoy-long", "perevodnoy-long"]
APP = ["podkidnoy-app", "perevodnoy-app"]


@pytest.mark.parametrize("name", LONG + APP)
def test_r3_3_the_long_and_the_app_s_rules_begin_later_deals_by_the_lowest_trump(name: str) -> None:
    assert deal(PRESETS[name], 3, bytes(16), later=True).deal_info.lowest_trump is not None
    assert deal(PRESETS["podkidnoy"], 3, bytes(16), later=True).deal_info.lowest_trump is None


@pytest.mark.parametrize("name", LONG + APP)
def test_r4_1_the_long_and_the_app_s_rules_open_with_one_card(name: str) -> None:
    assert legal(table("8S 8D", "JS QS KS", rules=name)) == {"a8S", "a8D"}


@pytest.mark.parametrize("name", [*APP, "first-five"])
def test_r4_3_the_app_s_first_bout_has_five_attack_cards(name: str) -> None:
    held = "7S 8S 9S TS JS QS KS"
    assert table("6S 6D", held, rules=name, bout=1).limit == 5
    assert table("6S 6D", held, rules=name, bout=2).limit == 6


@pytest.mark.parametrize("name", LONG)
def test_r4_7_r5_2_in_the_long_rules_a_take_ends_the_bout_and_the_same_attacker_attacks_again(name: str) -> None:
    state = play(table("8S 8D KS", "JS QD", "9D TS", rules=name), "a8S take")
    assert state.bout == 2
    assert state.attacker == 0


@pytest.mark.parametrize("name", LONG)
def test_r6_1_r6_2_in_the_long_rules_players_leave_and_deals_end_at_once(name: str) -> None:
    state = play(table("8S", "JS JD", talon=TALON, rules=name), "a8S")
    assert state.result is not None
    assert state.result.duraks == {1}


@pytest.mark.parametrize("name", APP)
def test_r4_7_r5_2_in_the_app_s_rules_cards_are_added_after_a_take_and_the_next_seat_attacks(name: str) -> None:
    state = play(table("8S 8D KS", "JC QC", "9D TS", rules=name), "a8S take")
    assert state.seat_to_move == 0
    play(state, "a8D")
    assert state.attacker == 2


def test_r4_5_in_the_swedish_rules_cards_are_thrown_in_before_the_answer() -> None:
    assert play(table("8S 8D KS", "JS JD QS", rules="podkidnoy-swedish"), "a8S").seat_to_move == 0
    assert play(table("8S 8D KS", "JS JD QS"), "a8S").seat_to_move == 1


@pytest.mark.parametrize("name", [name for name, rules in PRESETS.items() if rules.transfer != "none"])
def test_r7_1_the_transfer_presets_transfer(name: str) -> None:
    assert "t8D" in legal(play(table("8S KS AS", "8D JD QS", rules=name), "a8S"))


@pytest.mark.parametrize("name", [name for name, rules in PRESETS.items() if rules.transfer == "none"])
def test_r7_no_other_preset_transfers(name: str) -> None:
    choose = random.Random(name)
    state = deal(PRESETS[name], PRESETS[name].seat_counts[0], bytes(16))
    while not state.is_over:
        assert not {move.kind for move in state.legal_moves()} & {"transfer", "show"}
        state.play(choose.choice(state.legal_moves()))


def test_r7_4_only_proyezdnoy_shows() -> None:
    for name, rules in PRESETS.items():
        if rules.transfer != "none":
            state = play(table("8S KS", "8H JD QS", rules=name), "a8S")
            assert ("s8H" in legal(state)) == (name == "proyezdnoy")


def most_on_the_table(name: str, deals: int) -> int:
    """The most attack cards that were on the table in random deals of a preset."""
    choose = random.Random(name)
    most = 0
    for number in range(deals):
        state = deal(PRESETS[name], 3, number.to_bytes(16, "big"))
        while not state.is_over:
            state.play(choose.choice(state.legal_moves()))
            most = max(most, len(state.view(None)["table"]))
    return most


def test_r4_3_siberian_never_has_more_than_three_attack_cards_and_reaches_them() -> None:
    assert most_on_the_table("siberian", 10) == 3


def test_r4_3_podkidnoy_never_has_more_than_six_attack_cards_and_reaches_them() -> None:
    assert most_on_the_table("podkidnoy", 40) == 6


@pytest.mark.parametrize(("name", "seats"), [("neighbours", 4), ("podkidnoy", 5), ("podkidnoy", 6), ("trios", 6)])
def test_r4_4_only_neighbours_throw_in(name: str, seats: int) -> None:
    assert throwers(name, seats) <= {1, seats - 1}


@pytest.mark.parametrize(("name", "seats"), [("podkidnoy", 4), ("podkidnoy-app", 6), ("podkidnoy-long", 5)])
def test_r4_4_everybody_throws_in(name: str, seats: int) -> None:
    assert throwers(name, seats) == set(range(1, seats))


def throwers(name: str, seats: int) -> set[int]:
    """How far to the left of the defender those sat who were asked to throw in while everybody had cards."""
    choose = random.Random(name)
    found = set()
    for number in range(20):
        state = deal(PRESETS[name], seats, number.to_bytes(16, "big"))
        while not state.is_over and all(cards_of(held) for held in state.hands):
            if state.table_faces() and state.seat_to_move != state.defender:
                found.add((state.turn - state.defender) % seats)
            state.play(choose.choice(state.legal_moves()))
    return found


def test_r8_pairs_and_trios_lose_together() -> None:
    for name in ("pairs", "trios", "pairs-adjacent"):
        rules = PRESETS[name]
        seats = rules.seat_counts[0]
        choose = random.Random(name)
        state: GameState = deal(rules, seats, bytes(16))
        while not state.is_over:
            state.play(choose.choice(state.legal_moves()))
        assert state.result is not None
        assert len(state.result.duraks) in (0, seats // 2)


def test_r9_5_ladder_plays_as_perevodnoy_at_the_table() -> None:
    seed = b"sixteen bytes 03"
    ladder, plain = (deal(PRESETS[name], 3, seed) for name in ("ladder", "perevodnoy"))
    choose = random.Random(1)
    while not plain.is_over:
        assert ladder.legal_moves() == plain.legal_moves()
        move = choose.choice(plain.legal_moves())
        ladder.play(move)
        plain.play(move)
    assert ladder.result == plain.result
    assert hand(ladder, 0) == hand(plain, 0)
