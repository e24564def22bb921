"""Jobs: what runs, how far it is, what has finished in this folder."""

from __future__ import annotations

from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from kibitz.web.jobs import Job
from kibitz.web.render import answer_json, fragment, jobs_of, page
from kibitz.web.security import check_owner, may_see

# Task -> the page of its work, and what that page is asked for.
PLACES = {
    "carry-out": ("/make/open", ("name",)),
    "solve-spot": ("/spot/open", ("name",)),
    "reproduce": ("/papers/table", ("paper", "table")),
    "evaluate-log": ("/logs/players", ("name",)),
}
SERIES = ("match", "tournament")  # plans
KEEPING = ("carry-out", "reproduce")  # tasks that go on where they were stopped; the others begin anew


def place_of(job: Job) -> str:
    """The address at which the work of a job is seen; empty where there is none, as of a spot that is not solved."""
    if job.task == "carry-out" and job.arguments.get("plan") in SERIES:  # which can be watched
        return f"/matches/open?{urlencode({'name': job.arguments['name']})}"
    page_of, names = PLACES.get(job.task, ("", ()))
    known = job.result or {} if job.task in ("solve-spot", "carry-out") else job.arguments
    if not page_of or not known.keys() >= set(names):
        return ""
    return f"{page_of}?{urlencode({name: known[name] for name in names})}"


def show(request: Request) -> Response:
    """The list, which a script keeps up to date."""
    return page(request, "jobs.html", jobs=_listed(request), keeping=KEEPING)


def listing(request: Request) -> Response:
    """The list alone."""
    jobs = _listed(request)
    running = any(job.state == "running" for job, _place in jobs)
    return answer_json({"html": fragment("_jobs.html", jobs=jobs, keeping=KEEPING), "running": running})


def _listed(request: Request) -> list[tuple[Job, str]]:
    return [(job, place_of(job)) for job in own_jobs(request)]


def own_jobs(request: Request, *tasks: str) -> list[Job]:
    """The jobs that whoever asks may see, all or those of `tasks`, the newest first."""
    return [job for job in jobs_of(request).list(*tasks) if may_see(request, job.owner)]


def _job(request: Request) -> Job:
    job = jobs_of(request).get(request.path_params["job"])
    check_owner(request, job.owner, f"job {job.id!r}")
    return job


def one(request: Request) -> Response:
    """One job as JSON: state, percent, progress, result."""
    return answer_json(_job(request).to_dict())


def cancel(request: Request) -> Response:
    """Cancel a job."""
    jobs_of(request).cancel(_job(request).id)
    return RedirectResponse("/jobs", 303)


def resume(request: Request) -> Response:
    """Start a job again that has stopped."""
    jobs_of(request).resume(_job(request).id)
    return RedirectResponse("/jobs", 303)


def remove(request: Request) -> Response:
    """Remove a job and its result."""
    jobs_of(request).remove(_job(request).id)
    return RedirectResponse("/jobs", 303)


ROUTES = [
    Route("/jobs", show),
    Route("/jobs/list", listing),
    Route("/jobs/{job}", one),
    Route("/jobs/{job}/cancel", cancel, methods=["POST"]),
    Route("/jobs/{job}/resume", resume, methods=["POST"]),
    Route("/jobs/{job}/remove", remove, methods=["POST"]),
]
