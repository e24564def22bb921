"""Make: a form for everything that Kibitz can make, carried out as a job; what was made, and how."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from kibitz.plans.history import history_of
from kibitz.plans.kinds import PLANS
from kibitz.web.folder import existing
from kibitz.web.forms import fields_of, plan_class, plan_from
from kibitz.web.making import begin
from kibitz.web.refusals import told
from kibitz.web.render import folder_of, jobs_of, page, sent_form
from kibitz.web.security import visitor_of

HOME = "made"


def show(request: Request) -> Response:
    """The plans, and the form of one of them."""
    kind = request.query_params.get("plan", "")
    heading, fields = "", []
    if kind:
        heading, fields = " ".join((plan_class(kind).__doc__ or "").split()), fields_of(kind, folder_of(request))
    plans = {each: _sentence(each) for each in PLANS}
    return page(request, "make.html", kind=kind, heading=heading, fields=fields, plans=plans)


def start(request: Request) -> Response:
    """Start what the form describes, and show the jobs."""
    sent, folder = sent_form(request), folder_of(request)
    kind = sent.pop("plan", [""])[0]
    plan = plan_from(folder, kind, sent)
    begin(folder, jobs_of(request), plan, sent, visitor_of(request), f"{HOME}/{kind.replace(' ', '-')}")
    return RedirectResponse("/jobs", 303)


def made(request: Request) -> Response:
    """What something is, what was measured, and how it was made, through all that it was made from."""
    folder, name = folder_of(request), request.query_params.get("name", "")
    history = history_of(existing(folder, name))
    return page(request, "made.html", name=name, kind=history.kind, text=told(folder, "\n".join(history.lines())))


def _sentence(kind: str) -> str:
    """What a plan does: the first sentence of its help."""
    return " ".join((plan_class(kind).__doc__ or "").split("\n\n")[0].split())


ROUTES = [
    Route("/make", show),
    Route("/make/start", start, methods=["POST"]),
    Route("/make/open", made),
]
