"""The slow referee against the rules' own examples: an oracle is tested before it is believed."""

from __future__ import annotations

from tests.bots_sdk.durak.slow_deal import DEFAULTS, PRESETS
from tests.bots_sdk.durak.slow_referee import Options, SlowReferee


def rules(preset: str = "podkidnoy", **changes: object) -> Options:
    return {**DEFAULTS, **PRESETS[preset], **changes}


def play(referee: SlowReferee, *moves: str) -> SlowReferee:
    for move in moves:
        referee.play(move)
    return referee


def test_the_swedish_example_of_three_attacks() -> None:
    hands = [["8S", "JD", "6C"], ["JS", "JH", "9H", "QC"], ["8H", "6D"]]
    deal = SlowReferee(rules(), hands, ["7C", "7D", "7H", "TH", "TC", "QH"], ["H"], 0)
    play(deal, "a8S", "b8S:JS")
    assert deal.legal() == {"aJD", "pass"}
    play(deal, "pass", "a8H", "b8H:JH", "aJD", "bJD:9H")
    assert deal.to_move == 0
    play(deal, "pass", "pass")
    assert (deal.attacker, deal.defender, deal.discarded) == (1, 2, 6)
    assert len(deal.hands[0]) == 6
    assert deal.hands[2] == ["6D", "QH"]


def test_a_defender_of_two_cards_who_takes_a_seven_gets_one_card_more() -> None:
    deal = SlowReferee(rules(), [["7S", "7H", "7D", "AC"], ["6S", "6H"]], [], ["C"], 0)
    play(deal, "a7S", "take", "a7H")
    assert deal.hands[1] == ["6S", "6H", "7S", "7H"]


def test_the_last_card_taken_makes_a_durak() -> None:
    deal = play(SlowReferee(rules(), [["7S"], ["6S", "6H"]], [], ["C"], 0), "a7S", "take")
    assert (deal.over, deal.duraks, deal.reason) == (True, [1], "last_holder")


def test_the_last_card_beaten_with_the_last_is_a_draw() -> None:
    deal = play(SlowReferee(rules(), [["6S"], ["7S"], []], [], ["C"], 0), "a6S", "b6S:7S")
    assert (deal.over, deal.duraks, deal.reason) == (True, [], "both_empty")


def test_under_the_long_rules_the_last_card_ends_the_deal_at_once() -> None:
    deal = play(SlowReferee(rules("podkidnoy-long"), [["6S"], ["7S"]], [], ["C"], 0), "a6S")
    assert (deal.over, deal.duraks) == (True, [1])


def test_a_partner_attacks_in_the_place_of_one_without_cards() -> None:
    hands = [[], ["8S", "9S"], ["6H", "6D"], ["7S"]]
    deal = SlowReferee(rules("pairs"), hands, [], ["C"], 0)
    assert (deal.to_move, deal.defender) == (2, 1)


def test_the_same_hands_and_attacker_for_the_third_time_are_a_draw() -> None:
    deal = SlowReferee(rules(), [["6S", "AC"], ["KC"], ["6H", "QC"]], [], ["D"], 0)
    opened = 0
    while not deal.over:
        sixes = [move for move in sorted(deal.legal()) if move in ("a6S", "a6H")]
        opening = bool(sixes) and not deal.table
        opened += opening
        deal.play(sixes[0] if opening else "take" if "take" in deal.legal() else "pass")
    assert (opened, deal.reason, deal.duraks) == (12, "repetition", [])


def test_a_transfer_comes_back_to_the_attacker_and_the_transferrer_leads() -> None:
    hands = [["8S", "8D", "AC"], ["8H", "KC", "QC"]]
    deal = SlowReferee(rules("perevodnoy"), hands, [], ["H"], 0)
    play(deal, "a8S", "t8H")
    assert (deal.attacker, deal.defender) == (1, 0)
    assert deal.legal() == {"take"}  # 8D: his opponent would hold two cards against three


def test_a_shown_trump_stays_in_the_hand_and_serves_once() -> None:
    hands = [["8S", "8C", "AC"], ["8H", "KC", "QC"]]
    deal = SlowReferee(rules("proyezdnoy"), hands, [], ["H"], 0)
    play(deal, "a8S", "s8H", "t8C")
    assert "8H" in deal.hands[1]
    assert deal.legal() == {"b8S:8H", "b8C:8H", "b8C:KC", "b8C:QC", "take"}
