"""A worker process: `python -m kibitz.web.worker FOLDER JOB` does the work of one job and leaves its result."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

from kibitz.errors import KibitzError
from kibitz.files import read_json, write_text
from kibitz.web.tasks import load_task

SECONDS_BETWEEN_REPORTS = 0.2


def work(folder: Path, job: Path) -> None:
    """Do what `job/job.json` says; leave `result.json` or `error.json`, and `progress.json` on the way."""
    told, last = 0.0, ""

    def report(done: float, total: float, **facts: Any) -> None:
        nonlocal told, last
        last = json.dumps({"done": done, "total": total, "facts": facts})
        if time.monotonic() - told >= SECONDS_BETWEEN_REPORTS:
            write_text(job / "progress.json", last)
            told = time.monotonic()

    try:
        document = read_json(job / "job.json")
        result = load_task(document["task"])(folder, document["arguments"], report)
        if last:  # how far it came in the end
            write_text(job / "progress.json", last)
        write_text(job / "result.json", json.dumps(result, allow_nan=False))
    except (KibitzError, OSError, MemoryError) as error:
        write_text(job / "error.json", json.dumps({"error": str(error) or type(error).__name__}))
    except Exception as error:
        write_text(job / "error.json", json.dumps({"error": f"{type(error).__name__}: {error}"}))
        raise


if __name__ == "__main__":
    work(Path(sys.argv[1]), Path(sys.argv[2]))
