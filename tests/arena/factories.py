"""People, bots, versions and finished matches for the tests, made through the services, without a sandbox."""

from __future__ import annotations

import io
import random
import zipfile
from itertools import count
from typing import Any

from django.db.models.functions import Now

from arena.accounts.models import User
from arena.bots import services as bots
from arena.bots.hosts import host_report
from arena.bots.models import Bot, BotVersion
from arena.matches.models import Attempt, Match
from arena.matches.queue import attempt_finish, match_claim
from arena.matches.results import Ending, PlayedDeal, PlayedMatch
from arena.matches.services import match_create
from bots_sdk.durak import DealRecord, RuleSet
from bots_sdk.referee import MatchPlan

numbers = count(1)

RANDOM_BOT = """\
import json
import random
import sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "ready"}), flush=True)
    elif message["type"] == "turn":
        move = random.choice(message["legal"])
        print(json.dumps({"type": "move", "turn": message["turn"], **move}), flush=True)
"""


def user_make(username: str = "", **fields: Any) -> User:
    """A person, who can sign in only if a ``password`` is given (hashing takes its time)."""
    return User.objects.create_user(username or f"person{next(numbers)}", **fields)


def bot_make(slug: str = "", owner: User | None = None) -> Bot:
    return bots.bot_create(owner=owner or user_make(), slug=slug or f"bot-{next(numbers)}")


def bot_zip(
    source: str = RANDOM_BOT,
    *,
    name: str = "tested",
    language: str = "python",
    entry: str = "bot.py",
    presets: tuple[str, ...] = ("podkidnoy",),
    seats: tuple[int, ...] = (2, 3, 4),
    extra: dict[str, str] | None = None,
) -> bytes:
    """A zip of a bot with that source."""
    manifest = (
        f'name = "{name}"\nlanguage = "{language}"\nentry = "{entry}"\n'
        f"presets = {list(presets)!r}\nseats = {list(seats)!r}\n".replace("'", '"')
    )
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for path, text in {"durak.toml": manifest, entry: source, **(extra or {})}.items():
            archive.writestr(path, text)
    return buffer.getvalue()


def host_make(**fields: Any) -> None:
    """A live host that can run Python, so that uploads are taken."""
    host_report(**{"name": "test-host", "backend": "bubblewrap", "languages": ["python"]} | fields)


def version_make(bot: Bot | None = None, *, ready: bool = True, **manifest: Any) -> BotVersion:
    """An uploaded version; ``ready`` skips its build and its validation match."""
    bot = bot or bot_make()
    host_make()
    source = f"# {next(numbers)}\n{RANDOM_BOT}"
    version, _ = bots.version_upload(bot=bot, by=bot.owner, data=bot_zip(source, name=bot.slug, **manifest))
    if ready:
        BotVersion.objects.filter(pk=version.pk).update(state=BotVersion.State.READY, ready_at=Now())
        version.refresh_from_db()
    return version


def match_make(versions: list[BotVersion] | int = 2, **fields: Any) -> Match:
    """A queued match; a number makes so many versions."""
    if isinstance(versions, int):
        versions = [version_make() for _ in range(versions)]
    return match_create(**{"kind": Match.Kind.CHALLENGE, "versions": versions, "preset": "podkidnoy"} | fields)


def play_at_random(match: Match, *, chance: int = 0) -> PlayedMatch:
    """The match as random players would have played it in this process: real deals, real records."""
    rng = random.Random(chance)
    plan = MatchPlan.build(
        RuleSet.from_dict(match.rules), match.seats, match.sets, bytes(match.seed), orders=match.orders
    )
    deals = []
    for number, sitting in enumerate(plan.sittings):
        for spec in sitting.deals:
            record = DealRecord(plan.rules, spec.seed, match.seats, spec.dealer)
            state, moves = record.deal(), []
            while not state.is_over:
                move = rng.choice(state.legal_moves())
                state.play(move)
                moves.append(move)
            text = DealRecord(plan.rules, spec.seed, match.seats, spec.dealer, tuple(moves), state.result).to_text()
            deals.append(
                PlayedDeal(
                    index=spec.index,
                    set_index=spec.set_index,
                    sitting=number,
                    seating=sitting.order,
                    record=text,
                    duraks=tuple(sitting.order[seat] for seat in state.result.duraks),
                    ended=state.result.reason,
                    moves=len(moves),
                )
            )
    return PlayedMatch(deals=deals)


def match_claim_it(match: Match, worker: str = "test/1") -> Attempt:
    """Claim this match, whatever else is queued."""
    others = list(Match.objects.filter(state="queued").exclude(pk=match.pk).values_list("pk", "priority"))
    Match.objects.filter(pk=match.pk).update(priority=1000)
    attempt = match_claim(worker=worker)
    assert attempt is not None
    assert attempt.match_id == match.pk, others
    return attempt


def match_finish(match: Match, *, chance: int = 0) -> Ending:
    """Claim the match, play it at random and save the result."""
    ending = attempt_finish(attempt=match_claim_it(match), played=play_at_random(match, chance=chance))
    match.refresh_from_db()
    return ending


def match_finished(versions: list[BotVersion] | int = 2, *, chance: int = 0, **fields: Any) -> Match:
    """A finished match."""
    match = match_make(versions, **fields)
    match_finish(match, chance=chance)
    return match
