"""Bots, ladders and results, made through the services but for the build of the bots."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Sequence

import pytest
from django.utils import timezone

from arena.accounts.models import User
from arena.bots.hosts import host_report
from arena.bots.models import Bot, BotVersion
from arena.ladders.models import Ladder, LadderMatch
from arena.ladders.services import ladder_create
from arena.matches.models import Attempt, Match
from arena.matches.queue import attempt_finish, match_claim
from arena.matches.results import PlayedDeal, PlayedMatch
from arena.matches.services import match_create
from bots_sdk.durak import RuleSet
from bots_sdk.referee import MatchPlan

ALL_PRESETS = sorted(RuleSet.presets())
Duraks = Callable[[int, tuple[int, ...]], Sequence[int]]
"""From a deal's number and its seating (participant by seat): the participants who lost it."""


class Arena:
    """A short way to say what has happened on a ladder."""

    def __init__(self) -> None:
        self.owner, _ = User.objects.get_or_create(username="owner")
        self._numbers = itertools.count(Bot.objects.count() + 1)

    def bot(self, slug: str = "", **fields) -> Bot:
        return Bot.objects.create(owner=self.owner, slug=slug or f"bot-{next(self._numbers)}", **fields)

    def version(
        self,
        bot: Bot | None = None,
        *,
        presets: Sequence[str] = ALL_PRESETS,
        seats=(2, 3, 4, 5, 6),
        language: str = "python",
    ) -> BotVersion:
        bot = bot or self.bot()
        host_report(name="test-host", languages=["python"])
        number = bot.versions.count() + 1
        return BotVersion.objects.create(
            bot=bot,
            number=number,
            sha256=f"{bot.pk:032d}{number:032d}",
            language=language,
            manifest={},
            presets=list(presets),
            seats=list(seats),
            size=1,
            state=BotVersion.State.READY,
            ready_at=timezone.now(),
            uploaded_by=self.owner,
        )

    def ladder(self, preset: str = "podkidnoy", seats: int = 2, **fields) -> Ladder:
        return ladder_create(preset=preset, seats=seats, **{"sets": 1} | fields)

    def queue(self, ladder: Ladder, versions: Sequence[BotVersion]) -> Match:
        match = match_create(kind=Match.Kind.LADDER, versions=versions, preset=ladder.preset, sets=ladder.sets)
        LadderMatch.objects.create(match=match, ladder=ladder)
        return match

    def claim(self, match: Match) -> Attempt:
        """Claim this match, whatever else is queued."""
        Match.objects.filter(pk=match.pk).update(priority=99)
        attempt = match_claim(worker="w")
        assert attempt is not None
        assert attempt.match_id == match.pk
        return attempt

    def finish(
        self, match: Match, duraks: Callable[[int, tuple[int, ...]], Sequence[int]], excluded=frozenset()
    ) -> Match:
        """Play a match: `duraks(deal, seating)` gives the participants who lost the deal."""
        attempt_finish(attempt=self.claim(match), played=played(match, duraks, excluded))
        match.refresh_from_db()
        return match

    def play(self, ladder: Ladder, versions: Sequence[BotVersion], *losers: int, excluded=frozenset()) -> Match:
        """Queue and finish a match; `losers` are participants by deal, in turn; -1 is a draw."""
        cycle = itertools.cycle(losers)

        def duraks(_deal: int, _seating: tuple[int, ...]) -> list[int]:
            loser = next(cycle)
            return [] if loser < 0 else [loser]

        return self.finish(self.queue(ladder, versions), duraks, excluded)

    def play_random(self, ladder: Ladder, versions: Sequence[BotVersion], seed: int) -> Match:
        return self.finish(self.queue(ladder, versions), random_duraks(ladder, seed))


def random_duraks(ladder: Ladder, seed: int) -> Duraks:
    """A draw one time in ten, else some seat's whole team."""
    rules, rng = RuleSet.preset(ladder.preset), random.Random(seed)

    def duraks(_deal: int, seating: tuple[int, ...]) -> list[int]:
        if rng.random() < 0.1:
            return []
        team = rules.team_of(rng.randrange(len(seating)))
        return [index for seat, index in enumerate(seating) if rules.team_of(seat) == team]

    return duraks


def played(match: Match, duraks: Duraks, excluded=frozenset()) -> PlayedMatch:
    """The result of a match with the plan's own seating and records that nobody reads."""
    plan = MatchPlan.build(RuleSet.from_dict(match.rules), match.seats, match.sets, bytes(match.seed))
    deals = [
        PlayedDeal(
            index=deal.index,
            set_index=deal.set_index,
            sitting=number,
            seating=sitting.order,
            record="",
            duraks=tuple(duraks(deal.index, sitting.order)),
            ended="last_holder",
            moves=1,
        )
        for number, sitting in enumerate(plan.sittings)
        for deal in sitting.deals
    ]
    return PlayedMatch(deals=sorted(deals, key=lambda deal: deal.index), excluded=frozenset(excluded))


@pytest.fixture
def arena(db: None) -> Arena:
    return Arena()
