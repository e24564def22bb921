"""Jobs: long work in processes of its own, which outlives a reload and whose result stays in the folder.

A job is a folder `.kibitz-web/jobs/ID` with `job.json` (task, title, arguments, owner), `progress.json`, and in the end
`result.json` or `error.json`. Workers end with their server; what it had begun and not finished is `interrupted`, and
can be started again. Several servers of a folder see the jobs of each other by the locks that workers hold.
"""

from __future__ import annotations

import json
import os
import secrets
import shutil
import subprocess
import sys
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path
from threading import Lock
from typing import Any

from kibitz.errors import KibitzError
from kibitz.files import is_locked, read_json, write_text
from kibitz.web.folder import OWN, is_there
from kibitz.web.refusals import MissingError
from kibitz.web.tasks import TASKS

MOST_RUNNING = 4
SECONDS_TO_LEAVE = 3.0  # of a process that has been asked to end


@dataclass(frozen=True)
class Job:
    """What is known of a job.

    owner     the visitor who started it; empty for what is everybody's
    state     running, finished, failed, cancelled or interrupted
    progress  done, total and facts, as the task reported them last; empty before the first report
    result    of a finished job
    """

    id: str
    task: str
    title: str
    arguments: dict[str, Any]
    started: float
    owner: str
    state: str
    progress: dict[str, Any] = field(default_factory=dict)
    result: dict[str, Any] | None = None
    error: str = ""

    @property
    def percent(self) -> int:
        """How much of it is done."""
        if self.state == "finished":
            return 100
        total = self.progress.get("total") or 0
        return int(100 * min(1.0, self.progress.get("done", 0) / total)) if total else 0

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self) | {"percent": self.percent}


class Jobs:
    """The jobs of a folder; those that this server has started end with it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder.resolve()
        self._home = self._folder / OWN / "jobs"
        self._running: dict[str, subprocess.Popen[bytes]] = {}
        self._lock = Lock()

    def start(self, task: str, title: str, arguments: dict[str, Any], owner: str = "") -> str:
        """Start a worker for a visitor and give the job's id; KibitzError where enough of them run."""
        if task not in TASKS:
            raise KibitzError(f"{task!r} is no task; there are {', '.join(TASKS)}")
        job_id = f"{time.strftime('%Y%m%d-%H%M%S')}-{secrets.token_hex(3)}"
        document = {"task": task, "title": title, "arguments": arguments, "started": time.time(), "owner": owner}
        with self._lock:
            self._check_room()
            write_text(self._home / job_id / "job.json", json.dumps(document))
            self._work(job_id)
        return job_id

    def resume(self, job_id: str) -> None:
        """Start the worker of a job that has not finished again; it goes on where its task keeps what was done."""
        with self._lock:
            if (state := self.get(job_id).state) in ("running", "finished"):
                raise KibitzError(f"job {job_id} is {state}: only one that has stopped without a result can go on")
            self._check_room()
            (self._place(job_id) / "error.json").unlink(missing_ok=True)
            self._work(job_id)

    def _check_room(self) -> None:
        if sum(job.state == "running" for job in self.list()) >= MOST_RUNNING:
            raise KibitzError(f"{MOST_RUNNING} jobs are running: cancel one, or wait until one has finished")

    def _work(self, job_id: str) -> None:
        place = self._home / job_id
        with (place / "output.txt").open("wb") as output:
            self._running[job_id] = subprocess.Popen(
                [sys.executable, "-m", "kibitz.web.worker", str(self._folder), str(place)],
                stdin=subprocess.PIPE, stdout=output, stderr=output, start_new_session=True,
                cwd=self._folder, env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            )  # fmt: skip

    def get(self, job_id: str) -> Job:
        """The job as it stands; KibitzError for an id that nobody has given."""
        place = self._place(job_id)
        document = _read(place / "job.json") or {}
        if not {"task", "title", "arguments", "started"} <= document.keys():
            raise KibitzError(f"job {job_id}: its job.json cannot be read")
        worker = self._running.get(job_id)
        running = worker is not None and worker.poll() is None  # asked first: what it leaves, it leaves before it ends
        found = {name: _read(place / f"{name}.json") for name in ("result", "error", "progress")}
        state = "running" if running else "interrupted"
        if found["error"] is not None:
            state = found["error"].get("state", "failed")
        elif found["result"] is not None:
            state = "finished"
        elif worker is not None and not running:
            state, found["error"] = "failed", {"error": f"its process ended ({worker.returncode}) without a result"}
        elif worker is None and is_locked(place):
            state = "running"  # of another server
        return Job(
            job_id, document["task"], document["title"], document["arguments"], document["started"],
            str(document.get("owner", "")), state, found["progress"] or {}, found["result"],
            (found["error"] or {}).get("error", ""),
        )  # fmt: skip

    def list(self, *tasks: str) -> list[Job]:
        """All jobs of the folder, or those of `tasks`, the newest first; folders that are no jobs are left out."""
        jobs = []
        for place in sorted(self._home.glob("*/job.json"), reverse=True):
            try:
                job = self.get(place.parent.name)
            except KibitzError:
                continue
            if not tasks or job.task in tasks:
                jobs.append(job)
        return jobs

    def cancel(self, job_id: str) -> None:
        """End a job that runs; one that has ended stays what it is."""
        place, worker = self._place(job_id), self._running.get(job_id)
        if worker is None and is_locked(place):
            raise KibitzError(f"job {job_id} is run by another server of this folder: cancel it there")
        if worker is None or worker.poll() is not None:
            return
        _end(worker)
        if _read(place / "result.json") is None:
            document = {"error": "it was cancelled", "state": "cancelled"}
            write_text(place / "error.json", json.dumps(document))

    def remove(self, job_id: str) -> None:
        """Cancel a job and remove what it has left."""
        self.cancel(job_id)
        self._running.pop(job_id, None)
        shutil.rmtree(self._place(job_id))

    def close(self) -> None:
        """End all workers."""
        for worker in self._running.values():
            _end(worker)

    def _place(self, job_id: str) -> Path:
        place = self._home / job_id
        if not job_id.replace("-", "").isalnum() or not is_there(place / "job.json"):
            raise MissingError(f"there is no job {job_id!r}")
        return place


def _end(worker: subprocess.Popen[bytes]) -> None:
    """Ask a process to end, and end it where it does not."""
    worker.terminate()  # nothing happens where it has ended
    try:
        worker.wait(SECONDS_TO_LEAVE)
    except subprocess.TimeoutExpired:
        worker.kill()
        worker.wait()
    if worker.stdin is not None:
        worker.stdin.close()


def _read(path: Path) -> dict[str, Any] | None:
    """A document of a job; None where there is none, or none that can be read."""
    try:
        document = read_json(path)
    except (OSError, ValueError):
        return None
    return document if isinstance(document, dict) else None
