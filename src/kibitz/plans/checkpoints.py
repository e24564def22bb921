"""The checkpoint of a run: all it is, and its curve, in one file that is there whole or not at all."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from kibitz.errors import KibitzError
from kibitz.files import load_arrays, parse_json, shown, taking_place
from kibitz.plans.plan import Array, Row, Run

MOST_DONE = 2**53


class CheckpointError(KibitzError):
    """A checkpoint that cannot be written, read, or does not belong to this run."""


class Checkpoint(NamedTuple):
    """What is in one.

    identity   of the plan
    done       how much of it
    arrays     by name
    """

    identity: dict[str, Any]
    done: int
    curve: list[Row]
    arrays: Mapping[str, Array]


def save_checkpoint(path: Path, identity: Mapping[str, Any], run: Run, curve: list[Row]) -> None:
    """Write the memory of `run` and its curve to `path`."""
    header = json.dumps({"plan": identity, "done": run.done, "curve": curve}, allow_nan=False)
    try:
        with taking_place(path) as beside, beside.open("wb") as file:
            np.savez(file, header=np.array(header), **run.arrays())  # type: ignore[arg-type]
    except OSError as error:
        raise CheckpointError(f"the checkpoint {path} cannot be written: {error.strerror or error}") from None


def read_checkpoint(path: Path, *only: str) -> Checkpoint:
    """What is in the checkpoint `path`, with all its arrays, or those that are named."""
    try:
        arrays = load_arrays(path, ("header", *only) if only else ())
        header = parse_json(str(arrays.pop("header")))
        identity, done, curve = dict(header["plan"]), header["done"], list[Row](map(dict, header["curve"]))
    except (OSError, ValueError) as error:
        raise CheckpointError(f"the checkpoint {path} cannot be read: {error}") from None
    except (KeyError, TypeError, AttributeError) as error:
        raise CheckpointError(f"the checkpoint {path} cannot be read: its header lacks {error}") from None
    if type(done) is not int or not 0 <= done <= MOST_DONE:
        raise CheckpointError(
            f"the checkpoint {path} says {shown(done)} is done: a number from 0 to 2^53 belongs there"
        )
    return Checkpoint(identity, done, curve, arrays)


def load_checkpoint(path: Path, identity: Mapping[str, Any], run: Run) -> list[Row]:
    """Give `run` the memory saved in `path`, and return the curve until then. One of another plan is refused."""
    theirs, done, curve, arrays = read_checkpoint(path)
    _check_same(path, theirs, json.loads(json.dumps(identity)))
    for name, array in run.arrays().items():
        found = arrays.get(name)
        if found is None or found.dtype != array.dtype or (array.size and found.shape != array.shape):
            raise CheckpointError(f"{path}: the array {name!r} is missing, or of another size or type")
        if not np.isfinite(found).all():
            raise CheckpointError(f"{path}: the array {name!r} contains values that are not numbers")
    run.restore(done, arrays)
    return curve


def _check_same(path: Path, theirs: dict[str, Any], ours: dict[str, Any]) -> None:
    """Refuse a checkpoint of another plan, naming the first setting that differs."""
    for key in {**ours, **theirs}:
        if theirs.get(key) != ours.get(key):
            raise CheckpointError(
                f"{path}: its run has {key[:80]} = {shown(theirs.get(key))}, this plan has {shown(ours.get(key))}: "
                "continue it with its own settings, or choose another folder"
            )
