"""Sittings that go right: what is told, what is recorded, and what stays hidden."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from bots_sdk.bot import Loop
from bots_sdk.durak import Chronicle, DealRecord, Event, RuleSet, deal
from bots_sdk.referee import DealSpec, HostFault, SittingOutcome, SittingSpec, TimeControl, play_sitting, start_players
from bots_sdk.referee.local import InProcessPlayer, SubprocessPlayer
from bots_sdk.referee.player import Player
from tests.bots_sdk.referee.players import (
    HONEST,
    PATIENT,
    PODKIDNOY,
    Chance,
    HandClock,
    Lowest,
    going_wrong,
    good,
    program,
    sit,
    spec,
)

BOTS = Path(__file__).parent.parent / "bots"
ALL_PRESETS = sorted(RuleSet.presets())


class Listening(InProcessPlayer):
    """A good bot that keeps every message it was sent."""

    def __init__(self, bot: Lowest | Chance) -> None:
        self.messages: list[dict[str, Any]] = []
        loop = Loop(bot)

        def answer(line: bytes) -> bytes | None:
            self.messages.append(json.loads(line))
            return loop.answer(line)

        super().__init__(answer)

    def of(self, kind: str) -> list[dict[str, Any]]:
        return [message for message in self.messages if message["type"] == kind]


@pytest.mark.parametrize("preset", ALL_PRESETS)
def test_every_preset_is_played_to_the_end_and_replays_from_its_record(preset: str) -> None:
    rules = RuleSet.preset(preset)
    for seats in rules.seat_counts:
        if seats > 6:
            continue
        players = [InProcessPlayer(Loop(Chance(seat)).answer) for seat in range(seats)]
        outcome = sit(players, spec(2, seats, rules))
        assert outcome.faults == ()
        for played in outcome.deals:
            record = DealRecord.parse(played.record)
            assert record.to_text() == played.record
            assert record.replay().result == played.result
            assert Chronicle.of(record).events == played.events


def test_the_messages_come_in_the_order_of_the_protocol() -> None:
    players = [Listening(Lowest()), Listening(Lowest())]
    sit(players, spec(2))
    for player in players:
        kinds = [message["type"] for message in player.messages if message["type"] != "turn"]
        assert kinds == ["hello", "deal", "deal_over", "deal", "deal_over", "match_over"]


def test_hello_spells_out_the_rules_and_the_clock() -> None:
    player = Listening(Lowest())
    sit([good(), player], spec(2, commitment="c0ffee"))
    hello = player.of("hello")[0]
    assert hello["protocol"] == 1
    assert RuleSet.from_dict(hello["rules"]) == PODKIDNOY
    assert (hello["seat"], hello["seats"], hello["deals"]) == (1, 2, 2)
    assert hello["clock"] == {"startup_ms": 20_000, "move_ms": 5_000, "bank_ms": 5_000, "fault_limit": 3}
    assert hello["commitment"] == "c0ffee"


def test_a_turn_carries_the_whole_visible_state_and_every_legal_move() -> None:
    players = [Listening(Chance(1)), Listening(Chance(2)), Listening(Chance(3))]
    outcome = sit(players, spec(1, 3))
    state = DealRecord.parse(outcome.deals[0].record).deal()
    asked = {message["turn"]: message for player in players for message in player.of("turn")}
    for number, move in enumerate(DealRecord.parse(outcome.deals[0].record).moves, 1):
        legal = [str(option) for option in state.legal_moves()]
        if number in asked:
            message = asked[number]
            view = state.view(message["seat"])
            for field in ("hand", "table", "attacker", "defender", "talon", "hand_sizes", "discarded", "trump"):
                assert message[field] == view[field]
            texts = [text_of(offered) for offered in message["legal"]]
            assert texts == legal
            assert len(legal) > 1
            assert message["clock"]["move_ms"] == 5_000
        else:
            assert len(legal) == 1
        state.play(move)


def text_of(offered: dict[str, Any]) -> str:
    cards = "".join(offered.get("cards", []))
    if offered["move"] in ("take", "pass"):
        return str(offered["move"])
    target = offered["target"] + ":" if "target" in offered else ""
    return offered["move"][0] + target + cards


def test_the_events_told_to_a_seat_are_its_filter_over_the_one_log() -> None:
    players = [Listening(Chance(4)), Listening(Chance(5)), Listening(Chance(6))]
    outcome = sit(players, spec(1, 3))
    for seat, player in enumerate(players):
        told = [event for message in player.messages for event in message.get("events", [])]
        assert told == [json.loads(json.dumps(event.seen_by(seat))) for event in outcome.deals[0].events]


def test_what_a_seat_is_told_does_not_depend_on_the_hidden_cards() -> None:
    """Before the reveal no card is named to a seat that it has not seen."""
    players = [Listening(Chance(7)), Listening(Chance(8))]
    sit(players, spec(3))
    for player in players:
        seen: set[str] = set()
        for message in player.messages:
            if message["type"] == "deal":
                seen = set()
            if message["type"] not in ("deal", "turn"):
                continue
            for event in message["events"]:
                seen |= set(event.get("cards", []))
            seen |= set(message["hand"])
            text = json.dumps({k: v for k, v in message.items() if k != "events"})
            named = {f"{rank}{suit}" for rank in "6789TJQKA" for suit in "SHDC" if f'"{rank}{suit}"' in text}
            assert named <= seen


def test_a_deal_over_reveals_the_hands_and_the_seed() -> None:
    player = Listening(Lowest())
    outcome = sit([player, good()], spec(2))
    for played, over in zip(outcome.deals, player.of("deal_over"), strict=True):
        assert bytes.fromhex(over["seed"]) == played.spec.seed
        assert over["durak"] == next(iter(played.result.duraks), None)
        assert over["reason"] == played.result.reason
        assert over["fault"] is None
        assert [len(hand) for hand in over["hands"]] == list(played.result.cards_left)


def test_match_over_counts_the_lost_deals() -> None:
    player = Listening(Lowest())
    outcome = sit([player, good()], spec(4))
    duraks = [durak for played in outcome.deals for durak in played.result.duraks]
    assert player.of("match_over") == [{"type": "match_over", "deals": 4, "duraks": [duraks.count(0), duraks.count(1)]}]


def test_live_events_are_the_recorded_ones_in_order() -> None:
    live: list[tuple[int, Event]] = []
    outcome = sit([good(), good()], spec(2), on_event=lambda deal, event: live.append((deal, event)))
    assert live == [(played.spec.index, event) for played in outcome.deals for event in played.events]


def test_every_asked_decision_is_timed() -> None:
    outcome = sit([good(), good()], spec(1))
    decisions = outcome.deals[0].decisions
    assert decisions
    assert all(decision.ms >= 0 for decision in decisions)
    assert [d.turn for d in decisions] == sorted({d.turn for d in decisions})
    assert max(d.turn for d in decisions) <= len(DealRecord.parse(outcome.deals[0].record).moves)


def test_the_same_sitting_played_twice_gives_the_same_records() -> None:
    records = [[played.record for played in sit([good(), good(), good()], spec(3, 3)).deals] for _ in range(2)]
    assert records[0] == records[1]


def test_a_forced_move_takes_as_long_as_a_chosen_one() -> None:
    """R4.8: others cannot tell a forced pass by its time."""
    naps: list[float] = []
    clock = FakeClock(step=0.004)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("bots_sdk.referee.table.time.sleep", naps.append)
        outcome = sit([good(), good()], spec(2, mask_forced=True), clock=clock)
    moves = sum(len(DealRecord.parse(played.record).moves) for played in outcome.deals)
    asked = sum(len(played.decisions) for played in outcome.deals)
    taken = {decision.ms / 1000 for played in outcome.deals for decision in played.decisions}
    assert moves - asked - 2 <= len(naps) <= moves - asked
    assert naps
    assert set(naps) <= taken


def slow(clock: HandClock) -> InProcessPlayer:
    """A bot that takes an eighth of a second over every decision."""

    def answer(message: dict[str, Any]) -> bytes:
        clock.now += 0.125
        return json.dumps({"type": "move", "turn": message["turn"], **message["legal"][0]}).encode()

    return going_wrong(answer)


def naps_of(players: list[Player], clock: HandClock, sitting: SittingSpec) -> tuple[list[float], SittingOutcome]:
    """The waits for forced moves, in seconds, and what came of the sitting."""
    naps: list[float] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("bots_sdk.referee.table.time.sleep", naps.append)
        return naps, sit(players, sitting, clock=clock)


def test_a_forced_move_of_a_quick_bot_is_not_betrayed_by_its_slow_opponents_times() -> None:
    clock = HandClock()
    naps, outcome = naps_of([good(), slow(clock)], clock, spec(2, mask_forced=True))
    waits = iter(naps)
    decided: set[int] = set()
    masked: set[int] = set()
    for seat, forced in moves_of(outcome):
        if not forced:
            decided.add(seat)
        elif seat in decided:
            masked.add(seat)
            assert next(waits) == seat * 0.125
        elif decided:
            next(waits)
    assert masked == {0, 1}
    assert list(waits) == []


def test_a_forced_move_before_the_seats_first_own_decision_takes_as_long_as_one_of_the_others() -> None:
    clock = HandClock()
    sitting = SittingSpec(PODKIDNOY, 2, (DealSpec(0, 0, seed_whose_first_defender_must_take()),), PATIENT)
    naps, outcome = naps_of([slow(clock), good()], clock, sitting)
    moves = list(moves_of(outcome))
    assert moves[:2] == [(0, False), (1, True)]
    assert len(naps) == sum(forced for _, forced in moves)
    assert naps[0] == 0.125


def seed_whose_first_defender_must_take() -> bytes:
    """A deal in which seat 0 leads, and seat 1 cannot beat the first of its legal moves."""
    for number in range(1_000):
        seed = number.to_bytes(16, "big")
        state = deal(PODKIDNOY, 2, seed)
        state.play(state.legal_moves()[0])
        if state.seat_to_move == 1 and len(state.legal_moves()) == 1:
            return seed
    raise AssertionError("no such deal")


def moves_of(outcome: SittingOutcome) -> Iterator[tuple[int, bool]]:
    """Of every move of a sitting, in order: who made it, and whether it was the only one."""
    for played in outcome.deals:
        parsed = DealRecord.parse(played.record)
        for state, _ in zip(parsed.states(), parsed.moves, strict=False):
            seat = state.seat_to_move
            assert seat is not None
            yield seat, len(state.legal_moves()) == 1


class FakeClock:
    """Every look at it finds `step` seconds gone."""

    def __init__(self, step: float) -> None:
        self._now, self._step = 0.0, step

    def __call__(self) -> float:
        self._now += self._step
        return self._now


def test_a_bot_in_javascript_without_the_sdk_plays_a_match() -> None:
    node = shutil.which("node")
    assert node is not None, "install nodejs"
    players: list[Player] = [
        SubprocessPlayer([node, "bot.js"], cwd=BOTS / "js"),
        SubprocessPlayer([node, "bot.js"], cwd=BOTS / "js"),
        good(),
        good(),
    ]
    outcome = sit(players, spec(3, 4))
    assert outcome.faults == ()
    assert [exit_report.code for exit_report in outcome.exits[:2] if exit_report] == [0, 0]
    assert len(outcome.deals) == 3


def test_a_bot_in_plain_python_without_the_sdk_plays_a_match() -> None:
    outcome = sit([program(HONEST.replace("WHEN", "10**9")) for _ in range(3)], spec(3, 3))
    assert outcome.faults == ()
    assert all(exit_report is not None and exit_report.code == 0 for exit_report in outcome.exits)


def test_many_tables_play_at_once_without_touching_one_another() -> None:
    def table(number: int) -> list[str]:
        players = [program(HONEST.replace("WHEN", "10**9")) for _ in range(2)]
        outcome = sit(players, spec(2, time_control=TimeControl(60_000, 30_000, 0), commitment=str(number)))
        assert outcome.faults == ()
        return [played.record for played in outcome.deals]

    with ThreadPoolExecutor(8) as pool:
        records = list(pool.map(table, range(8)))
    assert all(other == records[0] for other in records)


def test_noise_before_ready_and_blank_lines_are_tolerated() -> None:
    noisy = (
        HONEST.replace(
            'say({"type": "ready"})',
            'print("loading...\\n\\n{broken json\\n" + "x" * 70000); say({"type": "ready"})',
        )
        .replace("WHEN", "10**9")
        .replace("    reply(message)\n", "    print('\\n\\n'); reply(message)\n", 1)
    )
    outcome = sit([program(noisy), good()], spec(2))
    assert outcome.faults == ()


def test_a_slow_reader_is_tolerated_within_its_time() -> None:
    slow = HONEST.replace("for line in sys.stdin:", "for line in sys.stdin:\n    time.sleep(0.02)")
    outcome = sit([program(slow.replace("WHEN", "10**9")), good()], spec(1))
    assert outcome.faults == ()


class Broken(InProcessPlayer):
    """The host fails at the n-th prompt."""

    def __init__(self, after: int) -> None:
        super().__init__(Loop(Lowest()).answer)
        self._left = after
        self.stopped = False

    def receive(self, deadline: float, max_line: int = 65_536) -> bytes:
        self._left -= 1
        if self._left < 0:
            raise HostFault("the daemon is gone")
        return super().receive(deadline, max_line)

    def stop(self, deadline: float | None = None) -> Any:
        self.stopped = True
        return super().stop(deadline)


@pytest.mark.parametrize("after", [0, 1, 5])
def test_a_failure_of_the_host_voids_the_sitting_and_stops_everyone(after: int) -> None:
    """Case 15: a worker's own failure was stored as a bot's loss."""
    players = [Broken(10**6), Broken(after), Broken(10**6)]
    with pytest.raises(HostFault, match="daemon is gone"):
        sit(players, spec(2, 3))
    assert all(player.stopped for player in players)


def test_players_started_before_one_that_cannot_be_are_stopped() -> None:
    started: list[Broken] = []

    def start() -> Broken:
        if len(started) == 2:
            raise HostFault("no more memory")
        started.append(Broken(0))
        return started[-1]

    with pytest.raises(HostFault, match="no more memory"):
        start_players([start] * 3)
    assert [player.stopped for player in started] == [True, True]


def test_everyone_is_stopped_even_if_stopping_one_fails() -> None:
    class Unstoppable(Broken):
        def stop(self, deadline: float | None = None) -> Any:
            super().stop(deadline)
            raise HostFault("cannot remove the container")

    players = [Unstoppable(10**6), Broken(10**6)]
    with pytest.raises(HostFault, match="cannot remove"):
        sit(players, spec(1))
    assert all(player.stopped for player in players)


def test_the_wrong_number_of_players_is_refused_and_none_is_left_running() -> None:
    players = [Broken(0) for _ in range(3)]
    with pytest.raises(ValueError, match="3 players for 2 seats"):
        sit(players, spec(1, 2))
    assert all(player.stopped for player in players)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda: SittingSpec(PODKIDNOY, 2, ()), "at least one deal"),
        (lambda: spec(1, fault_limit=0), "fault_limit is 0"),
        (lambda: spec(1, faults_before=(0, 0, 0)), "names 3 seats"),
        (lambda: TimeControl(move_ms=-1), "move_ms is -1"),
        (lambda: TimeControl(move_ms=0, bank_ms=0), "needs time to decide"),
        (lambda: TimeControl(startup_ms=0), "needs time to start"),
    ],
)
def test_a_sitting_that_makes_no_sense_is_refused(change: Callable[[], object], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        change()


def test_a_player_may_be_anything_that_satisfies_the_interface() -> None:
    """A person in a browser is just a player: here, one who answers through a queue."""

    class Remote:
        def __init__(self) -> None:
            self.inner = good()

        def send(self, line: bytes, deadline: float) -> None:
            self.inner.send(line, deadline)

        def receive(self, deadline: float, max_line: int = 65_536) -> bytes:
            return self.inner.receive(deadline, max_line)

        def stray(self) -> bytes | None:
            return None

        def stop(self, deadline: float | None = None) -> Any:
            return self.inner.stop(deadline)

    remote: Player = Remote()
    assert play_sitting(spec(1), [remote, good()]).faults == ()


def test_a_deal_is_the_one_that_anyone_deals_from_its_seed() -> None:
    player = Listening(Lowest())
    outcome = sit([player, good()], spec(1, time_control=PATIENT))
    state = deal(PODKIDNOY, 2, outcome.deals[0].spec.seed)
    assert player.of("deal")[0]["hand"] == state.view(0)["hand"]
    assert player.of("deal")[0]["first"] == state.deal_info.first
