"""A task that only counts, slowly: what tests of jobs run."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from kibitz.errors import KibitzError
from kibitz.web.tasks import Report


def run(folder: Path, arguments: dict[str, Any], report: Report) -> dict[str, Any]:
    """Count to `to`, one step every `seconds`; refuse to count to a number below zero."""
    to, seconds = int(arguments["to"]), float(arguments.get("seconds", 0))
    if to < 0:
        raise KibitzError(f"{to} is below zero")
    for done in range(to):
        report(done, to, last=done)
        time.sleep(seconds)
    return {"counted": to}
