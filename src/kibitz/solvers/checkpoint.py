"""Solvers on disk, so that a run that is killed goes on from its last checkpoint, bit for bit."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np

from kibitz.errors import KibitzError
from kibitz.solvers.base import Solver


class CheckpointError(KibitzError):
    """A checkpoint that cannot be written, read, or does not belong to this run."""


def save_checkpoint(path: Path, solver: Solver, problem: dict[str, Any], seconds: float = 0.0) -> None:
    """Write the solver's memory to `path`, whole or not at all.

    problem   what is being solved
    seconds   spent on it so far
    """
    beside = path.with_name(path.name + ".partial")
    header = json.dumps(
        {"problem": problem, "solver": solver.parameters(), "iteration": solver.iteration, "seconds": seconds}
    )
    try:
        with beside.open("wb") as file:
            np.savez(file, header=np.array(header), **solver.arrays())  # type: ignore[arg-type]
        beside.replace(path)
    except OSError as error:
        beside.unlink(missing_ok=True)
        raise CheckpointError(f"the checkpoint {path} cannot be written: {error.strerror or error}") from None


def load_checkpoint(path: Path, solver: Solver, problem: dict[str, Any]) -> float:
    """Give `solver` the memory saved in `path`, and return the seconds spent until then.

    One of another problem or another algorithm is refused.
    """
    try:
        with np.load(path) as file:
            header = json.loads(str(file["header"]))
            arrays = {name: file[name] for name in file.files if name != "header"}
            described = {what: dict(header[what]) for what in ("problem", "solver")}
            iteration, seconds = int(header["iteration"]), float(header.get("seconds", 0.0))
    except FileNotFoundError:
        raise CheckpointError(f"there is no checkpoint {path}") from None
    except (OSError, ValueError, KeyError, TypeError, AttributeError, BadZipFile, EOFError) as error:
        raise CheckpointError(f"the checkpoint {path} cannot be read: {error}") from None
    for what, saved, now in (
        ("problem", described["problem"], json.loads(json.dumps(problem))),
        ("solver", described["solver"], json.loads(json.dumps(solver.parameters()))),
    ):
        for key in {**now, **saved}:
            if saved.get(key) != now.get(key):
                raise CheckpointError(f"{path}: its {what} has {key} = {saved.get(key)!r}, here it is {now.get(key)!r}")
    for name, array in solver.arrays().items():
        if name not in arrays or arrays[name].shape != array.shape:
            raise CheckpointError(f"{path}: the array {name!r} is missing or of another size")
        if not np.isfinite(arrays[name]).all():
            raise CheckpointError(f"{path}: the array {name!r} holds what is no number")
    solver.restore(iteration, arrays)
    return seconds
