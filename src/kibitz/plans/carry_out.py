"""The driver of every plan: the only place that locks a folder, refuses, checkpoints, resumes and finishes."""

from __future__ import annotations

import json
import signal
import threading
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from types import FrameType
from typing import Any

from kibitz import __version__
from kibitz.errors import KibitzError
from kibitz.files import parse_json, taking_place
from kibitz.plans.artefacts import Artefact, ArtefactError, open_artefact, read_manifest, write_artefact
from kibitz.plans.checkpoints import CURVE, Place, check_folder, load_checkpoint, save_checkpoint
from kibitz.plans.plan import HERE, Means, Plan, Report, Row, Run

MOST_SAVING = 0.05  # of the time goes into checkpoints


class Terminated(KeyboardInterrupt):
    """SIGTERM, which ends a run as Ctrl-C does: with a checkpoint."""


def carry_out(
    plan: Plan,
    out: Path | None = None,
    *,
    resume: bool = False,
    means: Means = HERE,
    checkpoint_seconds: float | None = None,
) -> Generator[Report, None, None]:
    """Do what `plan` says, reporting every step; the last report has the artefact.

    With `out`, that folder gets a checkpoint every so many seconds and at an interruption, and in the end the curve and
    the artefact; or that file gets the artefact, and the checkpoint lies beside it (see `Plan.leaves`). With `resume`
    the run goes on from its checkpoint to the same bits; a run that is complete only gives its artefact. What would
    replace a run is refused without `resume`, and so is a place where none was begun with it.

    checkpoint_seconds   by default those of the plan; 0 keeps one of every step
    """
    place = None if out is None else Place(out, plan.leaves == "file")
    check_folder(out, resume, plan)
    interruptions = _Interruptions()
    run = plan.begin(replace(means, folder=out, interruptible=interruptions.heard))
    with nullcontext() if place is None else place.locked():
        check_folder(out, resume, plan)  # again: another process may have been here until now
        every = plan.checkpoint_seconds if checkpoint_seconds is None else checkpoint_seconds
        driven = _Driven(plan, run, place, every)
        if resume:
            driven.restore()
        with interruptions:
            yield from driven.steps(interruptions)


def write_curve(rows: Sequence[Row], path: Path) -> None:
    """Write a curve, a row a line."""
    path.write_text("".join(json.dumps(row, allow_nan=False) + "\n" for row in rows), encoding="utf-8", newline="\n")


def read_curve(folder: Path) -> list[Row]:
    """The curve that a finished run has left in `folder`; no rows where nothing was measured."""
    path = folder / CURVE
    try:
        rows = [parse_json(line) for line in path.read_text().splitlines()]
    except FileNotFoundError:
        return []
    except (OSError, ValueError) as error:
        raise KibitzError(f"{path} is not the curve of a run: {error}") from None
    if not all(isinstance(row, dict) for row in rows):
        raise KibitzError(f"{path} is not the curve of a run: every line is an object")
    return rows


