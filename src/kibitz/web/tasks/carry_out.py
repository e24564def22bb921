"""Carry out a plan in a folder, going on from its checkpoint where there is one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from kibitz.plans import Means, carry_out
from kibitz.plans.checkpoints import Place
from kibitz.web.folder import inside
from kibitz.web.forms import plan_from
from kibitz.web.tasks import Report


def run(folder: Path, arguments: dict[str, Any], report: Report) -> dict[str, Any]:
    """Do what the form `sent` of the plan `plan` describes; the result names the folder and its kind."""
    plan = plan_from(folder, arguments["plan"], arguments["sent"])
    out, kind = inside(folder, arguments["name"]), ""
    facts: dict[str, Any] = {}

    def tell(stage: str, done: float, total: float | None) -> None:
        report(done, total or 0, stage=stage, **facts)

    resume = Place(out, plan.leaves == "file").checkpoint.exists()
    for each in carry_out(plan, out, resume=resume, means=Means(tell)):
        facts |= {name: value for name, value in (each.row or {}).items() if isinstance(value, int | float | str)}
        tell(each.stage or plan.kind, each.done, each.goal)
        kind = each.artefact.kind if each.artefact is not None else ""
    return {"name": arguments["name"], "kind": kind}
