"""A match's progress as server-sent events."""

from __future__ import annotations

import asyncio

import pytest
from asgiref.sync import async_to_sync, sync_to_async
from django.test import AsyncClient, Client

from arena.matches import live as bus
from arena.matches.services import match_cancel
from arena.web.views.live import Streams
from tests.arena.factories import match_make
from tests.arena.web.factories import bots, person, played_match


@pytest.mark.django_db
def test_the_stream_of_a_finished_match_ends_at_once() -> None:
    match = played_match(bots("fox", "owl"))

    async def read() -> bytes:
        answer = await AsyncClient().get(f"/matches/{match.pk}/live/")
        assert answer["Content-Type"] == "text/event-stream"
        return b"".join([part async for part in answer.streaming_content])

    assert async_to_sync(read)() == b"event: ended\ndata: {}\n\n"


@pytest.mark.django_db
def test_the_stream_of_no_match_is_not_found(client: Client) -> None:
    assert client.get("/matches/999999/live/").status_code == 404


@pytest.mark.django_db
def test_beyond_its_most_streams_a_process_opens_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    match = match_make(2)
    monkeypatch.setattr(Streams, "most", 0)

    async def ask() -> int:
        return (await AsyncClient().get(f"/matches/{match.pk}/live/")).status_code

    assert async_to_sync(ask)() == 503


@pytest.mark.django_db(transaction=True)
def test_a_stream_tells_of_bouts_and_progress_and_closes_with_the_match() -> None:
    ann = person("ann")
    match = match_make(bots("fox", owner=ann) + bots("owl"), created_by=ann)

    async def read() -> list[bytes]:
        answer = await AsyncClient().get(f"/matches/{match.pk}/live/")
        parts: list[bytes] = []
        async for part in answer.streaming_content:
            parts.append(part)
            if len(parts) == 2:  # the standing has come: the subscription stands
                await sync_to_async(bus.publish)(match.pk, {"type": "table", "deal": 0, "frames": []})
                await sync_to_async(bus.publish)(match.pk, {"type": "progress", "deals_done": 1, "deals_total": 2})
            if len(parts) == 4:
                await sync_to_async(match_cancel)(match=match, by=ann, reason="enough")
        return parts

    async def read_in_time() -> list[bytes]:
        return await asyncio.wait_for(read(), 20)

    parts = async_to_sync(read_in_time)()
    assert parts[0].startswith(b"retry:")
    assert b'"deals_done": 0' in parts[1]
    assert parts[2].startswith(b'event: table\ndata: {"match": ')
    assert b'"deals_done": 1' in parts[3]
    assert parts[-1].startswith(b"event: ended")
    assert Streams.open == 0
