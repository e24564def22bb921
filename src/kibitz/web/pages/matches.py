"""Matches: start a match or tournament, watch it, stop it and resume it."""

from __future__ import annotations

from urllib.parse import quote

from markupsafe import Markup
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from kibitz.arena.weights import MOST_MATCHES
from kibitz.games.named import MOST_PLAYERS
from kibitz.web.choices import agents_inside, built_in_agents, game_choices
from kibitz.web.matches import begin, list_series, resume, stop
from kibitz.web.render import folder_of, jobs_of, page, sent_form
from kibitz.web.security import visitor_of
from kibitz.web.watching import Asked, Watching


def watching_of(request: Request) -> Watching:
    """The series that viewers look at."""
    state = request.app.state
    if not hasattr(state, "watching"):
        state.watching = Watching(folder_of(request))
    watching: Watching = state.watching
    return watching


def show(request: Request) -> Response:
    """The form, and the series of the folder."""
    folder = folder_of(request)
    return page(
        request, "matches.html", games=game_choices(), agents=built_in_agents(), inside=agents_inside(folder),
        most_players=MOST_PLAYERS, series=list_series(folder, jobs_of(request)),
    )  # fmt: skip


def start(request: Request) -> Response:
    """Start what the form asks for, then watch it."""
    return _to(begin(folder_of(request), jobs_of(request), sent_form(request), visitor_of(request)))


def watch(request: Request) -> Response:
    """The page of a series, which a script keeps up to date."""
    name, asked = _asked(request)
    answer = watching_of(request).get(name).look(jobs_of(request), asked)
    return page(request, "match.html", name=name, asked=asked, most_matches=MOST_MATCHES, part=Markup(answer.html))


async def live(request: Request) -> Response:
    """A series as it stands, as JSON, the same bytes for all viewers; 304 for one that has it already."""
    name, asked = _asked(request)
    watched = watching_of(request).get(name)
    answer = watched.kept(asked)
    if answer is None:
        answer = await run_in_threadpool(watched.look, jobs_of(request), asked)
    headers = {"ETag": answer.tag, "Cache-Control": "no-cache"}
    if request.headers.get("if-none-match") == answer.tag:
        return Response(status_code=304, headers=headers)
    return Response(answer.body, media_type="application/json", headers=headers)


def end(request: Request) -> Response:
    """Stop the worker of a series."""
    name = sent_form(request).get("name", [""])[0]
    stop(folder_of(request), jobs_of(request), name, visitor_of(request))
    return _to(name)


def go_on(request: Request) -> Response:
    """Resume a series."""
    name = sent_form(request).get("name", [""])[0]
    resume(folder_of(request), jobs_of(request), name)
    return _to(name)


def _asked(request: Request) -> tuple[str, Asked]:
    query = request.query_params
    return query.get("name", ""), Asked(query.get("table", "")[:80], query.get("match", "")[:8])


def _to(name: str) -> Response:
    return RedirectResponse(f"/matches/open?name={quote(name)}", 303)


ROUTES = [
    Route("/matches", show),
    Route("/matches/start", start, methods=["POST"]),
    Route("/matches/open", watch),
    Route("/matches/live", live),
    Route("/matches/stop", end, methods=["POST"]),
    Route("/matches/resume", go_on, methods=["POST"]),
]
