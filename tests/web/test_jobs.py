"""Jobs end with their server, however it ends; count for all servers of a folder; and can be started again."""

import signal
import subprocess
import sys
import time

import pytest

from kibitz.errors import KibitzError
from kibitz.web import jobs as module
from kibitz.web.jobs import Jobs

SERVER = """
import sys, time
from pathlib import Path
from kibitz.web.jobs import Jobs
jobs = Jobs(Path(sys.argv[1]))
print(jobs.start("count", "Count", {"to": 600, "seconds": 0.1}), flush=True)
time.sleep(60)
"""


def until(ready, seconds=60):
    for _ in range(seconds * 50):
        if ready():
            return
        time.sleep(0.02)
    raise AssertionError("it took too long")


@pytest.fixture
def server(tmp_path):
    """Another server of the folder, and the job that it has begun."""
    with subprocess.Popen([sys.executable, "-c", SERVER, str(tmp_path)], stdout=subprocess.PIPE, text=True) as process:
        job = process.stdout.readline().strip()
        jobs = Jobs(tmp_path)
        until(lambda: jobs.get(job).progress)
        yield process, jobs, job
        process.kill()


def test_a_job_ends_with_a_server_that_is_killed_and_is_started_again(server, monkeypatch):
    process, jobs, job = server
    process.send_signal(signal.SIGKILL)
    until(lambda: jobs.get(job).state == "interrupted")
    before = jobs.get(job).progress["done"]
    time.sleep(0.3)
    assert jobs.get(job).progress["done"] == before  # nothing works on
    jobs.resume(job)
    assert jobs.get(job).state == "running"
    with pytest.raises(KibitzError, match="is running"):
        jobs.resume(job)
    jobs.cancel(job)
    assert jobs.get(job).state == "cancelled"
    jobs.resume(job)
    assert jobs.get(job).state == "running"
    jobs.close()
    assert jobs.get(job).state != "running"


def test_a_job_of_another_server_is_running_and_counts(server, monkeypatch):
    _process, jobs, job = server
    assert jobs.get(job).state == "running"
    monkeypatch.setattr(module, "MOST_RUNNING", 1)
    with pytest.raises(KibitzError, match="1 jobs are running"):
        jobs.start("count", "Count", {"to": 1})
    for change in (jobs.cancel, jobs.remove):
        with pytest.raises(KibitzError, match="by another server"):
            change(job)
    with pytest.raises(KibitzError, match="is running"):
        jobs.resume(job)