class _Driven:
    """One run under way, its curve, and the folder it is kept in."""

    def __init__(self, plan: Plan, run: Run, place: Place | None, every: float) -> None:
        self.plan, self.run, self.place, self.every = plan, run, place, every
        self.identity = {} if place is None else plan.identity()  # what it is made from may be changed meanwhile
        self.curve: list[Row] = []
        self.save_at, self.saved_done = perf_counter() + every, -1

    def restore(self) -> None:
        assert self.place is not None
        self.curve = load_checkpoint(self.place.checkpoint, self.identity, self.run)
        self.saved_done = self.run.done

    def steps(self, interruptions: _Interruptions) -> Iterator[Report]:
        begun = self.run.done
        if self.plan.is_watched and self.saved_done < 0:
            self.save()
        try:
            while True:
                with interruptions.held() if self.plan.resumes else nullcontext():
                    report = self.run.step()
                if report is None:
                    break
                if report.row is not None:
                    self.curve.append(report.row)
                if interruptions.waiting or perf_counter() >= self.save_at:
                    self.save()
                if interruptions.waiting and self.plan.anytime:
                    yield report._replace(artefact=self._finish())
                interruptions.raise_waiting()
                yield report
        except (GeneratorExit, KeyboardInterrupt) as end:
            # Whoever watched has left between two steps, or the run said that it may be interrupted within one.
            if isinstance(end, GeneratorExit) or interruptions.is_run_whole:
                self.save()
            raise
        if self.run.done == begun and self._is_finished():
            assert self.place is not None
            yield Report(begun, begun, artefact=open_artefact(self.place.out))
            return
        self.save()
        yield Report(self.run.done, self.run.done, artefact=self._finish())

    def save(self) -> None:
        """Keep a checkpoint, unless there is one of this very state, or the run cannot be continued."""
        if self.place is not None and self.plan.resumes and self.run.done != self.saved_done:
            begun = perf_counter()
            save_checkpoint(self.place.checkpoint, self.identity, self.run, self.curve)
            ended, self.saved_done = perf_counter(), self.run.done
            self.save_at = ended + (max(self.every, (ended - begun) / MOST_SAVING) if self.every else 0)

    def _is_finished(self) -> bool:
        """Whether the artefact in the folder is that of this very state, and of all that the plan says now."""
        if self.place is None:
            return False
        try:
            made = read_manifest(self.place.out)["made"]
        except ArtefactError:
            return False
        return bool(made.get("done") == self.run.done and made.get("plan") == self._described())

    def _described(self) -> dict[str, Any]:
        """The plan, as it is in a manifest."""
        told: dict[str, Any] = json.loads(json.dumps({"kind": self.plan.kind, **self.plan.describe()}))
        return told

    def _finish(self) -> Artefact:
        """Leave curve and artefact in the folder; the manifest comes last: where it is, nothing is left to do."""
        found = self.run.artefact(self.curve)
        made: dict[str, Any] = {"plan": self._described()}
        made |= {"inputs": self.plan.inputs()} if self.place is not None else {}
        made |= {"version": __version__, "device": getattr(self.plan, "device", "cpu"), "done": self.run.done}
        if self.place is None:
            return replace(found, made={**found.made, **made})
        artefact = replace(found, made={**found.made, **made}, path=self.place.out)
        try:
            if self.curve and self.place.curve is not None:
                with taking_place(self.place.curve) as beside:
                    write_curve(self.curve, beside)
            write_artefact(artefact, self.place.out)
        except OSError as error:
            raise KibitzError(f"cannot write {self.place.out}: {error.strerror or error}") from None
        return artefact


class _Interruptions:
    """Ctrl-C and SIGTERM while a run is under way: they wait for the end of a step, in which the run is not whole.

    Pressed twice, Ctrl-C does not wait; the last checkpoint stays. Within the block both are handled if it is in the
    main thread, unless somebody ignores them.
    """

    def __init__(self) -> None:
        self.waiting: type[KeyboardInterrupt] | None = None
        self.is_run_whole = False  # when one was heard within a step
        self._holding = False
        self._before: dict[int, Any] = {}

    def __enter__(self) -> None:
        if threading.current_thread() is threading.main_thread():
            for number in (signal.SIGINT, signal.SIGTERM):
                if signal.getsignal(number) is not signal.SIG_IGN:
                    self._before[number] = signal.signal(number, self.hear)

    def __exit__(self, *_error: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def hear(self, number: int, frame: FrameType | None) -> None:
        """The handler of both signals."""
        kind = Terminated if number == signal.SIGTERM else KeyboardInterrupt
        if not self._holding or self.waiting is not None:
            raise kind
        self.waiting = kind

    @contextmanager
    def held(self) -> Iterator[None]:
        """In here they wait."""
        self._holding = True
        try:
            yield
        finally:
            self._holding = False

    @contextmanager
    def heard(self) -> Iterator[None]:
        """Within `held`: in here they do not wait, as the run is whole."""
        self._holding = False
        try:
            self.raise_waiting()
            yield
        except KeyboardInterrupt:
            self.is_run_whole = True
            raise
        finally:
            self._holding = True

    def raise_waiting(self) -> None:
        """Let the one that waits through."""
        if self.waiting is not None:
            raise self.waiting
