"""Long work by name. A task is one module with `run(folder, arguments, report)` and one line here.

folder      the folder that is served
arguments   what the page has sent, checked by the page before the job starts
report      is told how far it is: report(done, total, **facts); facts are shown beside the progress
Whatever `run` returns is the result: a dictionary that JSON can hold.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

Report = Callable[..., None]
Task = Callable[[Path, dict[str, Any], Report], dict[str, Any]]

TASKS: dict[str, str] = {
    "carry-out": "kibitz.web.tasks.carry_out",
    "count": "kibitz.web.tasks.count",
    "evaluate-log": "kibitz.web.tasks.evaluate_log",
    "reproduce": "kibitz.web.tasks.reproduce",
    "solve-spot": "kibitz.web.tasks.solve_spot",
}


def load_task(name: str) -> Task:
    """The function that does the work; KeyError for a name nobody knows."""
    task: Task = import_module(TASKS[name]).run
    return task
