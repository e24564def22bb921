"""Solvers on disk, so that a run that is killed goes on from its last checkpoint, bit for bit."""

from __future__ import annotations

import json
from math import inf
from pathlib import Path
from typing import Any

import numpy as np

from kibitz.errors import KibitzError
from kibitz.files import load_arrays, parse_json, shown, taking_place
from kibitz.solvers.base import Solver

MOST_ITERATIONS = 2**53


class CheckpointError(KibitzError):
    """A checkpoint that cannot be written, read, or does not belong to this run."""


def save_checkpoint(path: Path, solver: Solver, problem: dict[str, Any], seconds: float = 0.0) -> None:
    """Write the solver's memory to `path`, whole or not at all.

    problem   what is being solved
    seconds   spent on it so far
    """
    header = json.dumps(
        {"problem": problem, "solver": solver.parameters(), "iteration": solver.iteration, "seconds": seconds}
    )
    try:
        with taking_place(path) as beside, beside.open("wb") as file:
            np.savez(file, header=np.array(header), **solver.arrays())  # type: ignore[arg-type]
    except OSError as error:
        raise CheckpointError(f"the checkpoint {path} cannot be written: {error.strerror or error}") from None


def load_checkpoint(path: Path, solver: Solver, problem: dict[str, Any]) -> float:
    """Give `solver` the memory saved in `path`, and return the seconds spent until then.

    One of another problem or another algorithm is refused.
    """
    try:
        arrays = load_arrays(path)
        header = parse_json(str(arrays.pop("header")))
        described = {what: dict(header[what]) for what in ("problem", "solver")}
        iteration, seconds = _check_counts(header["iteration"], header.get("seconds", 0.0))
    except FileNotFoundError:
        raise CheckpointError(f"there is no checkpoint {path}") from None
    except (OSError, ValueError) as error:
        raise CheckpointError(f"the checkpoint {path} cannot be read: {error}") from None
    except (KeyError, TypeError, AttributeError) as error:
        raise CheckpointError(f"the checkpoint {path} cannot be read: its header lacks {error}") from None
    for what, saved, now in (
        ("problem", described["problem"], json.loads(json.dumps(problem))),
        ("solver", described["solver"], json.loads(json.dumps(solver.parameters()))),
    ):
        for key in {**now, **saved}:
            if saved.get(key) != now.get(key):
                theirs, ours = shown(saved.get(key)), shown(now.get(key))
                raise CheckpointError(f"{path}: its {what} has {key[:80]} = {theirs}, here it is {ours}")
    for name, array in solver.arrays().items():
        if name not in arrays or arrays[name].shape != array.shape or arrays[name].dtype != array.dtype:
            raise CheckpointError(f"{path}: the array {name!r} is missing, or of another size or type")
        if not np.isfinite(arrays[name]).all():
            raise CheckpointError(f"{path}: the array {name!r} contains values that are not numbers")
    solver.restore(iteration, arrays)
    return seconds


def _check_counts(iteration: Any, seconds: Any) -> tuple[int, float]:
    """Both as they are, where a run can have come so far in so long."""
    if type(iteration) is not int or not 0 <= iteration <= MOST_ITERATIONS:
        raise ValueError(f"{shown(iteration)} iterations: a number from 0 to 2^53 belongs there")
    if type(seconds) not in (int, float) or not 0 <= seconds < inf:
        raise ValueError(f"{shown(seconds)} seconds: a number that is not negative belongs there")
    return iteration, float(seconds)
