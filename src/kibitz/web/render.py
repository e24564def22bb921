"""Answers: pages from templates with every name escaped, JSON, and what a request has sent.

Scripts and styles come from files under `/static` only: the policy of `security` lets neither a `<script>` with text
nor a `style` attribute take effect. Colours of single cells are SVG attributes or classes.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from kibitz.errors import KibitzError

if TYPE_CHECKING:
    from kibitz.web.jobs import Jobs


@cache
def templates() -> Environment:
    """The templates of the package; autoescape is on for all of them, and a name that is not given is an error."""
    return Environment(
        loader=PackageLoader("kibitz.web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def load_templates() -> None:
    """Compile all templates: each takes milliseconds, which the first to see a page would wait for."""
    for name in templates().list_templates():
        templates().get_template(name)


def page(request: Request, template: str, status: int = 200, **context: Any) -> HTMLResponse:
    """A page from `templates/TEMPLATE`, which extends `base.html`; `context` are its names."""
    from kibitz.web.pages import PAGES

    here = request.url.path.split("/")[1]
    text = templates().get_template(template).render(pages=PAGES, here=here, folder=folder_of(request).name, **context)
    return HTMLResponse(text, status, {"Cache-Control": "no-store"})  # Back shows what has changed meanwhile


def fragment(template: str, **context: Any) -> str:
    """A part of a page as text, for an answer in JSON that a script puts in its place."""
    return templates().get_template(template).render(**context)


def answer_json(document: Any, status: int = 200) -> Response:
    """JSON, in which numbers that are no numbers are an error."""
    text = json.dumps(document, allow_nan=False, separators=(",", ":"))
    return Response(text, status, media_type="application/json", headers={"Cache-Control": "no-store"})


def download(text: str, name: str, kind: str = "text/plain; charset=utf-8") -> Response:
    """A text as a file to be saved; `name` is made of letters, digits, dots and dashes."""
    return Response(text, media_type=kind, headers={"Content-Disposition": f'attachment; filename="{name}"'})


def folder_of(request: Request) -> Path:
    """The folder that is served."""
    folder: Path = request.app.state.folder
    return folder


def jobs_of(request: Request) -> Jobs:
    """The work that runs or ran in the folder."""
    jobs: Jobs = request.app.state.jobs
    return jobs


def sent_form(request: Request) -> dict[str, list[str]]:
    """The fields of a form, each with all its values; KibitzError for what is no form."""
    try:
        return parse_qs(sent_bytes(request).decode(), keep_blank_values=True, max_num_fields=1_000)
    except ValueError:
        raise KibitzError("what was sent is not a form in UTF-8") from None


def sent_json(request: Request) -> dict[str, Any]:
    """An object in JSON; KibitzError for anything else."""
    try:
        document = json.loads(sent_bytes(request))
    except (ValueError, RecursionError):
        raise KibitzError("what was sent is not JSON") from None
    if not isinstance(document, dict):
        raise KibitzError("what was sent is not an object in JSON")
    return document


def sent_bytes(request: Request) -> bytes:
    """The body of a request, which the gate has read."""
    body: bytes = getattr(request.state, "body", b"")
    return body
