"""Papers: published tables computed again, cell by cell, with their verdicts."""

from __future__ import annotations

from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from kibitz.errors import KibitzError
from kibitz.web.jobs import Job
from kibitz.web.pages.jobs import own_jobs
from kibitz.web.papers import MARKS, PRESETS, find_table, list_papers, picture_of, table_view
from kibitz.web.render import folder_of, jobs_of, page, sent_form
from kibitz.web.security import visitor_of

TASK = "reproduce"
PICTURE_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; sandbox"  # of the SVG alone: it is a document of its own
)


def show(request: Request) -> Response:
    """The papers, their tables, and the verdicts of those that have been computed in the folder."""
    running = {(job.arguments["paper"], job.arguments["table"]) for job in _jobs(request) if job.state == "running"}
    return page(request, "papers.html", papers=list_papers(folder_of(request)), running=running)


def table(request: Request) -> Response:
    """One table."""
    paper, name = (request.query_params.get(each, "") for each in ("paper", "table"))
    view = table_view(folder_of(request), paper, name)
    jobs = [job for job in _jobs(request) if (job.arguments["paper"], job.arguments["table"]) == (paper, name)]
    return page(request, "paper.html", view=view, job=jobs[0] if jobs else None, presets=PRESETS, marks=MARKS)


def picture(request: Request) -> Response:
    """The figure of a table as an image; whatever a file holds, no script in it can run."""
    paper, name = (request.query_params.get(each, "") for each in ("paper", "table"))
    text = picture_of(folder_of(request), paper, name)
    return Response(text, media_type="image/svg+xml", headers={"Content-Security-Policy": PICTURE_POLICY})


def start(request: Request) -> Response:
    """Compute a table at a preset."""
    form = sent_form(request)
    paper, name, preset = (form.get(each, [""])[0] for each in ("paper", "table", "preset"))
    if preset not in PRESETS:
        raise KibitzError(f"no preset {preset!r}: there are {', '.join(PRESETS)}")
    find_table(paper, name)
    arguments = {"paper": paper, "table": name, "preset": preset}
    jobs_of(request).start(TASK, f"{name} of {paper}, {preset}", arguments, visitor_of(request))
    return RedirectResponse(f"/papers/table?{urlencode({'paper': paper, 'table': name})}", 303)


def _jobs(request: Request) -> list[Job]:
    return [job for job in own_jobs(request, TASK) if job.arguments.keys() >= {"paper", "table"}]


ROUTES = [
    Route("/papers", show),
    Route("/papers/table", table),
    Route("/papers/picture", picture),
    Route("/papers/start", start, methods=["POST"]),
]
