"""The application: pages behind the gate, static files, errors in one sentence.

>>> from pathlib import Path
>>> app = make_app(Path("."))  # doctest: +SKIP
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from importlib.resources import files
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from kibitz.errors import KibitzError
from kibitz.web.choices import agents_inside
from kibitz.web.jobs import Jobs
from kibitz.web.pages import PAGES, all_routes
from kibitz.web.refusals import told
from kibitz.web.render import answer_json, folder_of, load_templates, page
from kibitz.web.security import LOOPBACK, Gate
from kibitz.web.warming import WarmUp


def make_app(
    folder: Path, hosts: Iterable[str] | None = LOOPBACK, token: str | None = None, warm: bool = False
) -> Starlette:
    """The application that serves `folder`.

    hosts   names by which it may be called; None for any, which needs a token
    token   what visitors have to bring; None for none
    warm    whether to do in the background what would keep the first visitors waiting
    """
    jobs, warm_up = Jobs(folder), WarmUp(folder)

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        load_templates()  # before the first visitor comes, as what tells agents from other files
        agents_inside(folder)
        if warm:
            warm_up.start()
        yield
        if warm:
            warm_up.stop()
        jobs.close()

    static = StaticFiles(directory=str(files("kibitz.web") / "static"))
    app = Starlette(
        routes=[Route("/", _home), *all_routes(), Mount("/static", static, name="static")],
        middleware=[Middleware(Gate, hosts=hosts, token=token)],
        exception_handlers={KibitzError: _refuse, OSError: _refuse, HTTPException: _missing},
        lifespan=lifespan,
    )
    app.state.folder = folder
    app.state.jobs = jobs
    return app


def _home(_request: Request) -> Response:
    return RedirectResponse(f"/{next(iter(PAGES))}", 303)


def _refuse(request: Request, error: Exception) -> Response:
    """What was asked cannot be done: the error's own sentence, as JSON for scripts and as a page for people."""
    return _say(request, getattr(error, "status", 400), told(folder_of(request), error))


def _missing(request: Request, error: Exception) -> Response:
    status: Any = getattr(error, "status_code", 500)
    return _say(request, status, str(getattr(error, "detail", "") or "Something went wrong"))


def _say(request: Request, status: int, message: str) -> Response:
    if "text/html" in request.headers.get("accept", ""):
        return page(request, "error.html", status, code=status, message=message)
    return answer_json({"error": message}, status)
