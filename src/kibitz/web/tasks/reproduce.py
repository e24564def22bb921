"""Compute a published table again and leave it in the folder, as `kibitz reproduce --out` does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from kibitz.experiments import find_experiments
from kibitz.experiments.published import Effort
from kibitz.experiments.results import folder_files, run_table
from kibitz.files import locked, write_text
from kibitz.web.folder import inside
from kibitz.web.papers import HOME
from kibitz.web.tasks import Report


def run(folder: Path, arguments: dict[str, Any], report: Report) -> dict[str, Any]:
    """Compute `table` of `paper` at the effort `preset`; work that takes long is kept, and gone on with."""
    paper, table = arguments["paper"], arguments["table"]
    experiment = find_experiments(paper, (table,))[table]
    place = inside(folder, f"{HOME}/{paper}-{table}")

    def tell(stage: str, done: float, total: float) -> None:
        report(done, total, stage=stage)

    with locked(place):
        effort = Effort(arguments["preset"], folder=place / "work" / paper, tell=tell)
        reproduction = run_table(paper, table, experiment, effort)
        for name, text in folder_files([reproduction], place).items():
            write_text(place / name, text)
    return {"paper": paper, "table": table, "counts": reproduction.counts}
