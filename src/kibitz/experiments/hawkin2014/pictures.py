"""Figures as SVG text; the same numbers give the same bytes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from io import StringIO
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLOURS = ("#1f6f8b", "#c8553d", "#588157", "#7b5ea7", "#8a6d3b")


class Drawn(NamedTuple):
    """A printed curve with its bounds, and points of ours: (run, value, low, high)."""

    name: str
    values: Sequence[float]
    bounds: Sequence[float]
    points: Sequence[tuple[int, float, float, float]]


@contextmanager
def _picture(height: float = 3.8) -> Iterator[tuple[Axes, list[str]]]:
    """Axes to draw on; the list holds the SVG text afterwards."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    text: list[str] = []
    with mpl.rc_context({"svg.hashsalt": "kibitz", "font.size": 9}):
        figure = Figure(figsize=(6.6, height), layout="constrained")
        axes = figure.subplots()
        axes.grid(alpha=0.3)
        axes.set_axisbelow(True)
        yield axes, text
        buffer = StringIO()
        figure.savefig(buffer, format="svg", metadata={"Date": None})
    text.append(buffer.getvalue()[buffer.getvalue().index("<svg") :])


def draw_curves(lines: Sequence[Drawn]) -> str:
    """Printed curves as bands, ours as points with bounds in the same colour."""
    with _picture() as (axes, text):
        for line, colour in zip(lines, COLOURS, strict=False):
            runs = range(1, len(line.values) + 1)
            low = [value - bound for value, bound in zip(line.values, line.bounds, strict=True)]
            high = [value + bound for value, bound in zip(line.values, line.bounds, strict=True)]
            axes.fill_between(runs, low, high, color=colour, alpha=0.15, linewidth=0)
            axes.plot(runs, line.values, color=colour, linestyle="--", linewidth=1, label=f"{line.name}, printed")
            if line.points:
                own, values, lows, highs = zip(*line.points, strict=True)
                below = [value - each for value, each in zip(values, lows, strict=True)]
                above = [each - value for value, each in zip(values, highs, strict=True)]
                axes.errorbar(
                    own, values, [below, above], color=colour, marker="o", ms=4, lw=1.4, capsize=3, label=line.name
                )
        axes.set_xlabel("run")
        axes.set_ylabel("value to player two, mbb/hand")
        axes.set_xticks(range(1, 11))
        axes.legend(frameon=False, ncols=2 if len(lines) > 2 else 1)
    return text[0]


def draw_gains(curves: Mapping[str, Sequence[float]]) -> str:
    """Gains over FCPA run by run."""
    with _picture(3.6) as (axes, text):
        for name, gains in curves.items():
            axes.plot(range(1, len(gains) + 1), gains, marker="o", ms=3, label=name)
        axes.set_xlabel("run of RE-BETS")
        axes.set_ylabel("gain over FCPA, per cent")
        axes.legend(frameon=False)
    return text[0]


def draw_bars(counts: Mapping[str, Mapping[str, int]], places: Sequence[str], across: str, up: str) -> str:
    """Counts side by side, in a colour each."""
    with _picture(3.2) as (axes, text):
        width = 0.8 / len(counts)
        for number, (name, found) in enumerate(counts.items()):
            left = [place + (number - (len(counts) - 1) / 2) * width for place in range(len(places))]
            axes.bar(left, [found.get(place, 0) for place in places], width, color=COLOURS[number], label=name)
        axes.set_xticks(range(len(places)), places)
        axes.set_xlabel(across)
        axes.set_ylabel(up)
        axes.legend(frameon=False)
    return text[0]


def draw_ranking(rows: Sequence[tuple[str, float, float]], names: tuple[str, str]) -> str:
    """The sizes of the same bets in two abstractions, the most important at the top."""
    with _picture(0.9 + 0.2 * len(rows)) as (axes, text):
        places = range(len(rows))
        for place, (_sequence, small, large) in zip(places, rows, strict=True):
            axes.plot([small, large], [place, place], color="#999999", lw=1, zorder=1)
        for number, name in enumerate(names):
            axes.scatter([row[number + 1] for row in rows], places, s=18, color=COLOURS[number], label=name, zorder=2)
        axes.set_yticks(places, [f"{place + 1}  {row[0]}" for place, row in zip(places, rows, strict=True)])
        axes.invert_yaxis()
        axes.set_xlabel("size, pots")
        axes.legend(frameon=False, loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=2)
    return text[0]
