"""Live events of matches over Redis pub/sub: what a spectator may see, and nothing that could be lost.

Event types, all JSON objects with ``type`` and ``match``:

- ``started`` (attempt), ``requeued`` (reason): an attempt began, or was given up and the match waits again;
- ``progress`` (deals_done, deals_total);
- ``table`` (deal, meta, frames): a whole bout as a spectator sees it, in the form of `ReplayData`; the first frame is
  complete. Only the first rotation of a deck is shown: who has seen it would know the hands in the others;
- ``deal`` (deal, duraks, ended, deals_done, deals_total): a deal is over; ``duraks`` are participant indexes;
- ``finished``, ``abandoned``, ``cancelled``: the end; nothing follows.
"""

from __future__ import annotations

import json
import logging
import os
from collections.abc import AsyncIterator
from functools import lru_cache
from typing import Any

import redis
import redis.asyncio
from asgiref.sync import sync_to_async
from django.conf import settings
from django.db import close_old_connections

from arena.matches.models import Match

log = logging.getLogger(__name__)

TERMINAL = frozenset({"finished", "abandoned", "cancelled"})


def channel(match_id: int) -> str:
    """The name of a match's channel."""
    return f"arena:match:{match_id}"


def publish(match_id: int, *events: dict[str, Any]) -> None:
    """Tell whoever watches. Never raises for a Redis that is gone: live events are a convenience."""
    try:
        pipeline = _client(os.getpid()).pipeline(transaction=False)
        for event in events:
            pipeline.publish(channel(match_id), json.dumps({"match": match_id} | event, separators=(",", ":")))
        pipeline.execute()
    except redis.RedisError as error:
        log.warning("A live event of match %s was not sent: %s", match_id, error)


async def subscribe(match_id: int) -> AsyncIterator[dict[str, Any]]:
    """The match's events from now on, after one that says how it stands; ends with the match.

    The subscription is made before the match is read, so that its end cannot be missed in between.
    """
    client = redis.asyncio.Redis.from_url(settings.REDIS_URL)
    try:
        async with client.pubsub(ignore_subscribe_messages=True) as listener:
            await listener.subscribe(channel(match_id))
            standing = await sync_to_async(_standing)(match_id)
            yield standing
            if standing["type"] in TERMINAL:
                return
            async for message in listener.listen():
                event = json.loads(message["data"])
                yield event
                if event["type"] in TERMINAL:
                    return
    finally:
        await client.aclose()


def _standing(match_id: int) -> dict[str, Any]:
    from arena.matches.selectors import match_progress

    match = Match.objects.defer("seed").get(pk=match_id)
    done, total = match_progress(match)
    # Whoever watches needs the database no more, and many may watch for long.
    close_old_connections()
    kind = match.state if match.state in TERMINAL else "progress"
    return {"match": match_id, "type": kind, "deals_done": done, "deals_total": total}


@lru_cache(maxsize=2)
def _client(_pid: int) -> redis.Redis:
    return redis.Redis.from_url(settings.REDIS_URL, socket_timeout=2, socket_connect_timeout=2)
