"""What the thesis says of its figures: rows of statements, the cells that judge them, and values read off curves."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from math import nan

import numpy as np
import numpy.typing as npt

from kibitz.experiments.bard2016.printed import STATEMENTS
from kibitz.experiments.claims import Claim
from kibitz.experiments.published import Found, PublishedTable

Floats = npt.NDArray[np.float64]


def table_of_statements(name: str, source: str, titles: Iterable[str]) -> PublishedTable:
    """A row for each statement on a figure or table, a column for each game."""
    columns = tuple(titles)
    rows = {row: (nan,) * len(columns) for row in STATEMENTS[name]}
    return PublishedTable(source, "statement", columns, rows, 0.0, 1, bounds=dict(rows))


Claims = Mapping[str, Callable[[], Claim | None]]


def cells_of_statements(title: str, claims: Claims) -> Iterator[tuple[str, str, Found]]:
    """The cells of one game; a statement without a claim has none."""
    for row, make in claims.items():
        claim = make()
        if claim is not None:
            yield row, title, claim.found()


def explain(name: str) -> tuple[str, ...]:
    """The statements in words, with their lines in the text of the thesis."""
    return tuple(f"{row}: {text}." for row, text in STATEMENTS[name].items())


def gain_at(risk: Floats, gain: Floats, level: float) -> tuple[float, float]:
    """What a curve of responses, float64[points] each, wins at a level of risk: at least and at most.

    Mixtures of two neighbours win at least what lies on the line between them; the next riskier response wins at least
    as much as any that the curve has in between. nan below the curve's least risk.
    """
    order = np.argsort(risk, kind="stable")
    sorted_risk, best = risk[order], np.maximum.accumulate(gain[order])
    if level < sorted_risk[0]:
        return nan, nan
    following = min(int(np.searchsorted(sorted_risk, level)), len(best) - 1)
    return float(np.interp(level, sorted_risk, best)), float(best[following])
