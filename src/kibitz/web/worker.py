"""A worker process: `python -m kibitz.web.worker FOLDER JOB` does the work of one job and leaves its result.

It ends with its server, which holds the other end of its standard input. As long as it works it holds the lock of the
job's folder.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path
from threading import Thread
from typing import Any

from kibitz.errors import KibitzError
from kibitz.files import locked, read_json, write_text
from kibitz.web.refusals import told
from kibitz.web.tasks import load_task

SECONDS_BETWEEN_REPORTS = 0.2


def work(folder: Path, job: Path) -> None:
    """Do what `job/job.json` says; leave `result.json` or `error.json`, and `progress.json` on the way."""
    written, last = 0.0, ""

    def report(done: float, total: float, **facts: Any) -> None:
        nonlocal written, last
        last = json.dumps({"done": done, "total": total, "facts": facts})
        if time.monotonic() - written >= SECONDS_BETWEEN_REPORTS:
            write_text(job / "progress.json", last)
            written = time.monotonic()

    try:
        document = read_json(job / "job.json")
        result = load_task(document["task"])(folder, document["arguments"], report)
        if last:  # how far it came in the end
            write_text(job / "progress.json", last)
        write_text(job / "result.json", json.dumps(result, allow_nan=False))
    except (KibitzError, OSError, MemoryError) as error:
        write_text(job / "error.json", json.dumps({"error": told(folder, error) or type(error).__name__}))
    except Exception as error:
        write_text(job / "error.json", json.dumps({"error": f"{type(error).__name__}: {error}"}))
        raise


def _end_with_server() -> None:
    os.read(sys.stdin.fileno(), 1)  # nothing is ever written: the server has closed it, or is gone
    os._exit(1)


if __name__ == "__main__":
    Thread(target=_end_with_server, daemon=True).start()
    with locked(Path(sys.argv[2])):  # first of all: a second worker of the job must not touch it
        work(Path(sys.argv[1]), Path(sys.argv[2]))
