"""Where a run keeps what it makes, and its checkpoint: all it is, in one file that is there whole or not at all."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from kibitz.errors import KibitzError
from kibitz.files import load_arrays, locked, parse_json, shown, taking_place
from kibitz.plans.artefacts import CHECKPOINT, MANIFEST
from kibitz.plans.plan import Array, Plan, Row, Run

CURVE = "curve.jsonl"
MOST_DONE = 2**53


class Place(NamedTuple):
    """What a plan leaves at `out`; see `Plan.leaves`."""

    out: Path
    is_file: bool = False

    @property
    def checkpoint(self) -> Path:
        """Where the memory of the run is."""
        return self.out.with_name(f"{self.out.name}.checkpoint") if self.is_file else self.out / CHECKPOINT

    @property
    def curve(self) -> Path | None:
        """Where the curve is; that of a file stays in the checkpoint."""
        return None if self.is_file else self.out / CURVE

    def locked(self) -> AbstractContextManager[None]:
        """Be the only process that works there."""
        return locked(self.out.parent, self.out.name) if self.is_file else locked(self.out)

    def check(self, resume: bool) -> None:
        """Refuse to begin where a run or an artefact lies, and to continue where there is no run."""
        what, out = ("file" if self.is_file else "folder"), self.out
        if out.exists() and self.is_file == out.is_dir():
            raise KibitzError(f"{out} is not a {what}: choose another", settings=("out",))
        begun = self.checkpoint.exists()
        if resume and not begun:
            raise KibitzError(
                f"{out} holds no run to continue: start one, or name another {what}", settings=("resume", "out")
            )
        if resume:
            return
        if begun:
            raise KibitzError(f"{out} holds a run: continue it, or choose another {what}", settings=("resume", "out"))
        for path in (out,) if self.is_file else (out / CURVE, out / MANIFEST):
            if path.exists():
                found = "exists" if self.is_file else f"holds {path.name}"
                raise KibitzError(f"{out} {found}, which a run would replace: choose another {what}", settings=("out",))


def check_folder(out: Path | None, resume: bool, plan: Plan | type[Plan] = Plan) -> None:
    """Refuse to begin or to continue `plan` at `out` where that would destroy something, or cannot be."""
    if out is not None:
        Place(out, plan.leaves == "file").check(resume)
    elif resume:
        raise KibitzError("resuming needs the folder of the run", settings=("out",))


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
