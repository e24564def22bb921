"""Jobs: what runs, how far it is, what has finished in this folder."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from kibitz.web.render import answer_json, fragment, jobs_of, page


def show(request: Request) -> Response:
    """The list, which a script keeps up to date."""
    return page(request, "jobs.html", jobs=jobs_of(request).list())


def listing(request: Request) -> Response:
    """The list alone."""
    jobs = jobs_of(request).list()
    return answer_json({"html": fragment("_jobs.html", jobs=jobs), "running": any(j.state == "running" for j in jobs)})


def one(request: Request) -> Response:
    """One job as JSON: state, percent, progress, result."""
    return answer_json(jobs_of(request).get(request.path_params["job"]).to_dict())


def cancel(request: Request) -> Response:
    """Cancel a job."""
    jobs_of(request).cancel(request.path_params["job"])
    return RedirectResponse("/jobs", 303)


def remove(request: Request) -> Response:
    """Remove a job and its result."""
    jobs_of(request).remove(request.path_params["job"])
    return RedirectResponse("/jobs", 303)


ROUTES = [
    Route("/jobs", show),
    Route("/jobs/list", listing),
    Route("/jobs/{job}", one),
    Route("/jobs/{job}/cancel", cancel, methods=["POST"]),
    Route("/jobs/{job}/remove", remove, methods=["POST"]),
]
