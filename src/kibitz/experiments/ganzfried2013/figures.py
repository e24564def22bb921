"""Table 1 and figures 1 and 2: the randomised mappings themselves."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from io import StringIO
from typing import Any

import numpy as np
from scipy.optimize import brentq

from kibitz.experiments.ganzfried2013 import printed
from kibitz.experiments.ganzfried2013.mappings import NAMES
from kibitz.experiments.published import Found
from kibitz.translation import MAPPINGS

POINTS = 101
COLOURS = {"Rand-Arith": "#c05a1c", "Rand-Geo-1": "#2f5d9b", "Rand-Geo-2": "#7aa6d8", "Rand-psHar": "#3b7a57"}


def cells_of_table_1() -> Iterator[tuple[str, str, Found]]:
    """How likely a bet of 0.25 pots is translated to A."""
    for row in printed.TABLE_1.rows:
        for column in printed.TABLE_1.columns:
            yield row, column, Found(float(MAPPINGS[NAMES[row]](0.25, float(column), 1.0)))


def medians(a: float, b: float) -> Callable[[], Iterator[tuple[str, str, Found]]]:
    """Where each randomised mapping reads a bet as `a` with probability 1/2."""

    def find() -> Iterator[tuple[str, str, Found]]:
        for row in COLOURS:
            mapping = MAPPINGS[NAMES[row]]
            yield row, "median", Found(float(brentq(lambda x, f=mapping: f(x, a, b) - 0.5, a, b, xtol=1e-12)))

    return find


def curves(a: float, b: float) -> Callable[[], dict[str, Any]]:
    """The curves of a figure as numbers: bets, and for every mapping how likely they are translated to `a`."""

    def values() -> dict[str, Any]:
        bets = np.linspace(a, b, POINTS)
        return {"curves": {"x": bets.tolist(), **{row: MAPPINGS[NAMES[row]](bets, a, b).tolist() for row in COLOURS}}}

    return values


def draw(a: float, b: float) -> Callable[[], str]:
    """The figure as SVG text."""

    def picture() -> str:
        import matplotlib as mpl
        from matplotlib.figure import Figure

        with mpl.rc_context({"svg.hashsalt": "kibitz", "font.size": 9}):  # the same curves give the same bytes
            figure = Figure(figsize=(6, 3.6), layout="constrained")
            axes = figure.subplots()
            bets = np.linspace(a, b, POINTS)
            for row, colour in COLOURS.items():
                axes.plot(bets, MAPPINGS[NAMES[row]](bets, a, b), color=colour, label=row)
            axes.axhline(0.5, color="#222222", lw=0.8, ls=":")
            axes.set_xlabel("bet x, pots")
            axes.set_ylabel(f"read as {a:g}")
            axes.set_xlim(a, b)
            axes.set_ylim(0, 1)
            axes.grid(alpha=0.3)
            axes.legend(frameon=False)
            text = StringIO()
            figure.savefig(text, format="svg", metadata={"Date": None})
        return text.getvalue()[text.getvalue().index("<svg") :]

    return picture
