"""Mappings as a picture: how likely a bet is translated to its smaller neighbour on the menu."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np

from kibitz.files import save_figure
from kibitz.translation.mappings import TranslationError, find_mapping, probabilities

STYLES = {
    "det-arith": ("#c05a1c", "--"),
    "rand-arith": ("#c05a1c", "-"),
    "det-geo": ("#2f5d9b", "--"),
    "rand-geo-1": ("#2f5d9b", "-"),
    "rand-geo-2": ("#7aa6d8", "-"),
    "det-psharmonic": ("#3b7a57", "--"),
    "rand-psharmonic": ("#3b7a57", "-"),
}
POINTS = 400  # per pair of neighbours
MARKS = (0.25, 0.5, 0.75)  # of the way from a size to the next


def plot_mappings(
    sizes: Sequence[float], mappings: Sequence[str], path: Path, bets: Sequence[float] = (), labels: Sequence[str] = ()
) -> None:
    """Draw curves over `sizes` (pot fractions in ascending order, at least two) to `path`, with `bets` marked.

    All pairs of neighbours get the same width, so that small bets can be seen beside an all-in of many pots; within
    a pair the scale is linear. labels: names of the sizes, by default their numbers.
    """
    from matplotlib.figure import Figure

    if len(sizes) < 2:
        raise TranslationError(f"a plot over the sizes {list(sizes)}: at least two are needed")
    if not path.parent.is_dir():
        raise TranslationError(f"{path}: there is no folder {path.parent}")
    _check_ending(path)
    figure = Figure(figsize=(min(max(6.0, 1.2 + 2.4 * (len(sizes) - 1)), 16.0), 4.2), layout="constrained")
    axes = figure.subplots()
    ends = np.arange(len(sizes))
    for name in mappings:
        colour, line = STYLES.get(name, ("#555555", "-"))
        for low, (a, b) in enumerate(pairwise(sizes)):
            x = np.linspace(a, b, POINTS)
            axes.plot(
                np.linspace(low, low + 1, POINTS),
                find_mapping(name)(x, a, b),
                line,
                color=colour,
                linewidth=2.4 if name == "rand-psharmonic" else 1.4,
                label=name if low == 0 else None,
            )
    for bet in bets:
        inside = min(max(bet, sizes[0]), sizes[-1])
        place = float(np.interp(inside, sizes, ends))
        axes.axvline(place, color="black", linewidth=0.8)
        axes.annotate(f"{bet:g}", (place, 1.04), ha="center", annotation_clip=False)
        below = min(int(place), len(sizes) - 2)
        for name in mappings:
            share = probabilities(inside, sizes, name)[below]
            axes.plot([place], [share], "o", markersize=4, color=STYLES.get(name, ("#555555", "-"))[0])
    axes.set_xticks(ends, labels or [f"{size:g}" for size in sizes])
    between = [(low + mark, a + mark * (b - a)) for low, (a, b) in enumerate(pairwise(sizes)) for mark in MARKS]
    axes.set_xticks([place for place, _ in between], [f"{size:.3g}" for _, size in between], minor=True, fontsize=7)
    axes.tick_params(axis="x", which="minor", colors="#777777")
    axes.set_xlim(0, len(sizes) - 1)
    axes.set_ylim(-0.02, 1.02)
    axes.set_xlabel("bet, in pots")
    axes.set_ylabel("read as the smaller neighbour")
    axes.grid(axis="x", which="major", color="black", alpha=0.4)
    axes.grid(axis="y", alpha=0.25)
    figure.legend(loc="outside right upper", frameon=False)
    save_figure(path, figure)


def _check_ending(path: Path) -> None:
    """Refuse a file whose name does not end as a picture's."""
    from matplotlib.backend_bases import FigureCanvasBase

    if path.suffix[1:].lower() not in FigureCanvasBase.get_supported_filetypes():
        has = f"ends in {path.suffix}" if path.suffix else "has no ending"
        raise TranslationError(f"{path} {has}: call a picture {path.stem}.png, {path.stem}.svg or {path.stem}.pdf")
