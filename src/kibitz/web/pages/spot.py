"""Spot: set up a flop, turn or river, solve it as a job, and browse the solution."""

from __future__ import annotations

import json
import math
import secrets
import time
from collections.abc import Callable
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from kibitz.cards import format_cards
from kibitz.errors import KibitzError
from kibitz.spots.document import document
from kibitz.spots.grid import class_names
from kibitz.web.pages.jobs import own_jobs
from kibitz.web.render import answer_json, download, folder_of, fragment, jobs_of, page, sent_json
from kibitz.web.security import visitor_of
from kibitz.web.spots import (
    STREETS,
    decision_view,
    list_spots,
    look,
    open_spot,
    range_view,
    read_setup,
    size_view,
    spot_summary,
)

TASK = "solve-spot"
DECK = [[format_cards((4 * rank + suit,)) for rank in range(12, -1, -1)] for suit in (3, 2, 1, 0)]
EXAMPLE = {
    "board": "Qs Jh 2h 8d 3c",
    "oop": "22+,A2s+,K9s+,QTs+,JTs,T9s,98s,87s,76s,65s,ATo+,KJo+,QJo",
    "ip": "22-JJ,A2s-AQs,KTs+,Q9s+,J9s+,T9s,98s,87s,76s,ATo-AQo,KJo+,QJo,JTo",
    "sizes": "0.5, 1, all-in",
}


def show(request: Request) -> Response:
    """The form, what is being solved, and what has been."""
    running = [job for job in own_jobs(request, TASK) if job.state == "running"]
    answer = page(
        request, "spot.html", spots=list_spots(folder_of(request)), running=running, names=class_names(), deck=DECK,
        example=EXAMPLE, streets=STREETS,
    )  # fmt: skip
    del answer.headers["Cache-Control"]  # Back is to find the form as it was filled in
    return answer


def read_range(request: Request) -> Response:
    """A range as text and as cells, after edits of cells."""
    sent = sent_json(request)
    text, edits = sent.get("text", ""), sent.get("edits", [])
    if not isinstance(text, str) or not isinstance(edits, list) or len(text) > 50_000 or len(edits) > 400:
        raise KibitzError("a range is a text, with a list of edits")
    asked = [_edit(each) for each in edits]
    return _told(lambda: range_view(text, asked))


def _edit(given: Any) -> tuple[str, float]:
    known = {name for line in class_names() for name in line}
    if not isinstance(given, list) or len(given) != 2 or given[0] not in known:
        raise KibitzError("an edit is a class such as AKs, with its weight")
    if not isinstance(given[1], int | float) or not 0 <= given[1] <= 1:
        raise KibitzError(f"{given[0]}: a weight is a number from 0 to 1")
    return str(given[0]), float(given[1])


def measure(request: Request) -> Response:
    """How large the spot of the form is."""
    sent = sent_json(request)
    return _told(lambda: size_view(read_setup(sent).spot))


def _told(view: Callable[[], dict[str, Any]]) -> Response:
    """What is found; a form that is not filled in yet is no failure, and is told what it lacks."""
    try:
        return answer_json(view())
    except KibitzError as error:
        return answer_json({"error": str(error)})


def solve(request: Request) -> Response:
    """Start solving the spot of the form."""
    sent = {key: value for key, value in sent_json(request).items() if isinstance(value, str)}
    spot = read_setup(sent).spot
    size = size_view(spot)
    if not size["fits"]:
        raise KibitzError(f"it needs {size['memory']} and there are {size['free']}: take fewer sizes or hands")
    board = format_cards(spot.board)
    name = f"{board}-{time.strftime('%Y%m%d-%H%M%S')}-{secrets.token_hex(2)}"
    title = f"Spot {board}, pot {spot.pot}"
    return answer_json({"job": jobs_of(request).start(TASK, title, {**sent, "name": name}, visitor_of(request))})


def browse(request: Request) -> Response:
    """A solved spot at one decision: a page, or with `part` the decision alone as JSON."""
    asked = {name: request.query_params.get(name, "") for name in ("name", "at", "dealt", "cell")}
    solver, curve = open_spot(folder_of(request), asked["name"])
    context: dict[str, Any] = {
        "asked": asked,
        "view": decision_view(solver, asked["at"], asked["dealt"], asked["cell"]),
    }
    if request.query_params.get("part"):
        return answer_json({"html": fragment("_spot_node.html", **context)})
    return page(request, "spot_solved.html", summary=spot_summary(solver, curve), **context)


def export(request: Request) -> Response:
    """The document that `kibitz solve-spot --json` prints."""
    name, at, dealt = (request.query_params.get(each, "") for each in ("name", "at", "dealt"))
    solver, curve = open_spot(folder_of(request), name)
    text = json.dumps(_finite(document(solver, curve[-1], look(solver, at, dealt))), allow_nan=False)
    return download(text, "spot.json", "application/json")


def _finite(value: Any) -> Any:
    """A document with null for what is not a number."""
    if isinstance(value, dict):
        return {key: _finite(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(each) for each in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


ROUTES = [
    Route("/spot", show),
    Route("/spot/range", read_range, methods=["POST"]),
    Route("/spot/size", measure, methods=["POST"]),
    Route("/spot/solve", solve, methods=["POST"]),
    Route("/spot/open", browse),
    Route("/spot/export", export),
]
