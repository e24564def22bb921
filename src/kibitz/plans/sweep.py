"""Sweeps: any plan over any of its settings, as cells on an executor; one table and one plot of what was measured."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from kibitz.errors import KibitzError
from kibitz.files import picture
from kibitz.plans.artefacts import Artefact
from kibitz.plans.cells import CellsPlan, Results
from kibitz.plans.plan import Means, Plan
from kibitz.plans.settings import Setting, setting
from kibitz.plans.words import find_setting, plan_from_words
from kibitz.statistics import weighted_half_width

if TYPE_CHECKING:
    from matplotlib.figure import Figure

TABLE, PLOT = "results.parquet", "results.png"
SEED = "seed"  # runs that differ by it alone are samples of the same thing
MOST_CELLS = 100_000
_RANGE = re.compile(r"(-?\d+)\.\.(-?\d+)")


@dataclass(frozen=True)
class SweepPlan(CellsPlan):
    """Carry out COMMAND for all combinations of the values of some of its settings, and tabulate what was measured.

    COMMAND is a command without kibitz in front and without --out, such as: solve leduc --iterations 100.
    """

    kind: ClassVar[str] = "sweep"

    command_words: tuple[str, ...] = setting(help="Command to carry out", argument=True, option="command")
    over: tuple[str, ...] = setting((), "Setting and its values, as in rate=0.01,0.02 or seed=0..9; may be repeated")
    measure: str = setting("", "Figure to plot", unsaid="the first that differs", free=True)

    @cached_property
    def base(self) -> Plan:
        """The command as it stands."""
        return plan_from_words(self.command_words)

    @cached_property
    def axes(self) -> dict[str, tuple[Any, ...]]:
        """The values of every setting that is swept over, by its name."""
        if not self.over:
            raise KibitzError("a sweep over nothing: give a setting and its values", settings=("over",))
        found: dict[str, tuple[Any, ...]] = {}
        for text in self.over:
            name, equals, values = text.partition("=")
            each = find_setting(type(self.base), name.strip())
            if not equals or not values or each.name in found:
                raise KibitzError(f"{text!r}: a setting and its values once, as in seed=0..9", settings=("over",))
            found[each.name] = tuple(_values(each, values))
        return found

    @cached_property
    def points(self) -> dict[str, dict[str, Any]]:
        """The settings of every cell, by its name."""
        every = [dict(zip(self.axes, values, strict=True)) for values in product(*self.axes.values())]
        if len(every) > MOST_CELLS:
            raise KibitzError(f"{len(every):,} combinations: {MOST_CELLS:,} are the most", settings=("over",))
        names = ["_".join(f"{name}={_text(value)}" for name, value in point.items()) for point in every]
        safe = [re.sub(r"[^\w=.+-]", "-", name) for name in names]
        return {name if safe.count(name) == 1 else f"{name}_{at}": every[at] for at, name in enumerate(safe)}

    def inputs(self) -> dict[str, Any]:
        """Those of the command; the cells see to theirs."""
        return {"base": self.base.inputs()}

    def cells(self, means: Means, results: Results) -> Mapping[str, Plan]:
        told = {each.name: getattr(self.base, each.name) for each in fields(self.base)}
        return {name: type(self.base)(**{**told, **point}) for name, point in self.points.items()}

    def gather(self, results: Results, means: Means) -> Artefact:
        rows = [{**_plain(self.points[name]), **_figures(made, self.axes)} for name, made in results.items()]
        files: dict[str, Callable[[Path], Any]] = {TABLE: lambda path: _write(rows, path)}
        if measure := self.measure or _first_that_differs(rows, self.axes):
            if not any(isinstance(row.get(measure), int | float) for row in rows):
                known = ", ".join(name for name, value in rows[0].items() if isinstance(value, int | float))
                raise KibitzError(f"no cell measured {measure!r}: there are {known}", settings=("measure",))
            files[PLOT] = picture(lambda: draw(rows, list(self.axes), measure))
        about = {"base": {"kind": self.base.kind, **self.base.describe()}, "over": list(self.axes), "measure": measure}
        parts = tuple(results) if means.folder is not None else ()
        return Artefact(self.kind, about, {"cells": len(rows)}, files=files, parts=parts, content=rows)


def _values(each: Setting, text: str) -> list[Any]:
    """The values of an axis: a range of whole numbers, or a list."""
    if found := _RANGE.fullmatch(text.strip()):
        first, last = map(int, found.groups())
        texts = [str(number) for number in range(first, last + 1)]
    else:
        texts = text.split(",")
    values = [each.check((each.read(part),)) if each.many else each.read(part) for part in texts]
    if not values or len(set(values)) < len(values):
        raise KibitzError(f"{each.name}={text}: values that differ are needed", settings=("over",))
    return values


def _text(value: Any) -> str:
    return "+".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _plain(point: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value if isinstance(value, int | float | str) else _text(value) for name, value in point.items()}


def _figures(made: Mapping[str, Any], axes: Mapping[str, Any]) -> dict[str, Any]:
    """What was measured: numbers and texts of `made` that are not settings of the sweep."""
    kept = {name: value for name, value in made.items() if isinstance(value, int | float | str) or value is None}
    return {name: value for name, value in kept.items() if name not in axes and name not in ("version", "device")}


def _first_that_differs(rows: Sequence[Mapping[str, Any]], axes: Mapping[str, Any]) -> str:
    """The first figure that is not the same in all cells; of one cell, the first."""
    for name, value in rows[0].items():
        found = {row.get(name) for row in rows}
        if isinstance(value, float) and name not in axes and (len(found) > 1 or len(rows) == 1):
            return name
    return ""


def _write(rows: Sequence[Mapping[str, Any]], path: Path) -> None:
    import polars as pl

    pl.DataFrame(rows, infer_schema_length=None).write_parquet(path)


def draw(rows: Sequence[Mapping[str, Any]], axes: Sequence[str], measure: str) -> Figure:
    """`measure` over the first axis that is not the seed, a line for each combination of the others.

    Runs that differ by their seed alone are averaged, with 95 % intervals by Student's t.
    """
    import numpy as np
    from matplotlib.figure import Figure

    across = next((name for name in axes if name != SEED), axes[0])
    others = [name for name in axes if name not in (across, SEED)]
    lines: dict[str, dict[Any, list[float]]] = {}
    for row in rows:
        if row.get(measure) is not None:
            label = ", ".join(f"{name} {row[name]}" for name in others)
            lines.setdefault(label, {}).setdefault(row[across], []).append(row[measure])
    figure = Figure(figsize=(7, 4.2), layout="constrained")
    plot = figure.subplots()
    for label, found in lines.items():
        means = [float(np.mean(values)) for values in found.values()]
        doubts = [weighted_half_width(np.array(values), np.ones(len(values))) for values in found.values()]
        where = [at if isinstance(at, int | float) else str(at) for at in found]
        plot.errorbar(where, means, yerr=np.nan_to_num(doubts, posinf=0.0), marker="o", ms=4, capsize=3, label=label)
    plot.set_xlabel(across)
    plot.set_ylabel(measure)
    plot.grid(alpha=0.25)
    if others:
        plot.legend(fontsize="small")
    return figure
