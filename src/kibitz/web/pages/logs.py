"""Logs: open a hand history, search its hands, replay them, and see how its players play and what they win."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from kibitz.errors import KibitzError
from kibitz.io.listing import MOST_HANDS, Listing
from kibitz.web.folder import existing
from kibitz.web.logs import (
    PAGE,
    ROUNDS,
    list_logs,
    open_log,
    owner_of,
    read_search,
    rows,
    style_table,
    title_of,
    upload,
)
from kibitz.web.pages.jobs import own_jobs
from kibitz.web.refusals import MissingError, told
from kibitz.web.render import answer_json, folder_of, fragment, jobs_of, page, sent_bytes, sent_form
from kibitz.web.replaying import replay
from kibitz.web.security import check_owner, visitor_of

TASK = "evaluate-log"
_READERS = ThreadPoolExecutor(2, "logs")
FIELDS = ("name", "player", "outcome", "showdown", "reached", "least", "most", "order")


def show(request: Request) -> Response:
    """The hand histories of the folder."""
    return page(request, "logs.html", logs=list_logs(folder_of(request), visitor_of(request)))


def take(request: Request) -> Response:
    """Keep the file that was sent as the body, named by `?name=`; answers the name it got."""
    name = upload(folder_of(request), request.query_params.get("name", ""), sent_bytes(request), visitor_of(request))
    return answer_json({"name": name})


def browse(request: Request) -> Response:
    """The hands of a log that fit the search, a page at a time."""
    asked = _asked(request)
    listing = _log(request, asked["name"])
    numbers = listing.find(read_search(asked))
    pages = max(1, -(-len(numbers) // PAGE))
    at = min(max(_number(request.query_params.get("page", "1")), 1), pages)
    here = numbers[(at - 1) * PAGE : at * PAGE]
    return page(
        request, "log.html", asked=asked, query=_query(asked), listing=listing, found=len(numbers), last=pages, at=at,
        first=(at - 1) * PAGE, hands=rows(listing, here, asked["player"]), rounds=ROUNDS, most_hands=MOST_HANDS,
        notes=_shown(request, [*listing.refused, *listing.notes]), tab="hands",
    )  # fmt: skip


def hand(request: Request) -> Response:
    """One hand after some of its actions: a page, or with `part` the table alone as JSON."""
    asked = _asked(request)
    listing = _log(request, asked["name"])
    numbers = listing.find(read_search(asked))
    number = _number(request.query_params.get("hand", "0"))
    if not 0 <= number < len(listing.hands):
        raise MissingError(f"hand {number}: the log has {len(listing.hands)}")
    view = replay(listing.hands[number], _number(request.query_params.get("step", "0")), asked["player"])
    place = numbers.index(number) if number in numbers else -1
    context: dict[str, Any] = {
        "view": view,
        "link": f"/logs/hand?{_query(asked)}&hand={number}",
        "before": numbers[place - 1] if place > 0 else None,
        "after": numbers[place + 1] if 0 <= place < len(numbers) - 1 else None,
        "query": _query(asked),
    }
    if request.query_params.get("part"):
        return answer_json({"html": fragment("_hand.html", **context), "step": view["step"], "last": view["last"]})
    return page(request, "hand.html", asked=asked, record=listing.hands[number].record, number=number, **context)


def players(request: Request) -> Response:
    """How the players play, and what they win, raw and luck-adjusted."""
    asked, folder = _asked(request), folder_of(request)
    listing = _log(request, asked["name"])
    stamp = existing(folder, asked["name"]).stat().st_mtime_ns
    jobs = [
        job
        for job in own_jobs(request, TASK)
        if (job.arguments.get("name"), job.arguments.get("stamp")) == (asked["name"], stamp)
    ]
    return page(
        request, "log_players.html", asked=asked, query=_query(asked), listing=listing, tab="players",
        styles=style_table(folder, asked["name"]), job=jobs[0] if jobs else None,
    )  # fmt: skip


def evaluate(request: Request) -> Response:
    """Start the estimate of the win rates."""
    name = sent_form(request).get("name", [""])[0]
    _log(request, name)
    stamp = existing(folder_of(request), name).stat().st_mtime_ns
    jobs_of(request).start(TASK, f"Win rates of {title_of(name)}", {"name": name, "stamp": stamp}, visitor_of(request))
    return RedirectResponse(f"/logs/players?{urlencode({'name': name})}", 303)


def _log(request: Request, name: str) -> Listing:
    """The hands of a log that whoever asks may see."""
    folder = folder_of(request)
    check_owner(request, owner_of(folder, name), f"{name!r} in the folder that is served")
    return open_log(folder, name)


def _asked(request: Request) -> dict[str, str]:
    asked = {field: request.query_params.get(field, "")[:300] for field in FIELDS}
    return asked | {"title": title_of(asked["name"])}


def _query(asked: dict[str, str]) -> str:
    return urlencode({field: asked[field] for field in FIELDS if asked[field]})


def _number(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= 9):
        raise KibitzError(f"{text!r} is no number")
    return int(text)


def _shown(request: Request, notes: list[str]) -> list[str]:
    """What readers had to say, without the place of the folder on this machine."""
    return [told(folder_of(request), note) for note in notes]


def _apart(answer: Callable[[Request], Response]) -> Callable[[Request], Awaitable[Response]]:
    """The same in one of the threads that read files: long ones wait for each other, and keep no other page waiting."""

    async def answer_apart(request: Request) -> Response:
        return await asyncio.get_running_loop().run_in_executor(_READERS, answer, request)

    return answer_apart


ROUTES = [
    Route("/logs", _apart(show)),
    Route("/logs/upload", _apart(take), methods=["POST"]),
    Route("/logs/open", _apart(browse)),
    Route("/logs/hand", _apart(hand)),
    Route("/logs/players", _apart(players)),
    Route("/logs/evaluate", _apart(evaluate), methods=["POST"]),
]
