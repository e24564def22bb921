"""Plans that visitors have begun: a job carries each out, in a folder of its own."""

from __future__ import annotations

import secrets
import time
from pathlib import Path

from kibitz.plans import Plan
from kibitz.web.jobs import Job, Jobs
from kibitz.web.refusals import told

TASK = "carry-out"


def begin(folder: Path, jobs: Jobs, plan: Plan, sent: dict[str, list[str]], visitor: str, home: str) -> str:
    """Start the job of a `plan` that a form has `sent`, and give the name of the folder that it will fill.

    home   beginning of that name
    """
    name = f"{home}-{time.strftime('%Y%m%d-%H%M%S')}-{secrets.token_hex(2)}"
    title = told(folder, plan.command().removeprefix("kibitz "))
    jobs.start(TASK, title, {"plan": plan.kind, "sent": sent, "name": name}, visitor)
    return name


def begun(jobs: Jobs) -> dict[str, Job]:
    """The jobs that carry out plans, by the name of their folder."""
    return {str(job.arguments.get("name")): job for job in reversed(jobs.list(TASK))}
