"""A running match as server-sent events."""

from __future__ import annotations

import asyncio
import json
from contextlib import aclosing
from typing import TYPE_CHECKING

from asgiref.sync import sync_to_async
from django.http import HttpResponse, StreamingHttpResponse

from arena.errors import NotFound
from arena.matches import live as bus
from arena.matches.selectors import match_get
from arena.web.views.errors import error_page

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from django.http import HttpRequest

# Under the idle time-outs of common proxies; it also finds out who has gone.
KEEP_ALIVE_S = 15
LONGEST_S = 30 * 60


class Streams:
    """How many streams this process holds open; pages that get none look again every few seconds instead."""

    most = 500
    open = 0


async def live(request: HttpRequest, match_id: int) -> HttpResponse:
    """Stream a match until it has ended: ``table`` for a bout to draw, ``progress``, and at last one ``ended``.

    On the latter two the page fetches itself anew.
    """
    try:
        match = await sync_to_async(match_get)(match_id)
    except NotFound as error:
        return await sync_to_async(error_page)(request, 404, error.message)
    if Streams.open >= Streams.most:
        return HttpResponse("Too many are watching; the page renews itself without this stream.", status=503)
    response = StreamingHttpResponse(
        _events(match_id, ended=match.state in bus.TERMINAL), content_type="text/event-stream"
    )
    response["Cache-Control"] = "no-store"
    response["X-Accel-Buffering"] = "no"
    return response


async def _events(match_id: int, *, ended: bool) -> AsyncIterator[bytes]:
    if ended:
        yield _event("ended", {})
        return
    Streams.open += 1
    try:
        async with aclosing(_follow(match_id)) as events:
            async for event in events:
                yield event
    finally:
        Streams.open -= 1


async def _follow(match_id: int) -> AsyncIterator[bytes]:
    yield b"retry: 3000\n\n"
    deadline = asyncio.get_running_loop().time() + LONGEST_S
    async with aclosing(bus.subscribe(match_id)) as messages:
        waiting = asyncio.ensure_future(anext(messages, None))
        try:
            while asyncio.get_running_loop().time() < deadline:
                done, _ = await asyncio.wait({waiting}, timeout=KEEP_ALIVE_S)
                if not done:
                    yield b": still here\n\n"
                    continue
                message = waiting.result()
                if message is None or message["type"] in bus.TERMINAL:
                    yield _event("ended", message or {})
                    return
                yield _event("table" if message["type"] == "table" else "progress", message)
                waiting = asyncio.ensure_future(anext(messages, None))
        finally:
            waiting.cancel()
            await asyncio.gather(waiting, return_exceptions=True)


def _event(name: str, data: dict) -> bytes:
    return f"event: {name}\ndata: {json.dumps(data)}\n\n".encode()
