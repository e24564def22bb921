"""Figures as SVG text; the same numbers give the same bytes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from kibitz.files import svg_text

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
    with pictures(height, 1, width) as (panels, text):
        yield panels[0], text


@contextmanager
def pictures(height: float, count: int, width: float = 6.6) -> Iterator[tuple[list[Axes], list[str]]]:
    """The same with `count` panels beside each other, `width` inches wide where one is alone, else three quarters."""
    text: list[str] = []
    with figure_of(width if count == 1 else 0.75 * width * count, height) as figure:
        panels = list(figure.subplots(1, count, squeeze=False)[0])
        for axes in panels:
            axes.grid(alpha=0.3)
            axes.set_axisbelow(True)
        yield panels, text
        text.append(svg_text(figure))
