"""Figures as SVG text; the same numbers give the same bytes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from io import StringIO
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLOURS = ("#1f6f8b", "#c8553d", "#588157", "#7b5ea7", "#8a6d3b")


@contextmanager
def figure_of(width: float, height: float) -> Iterator[Figure]:
    """An empty figure, in inches, to be drawn and saved inside."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    with mpl.rc_context({"svg.hashsalt": "kibitz", "font.size": 9}):
        yield Figure(figsize=(width, height), layout="constrained")


@contextmanager
def picture(height: float, width: float = 6.6) -> Iterator[tuple[Axes, list[str]]]:
    """Axes to draw on; the list holds the SVG text afterwards."""
    text: list[str] = []
    with figure_of(width, height) as figure:
        axes = figure.subplots()
        axes.grid(alpha=0.3)
        axes.set_axisbelow(True)
        yield axes, text
        out = StringIO()
        figure.savefig(out, format="svg", metadata={"Date": None})
    text.append(out.getvalue()[out.getvalue().index("<svg") :])
