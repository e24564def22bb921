"""Lines with intervals, a panel for each game; and bars, one for each agent."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from kibitz.experiments.bard2016.settings import UNIT
from kibitz.experiments.bard2016.statements import Floats
from kibitz.experiments.claims import Interval
from kibitz.experiments.pictures import COLOURS, picture, pictures
from kibitz.experiments.published import Effort, Experiment, Found

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WIDE = 6.0  # logarithms of an axis on which only powers of ten are marked
ROOM = 0.08  # of the width and height, beside the outermost points


class Line(NamedTuple):
    """Points in order, each with its intervals."""

    label: str
    across: list[Interval]
    up: list[Interval]


def draw_panels(panels: dict[str, list[Line]], across: str) -> str:
    """SVG text; title -> lines, numbers across on a logarithmic scale."""
    with pictures(3.6, len(panels)) as (every, text):
        for axes, (title, lines) in zip(every, panels.items(), strict=True):
            axes.set_title(title, fontsize=10)
            axes.set_xlabel(across)
            axes.set_ylabel(f"won from the tilted opponent, {UNIT}")
            if lines:
                _draw(axes, lines)
    return text[0]


def _draw(axes: Axes, lines: list[Line]) -> None:
    from matplotlib.ticker import LogLocator

    for line, colour in zip(lines, COLOURS, strict=False):
        x, y = ([each.value for each in values] for values in (line.across, line.up))
        axes.errorbar(
            x,
            y,
            _arms(line.up),
            _arms(line.across),
            color=colour,
            marker="o",
            ms=3,
            elinewidth=0.8,
            ecolor=(colour, 0.6),
            label=line.label,
        )
    left, right = _span(np.log([each.value for line in lines for each in line.across]))
    axes.set_xscale("log")
    axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5) if right - left < WIDE else (1,)))
    axes.xaxis.set_major_formatter(lambda value, _place: f"{value:,.0f}")
    axes.xaxis.set_minor_formatter(lambda _value, _place: "")
    # Room for the points; wide intervals may reach beyond it.
    axes.set_xlim(np.exp(left), np.exp(right))
    axes.set_ylim(*_span(np.array([each.value for line in lines for each in line.up])))
    axes.legend(frameon=False, fontsize=8)


def _span(values: Floats) -> tuple[float, float]:
    low, high = float(values.min()), float(values.max())
    room = ROOM * (high - low or 1.0)
    return low - room, high + room


def _arms(intervals: list[Interval]) -> Floats:
    """Lengths of error bars below and above, float64[2, points]; none where an interval is unknown."""
    found = np.array([[each.value - each.low, each.high - each.value] for each in intervals]).T
    return np.where(np.isfinite(found), found, 0.0)


def with_bars(scaled: Callable[[Effort], Experiment]) -> Callable[[Effort], Experiment]:
    """The same experiments with a picture of their column of means; they keep what they find, so it costs nothing."""

    def at(effort: Effort) -> Experiment:
        experiment = scaled(effort)

        def draw() -> str:
            assert experiment.find is not None
            return draw_bars({row: found for row, column, found in experiment.find() if column == "mean"})

        return replace(experiment, picture=draw)

    return at


def draw_bars(means: dict[str, Found]) -> str:
    """A bar for each row with its interval, the longest on top; exact ones, which have none, in another colour."""
    ordered = sorted(means.items(), key=lambda item: item[1].ours)
    with picture(0.9 + 0.26 * len(ordered), 7.5) as (axes, text):
        for place, (_name, found) in enumerate(ordered):
            is_exact = np.isnan(found.low)
            axes.barh(place, found.ours, height=0.7, color=COLOURS[1 if is_exact else 0], alpha=0.85)
            if not is_exact:
                arms = [[found.ours - found.low], [found.high - found.ours]]
                axes.errorbar(found.ours, place, xerr=arms, color="#222222", capsize=2, lw=1)
        for label, colour in (("sampled, 95 % interval", COLOURS[0]), ("exact", COLOURS[1])):
            axes.barh(0, 0, color=colour, alpha=0.85, label=label)
        axes.legend(frameon=False, fontsize=8, loc="lower right")
        axes.set_yticks(range(len(ordered)), [name for name, _found in ordered])
        axes.set_xlabel(f"mean winnings, {UNIT}")
    return text[0]
