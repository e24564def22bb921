"""A whole run of self-play in a folder: learn, report, checkpoint, and leave the agent there."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from kibitz.errors import KibitzError
from kibitz.files import load_arrays, locked, parse_json, shown, taking_place, write_text
from kibitz.learning.files import MANIFEST, OTHERS, WEIGHTS_FILE, write_model
from kibitz.learning.model import Model, ModelError
from kibitz.learning.settings import Learning
from kibitz.learning.training import MOST_DEALS

CHECKPOINT, CURVE = OTHERS
REPORTS = 100  # in a run, unless told otherwise


class Report(Protocol):
    """What a run tells as it goes on."""

    def describe(self) -> dict[str, Any]: ...


ReportT = TypeVar("ReportT", bound=Report)
ReportT_co = TypeVar("ReportT_co", bound=Report, covariant=True)


class Run(Protocol):
    """What a checkpoint asks of a run: all that it is, and a memory from which it goes on to the same bits."""

    deals: int
    seconds: float

    def describe(self) -> dict[str, Any]: ...

    def arrays(self) -> Mapping[str, npt.NDArray[Any]]: ...

    def restore(self, deals: int, seconds: float, arrays: dict[str, npt.NDArray[Any]]) -> None: ...


class Learner(Run, Protocol[ReportT_co]):
    """A run that learns from simulated deals: self-play, a best response or an exploiter."""

    learning: Learning

    @property
    def model(self) -> Model: ...

    def train(self, deals: int) -> ReportT_co: ...


def run_self_play(
    trainer: Learner[ReportT],
    hands: int,
    out: Path | None = None,
    resume: bool = False,
    every: int = 0,
    enough: Callable[[list[dict[str, Any]]], bool] | None = None,
) -> Iterator[ReportT]:
    """Train until `hands` deals are done, or the curve so far is `enough`; yields a report every so many deals, after
    which a checkpoint is kept.

    With `out` the folder gets checkpoint, curve and in the end the agent. What was interrupted goes on from the last
    checkpoint to the same bits. A gradient that is not finite ends the run with an error; the last checkpoint stays.
    """
    if not 1 <= hands <= MOST_DEALS:
        raise ModelError(f"{hands} hands: a number from 1 to 2^53 is needed")
    step = every or max(hands // REPORTS, 10 * trainer.learning.batch)

    def train(curve: list[dict[str, Any]]) -> ReportT | None:
        if trainer.deals >= hands or (enough is not None and enough(curve)):
            return None
        return trainer.train(min(step - trainer.deals % step, hands - trainer.deals))

    yield from run_in_folder(trainer, train, lambda folder: finish(trainer.model, folder), out, resume)


def run_in_folder(
    run: Run,
    go_on: Callable[[list[dict[str, Any]]], ReportT | None],
    finish: Callable[[Path], None],
    out: Path | None,
    resume: bool,
) -> Iterator[ReportT]:
    """Yield what `go_on` reports of each part of a run, given the curve so far, until it says None.

    With `out` the folder gets a checkpoint and the curve after every part, and in the end what `finish` leaves there.
    """
    check_folder(out, resume)
    with locked(out):
        check_folder(out, resume)
        curve: list[dict[str, Any]] = []
        if out is not None and resume:
            kept = load_checkpoint(out / CHECKPOINT, run)
            curve = read_curve(out / CURVE, run.deals) if kept is None else kept
            write_curve(out / CURVE, curve)  # whoever was killed may have written the checkpoint only
        while (report := go_on(curve)) is not None:
            curve.append(report.describe())
            if out is not None:
                save_checkpoint(out / CHECKPOINT, run, curve)
                write_curve(out / CURVE, curve)
            yield report
        if out is not None:
            finish(out)


def finish(model: Model, out: Path) -> None:
    """Leave the agent in the folder of its run; the manifest comes last, and without it there is no agent."""
    (out / MANIFEST).unlink(missing_ok=True)
    (out / WEIGHTS_FILE).unlink(missing_ok=True)
    write_model(model, out)


def check_folder(out: Path | None, resume: bool) -> None:
    """Refuse to begin where anything lies that a run would leave, and to go on where there is nothing to go on with."""
    if out is None:
        if resume:
            raise KibitzError("resuming needs the folder of the run", settings=("out",))
        return
    if out.exists() and not out.is_dir():
        raise KibitzError(f"{out} is no folder: choose another", settings=("out",))
    if resume and not (out / CHECKPOINT).exists():
        raise KibitzError(f"{out} holds no run to continue: begin one, or name another folder", settings=("out",))
    for name in (CHECKPOINT, CURVE, MANIFEST, WEIGHTS_FILE):
        if not resume and (out / name).exists():
            raise KibitzError(
                f"{out} holds {name}: continue that run, or choose another folder", settings=("resume", "out")
            )


def save_checkpoint(path: Path, trainer: Run, curve: list[dict[str, Any]] | None = None) -> None:
    """Write the memory of a run to `path`, whole or not at all, and with it the curve so far, where there is one."""
    described = {"run": trainer.describe(), "deals": trainer.deals, "seconds": trainer.seconds}
    header = json.dumps(described | ({} if curve is None else {"curve": curve}))
    try:
        with taking_place(path) as beside, beside.open("wb") as file:
            np.savez(file, header=np.array(header), **trainer.arrays())  # type: ignore[arg-type]
    except OSError as error:
        raise ModelError(f"the checkpoint {path} cannot be written: {error.strerror or error}") from None


def load_checkpoint(path: Path, trainer: Run) -> list[dict[str, Any]] | None:
    """Give `trainer` the memory saved in `path`; one of another run is refused. Returns the curve, where it has one."""
    try:
        arrays = load_arrays(path)
        header = parse_json(str(arrays.pop("header")))
        run, deals, seconds = dict(header["run"]), header["deals"], float(header["seconds"])
        curve = [dict(row) for row in header["curve"]] if "curve" in header else None
    except FileNotFoundError:
        raise ModelError(f"there is no checkpoint {path}") from None
    except (OSError, ValueError) as error:
        raise ModelError(f"the checkpoint {path} cannot be read: {error}") from None
    except (KeyError, TypeError, AttributeError) as error:
        raise ModelError(f"the checkpoint {path} cannot be read: its header lacks {error}") from None
    if type(deals) is not int or not 0 <= deals <= MOST_DEALS:
        raise ModelError(f"the checkpoint {path} tells {shown(deals)} deals: a number from 0 to 2^53 belongs there")
    ours = json.loads(json.dumps(trainer.describe()))
    for key in {**ours, **run}:
        if run.get(key) != ours.get(key):
            raise ModelError(f"{path}: its run has {_difference(key, run.get(key), ours.get(key))}")
    for name, array in trainer.arrays().items():
        found = arrays.get(name)
        if found is None or found.shape != array.shape or found.dtype != array.dtype:
            raise ModelError(f"{path}: the array {name!r} is missing, or of another size or type")
        if not np.isfinite(found).all():
            raise ModelError(f"{path}: the array {name!r} contains values that are not numbers")
    trainer.restore(deals, seconds, arrays)
    return curve


def _difference(key: str, theirs: Any, ours: Any) -> str:
    """Where two descriptions of a run differ, in words."""
    if isinstance(theirs, dict) and isinstance(ours, dict):
        inner = next(name for name in {**ours, **theirs} if theirs.get(name) != ours.get(name))
        return f"{inner} = {shown(theirs.get(inner))}, here it is {shown(ours.get(inner))}"
    return f"{key} = {shown(theirs)}, here it is {shown(ours)}"


def write_curve(path: Path, curve: list[dict[str, Any]]) -> None:
    """Write the rows of a curve, a line of JSON each."""
    write_text(path, "".join(f"{json.dumps(row)}\n" for row in curve))


def read_curve(path: Path, deals: int) -> list[dict[str, Any]]:
    """The rows of a curve up to a checkpoint of an older version, which has none; none where there is no file."""
    try:
        rows = [parse_json(line) for line in path.read_text().splitlines()]
        return [row for row in rows if row["deals"] <= deals]
    except FileNotFoundError:
        return []
    except (ValueError, TypeError, KeyError) as error:
        raise ModelError(f"{path} is no curve of a run: {error}") from None
