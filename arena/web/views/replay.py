"""One deal, card by card."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from django.http import HttpResponse, JsonResponse
from django.shortcuts import render

from arena.matches.replays import ALL, SPECTATOR, deal_replay, perspective_parse
from arena.matches.selectors import deal_get, match_get

if TYPE_CHECKING:
    from django.http import HttpRequest

    from arena.matches.replays import ReplayData

LAST = "last"


def replay(request: HttpRequest, match_id: int, index: int) -> HttpResponse:
    """The table, with the moves in words for those without JavaScript and for jumping to."""
    match = match_get(match_id)
    seat = perspective_parse(request.GET.get("seat", ""), match.seats)
    film = deal_replay(match, index, seat)
    context = {
        "match": match,
        "ladder": match.ladder_match.ladder if hasattr(match, "ladder_match") else None,
        "meta": film.meta,
        "index": index,
        "moves": _moves(film),
        "step": _step(request.GET.get("step", ""), len(film.frames) - 1),
        "last": len(film.frames) - 1,
        "end": film.frames[-1]["text"],
        "perspectives": _perspectives(film.meta),
        "query": urlencode({"seat": film.meta["perspective"]}),
        "previous": index - 1 if index else None,
        "next": index + 1 if index + 1 < match.deals_total else None,
    }
    return render(request, "web/replay.html", context)


def _step(text: str, last: int) -> int:
    """The step asked for, kept within the deal: an old link still opens it."""
    if text == LAST or (_is_number(text) and len(text) > 9):
        return last
    return min(int(text), last) if _is_number(text) else 0


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit()


def _moves(film: ReplayData) -> list[dict[str, Any]]:
    """The lines of the move list: the frame's number, its text, its kind, and its bout where a bout begins."""
    bout, marked, lines = None, None, []
    for number, frame in enumerate(film.frames):
        bout = frame.get("bout", bout)
        begins = "move" in frame and bout != marked
        marked = bout if begins else marked
        lines.append({"step": number, "text": frame["text"], "kind": frame["kind"], "bout": bout if begins else None})
    return lines


def _perspectives(meta: dict[str, Any]) -> list[tuple[str, str]]:
    seats = [(str(seat), f"{name}, seat {seat + 1}") for seat, name in enumerate(meta["names"])]
    return [(ALL, "all cards open"), *seats, (SPECTATOR, "a spectator")]


def replay_json(request: HttpRequest, match_id: int, index: int) -> JsonResponse:
    """The frames as one seat saw them: ``ReplayData.to_dict()``."""
    match = match_get(match_id)
    seat = perspective_parse(request.GET.get("seat", ""), match.seats)
    response = JsonResponse(deal_replay(match, index, seat).to_dict(), json_dumps_params={"separators": (",", ":")})
    response["Cache-Control"] = "private, max-age=3600"
    return response


def record(request: HttpRequest, match_id: int, index: int) -> HttpResponse:  # noqa: ARG001
    """The deal's record, which ``durak replay`` plays again."""
    deal = deal_get(match_get(match_id), index)
    response = HttpResponse(deal.record, content_type="text/plain; charset=utf-8")
    response["Content-Disposition"] = f'inline; filename="match-{match_id}-deal-{index}.txt"'
    return response
