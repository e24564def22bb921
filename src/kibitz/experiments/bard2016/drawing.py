"""Lines with intervals, a panel for each game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from kibitz.experiments.bard2016.settings import UNIT
from kibitz.experiments.claims import Interval
from kibitz.experiments.pictures import COLOURS, pictures
from kibitz.policy.base import Floats

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WIDE = 6.0  # logarithms of an axis on which only powers of ten are marked
LINES: dict[str, Any] = {"marker": "o", "ms": 3, "elinewidth": 0.8}
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
            x, y, _arms(line.up), _arms(line.across), color=colour, ecolor=(colour, 0.6), label=line.label, **LINES
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
