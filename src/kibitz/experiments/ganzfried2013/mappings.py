"""The paper's seven mappings: table 1, figures 1 and 2, and how it seems to have read a bet on a threshold.

The text says that a deterministic mapping reads a bet on its threshold as the larger size. The figures of tables 3 and
4 say otherwise, and the rules here were chosen because they fit those figures. Of the rules tried, Det-Arith fits in
all cells only if the nearer size is taken, the smaller one when the distances are equal, with bets computed as k times
0.1 in floating point, so that 0.7 is a hair nearer to 1 than to 0.4; Det-psHar only if f >= 1/2 is read as the smaller
size. Det-Geo is as in the text.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from scipy.optimize import brentq

from kibitz.experiments.ganzfried2013.printed import TABLES
from kibitz.experiments.pictures import picture
from kibitz.experiments.published import Cells, Experiment, Found, PublishedTable
from kibitz.translation import MAPPINGS, Reading
from kibitz.translation.mappings import Mapping, det_geometric, rand_psharmonic

# The paper's name -> ours.
NAMES: dict[str, str] = {
    "Det-Arith": "det-arith",
    "Rand-Arith": "rand-arith",
    "Det-Geo": "det-geo",
    "Rand-Geo-1": "rand-geo-1",
    "Rand-Geo-2": "rand-geo-2",
    "Det-psHar": "det-psharmonic",
    "Rand-psHar": "rand-psharmonic",
}
Ties = Literal["paper", "smaller", "larger"]
_HAIR = 1e-9


def _nearest(x: Any, a: Any, b: Any) -> Any:
    x = np.rint(10 * x) * 0.1  # not rint(10 x) / 10: the paper's bets carry the rounding of 0.1
    return (x - a <= b - x) * 1.0


_PAPER: dict[str, Mapping] = {
    "det-arith": _nearest,
    "det-geo": det_geometric,
    "det-psharmonic": lambda x, a, b: (rand_psharmonic(x, a, b) >= 0.5 - _HAIR) * 1.0,
}


def is_deterministic(name: str) -> bool:
    """Whether a mapping, by either name, is deterministic."""
    return name.lower().startswith("det")


def mapping_with_ties(name: str, ties: Ties = "paper") -> Mapping:
    """Our mapping `name`; a bet on a threshold is read as the paper does, or as the smaller or the larger size."""
    mapping = MAPPINGS[name]
    if not is_deterministic(name):
        return mapping
    if ties == "paper":
        return _PAPER[name]
    shift = -_HAIR if ties == "smaller" else _HAIR
    return lambda x, a, b: mapping(x + shift, a, b)


@dataclass(frozen=True)
class TiedReading(Reading):
    """A reading by one mapping with a rule for ties."""

    ties: Ties = "paper"

    def shares(self, x: float, a: float, b: float, round_: int = 0) -> float:
        return float(mapping_with_ties(self.mapping, self.ties)(x, a, b))


POINTS = 101
COLOURS = {"Rand-Arith": "#c05a1c", "Rand-Geo-1": "#2f5d9b", "Rand-Geo-2": "#7aa6d8", "Rand-psHar": "#3b7a57"}


def cells_of_table_1() -> Cells:
    """How likely a bet of 0.25 pots is translated to A."""
    for row in TABLES["table-1"].rows:
        for column in TABLES["table-1"].columns:
            yield row, column, Found(float(MAPPINGS[NAMES[row]](0.25, float(column), 1.0)))


def figure(published: PublishedTable, a: float, b: float) -> Experiment:
    """Where each randomised mapping reads a bet as `a` with probability 1/2, and how likely it does for all bets."""
    bets, chosen = np.linspace(a, b, POINTS), {row: MAPPINGS[NAMES[row]] for row in COLOURS}

    def find() -> Cells:
        for row, mapping in chosen.items():
            yield row, "median", Found(float(brentq(lambda x, f=mapping: f(x, a, b) - 0.5, a, b, xtol=1e-12)))

    def values() -> dict[str, Any]:
        return {"curves": {"x": bets.tolist(), **{row: each(bets, a, b).tolist() for row, each in chosen.items()}}}

    def draw() -> str:
        with picture(3.6, 6) as (axes, text):
            axes.set_axisbelow("line")
            for row, mapping in chosen.items():
                axes.plot(bets, mapping(bets, a, b), color=COLOURS[row], label=row)
            axes.axhline(0.5, color="#222222", lw=0.8, ls=":")
            axes.set(xlabel="bet x, pots", ylabel=f"read as {a:g}", xlim=(a, b), ylim=(0, 1))
            axes.legend(frameon=False)
        return text[0]

    return Experiment.of(published, find, picture=draw, values=values)
