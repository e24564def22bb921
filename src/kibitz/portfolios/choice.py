"""Which experts to keep: greedy maximum coverage of the mimics, and the curve of coverage against size."""

from __future__ import annotations

from math import comb
from typing import NamedTuple

from kibitz.coverage import MOST_SUBSETS, best_cover, cover_ratio, covered, greedy_cover
from kibitz.errors import KibitzError
from kibitz.portfolios.files import Portfolio

FEW_SUBSETS = 20_000  # up to which the best choice is shown beside the greedy one


class Coverage(NamedTuple):
    """A step of the greedy choice.

    size      experts so far
    expert    the one that was added
    coverage  mean over the opponents of what the best expert so far wins from each mimic, in the portfolio's unit
    gain      of this step
    ratio     of the greedy coverage to the best of that size, above the worst expert for each; None where too many
              subsets would have to be tried
    """

    size: int
    expert: str
    coverage: float
    gain: float
    ratio: float | None


def coverage_curve(portfolio: Portfolio) -> list[Coverage]:
    """The steps of the greedy choice until all experts are in that add anything."""
    table, names = portfolio.utilities, portfolio.names
    chosen = greedy_cover(table, len(names))
    found: list[Coverage] = []
    for size in range(1, len(chosen) + 1):
        now = covered(table, chosen[:size]) / len(table)
        before = found[-1].coverage if found else float("nan")
        few = comb(len(names), size) <= FEW_SUBSETS
        ratio = cover_ratio(table, chosen[:size]) if few else None
        found.append(Coverage(size, names[chosen[size - 1]], now, now - before, ratio))
    return found


def prune(portfolio: Portfolio, size: int, least_gain: float = 0.0, optimal: bool = False) -> Portfolio:
    """The portfolio with only the experts playing that cover the mimics best.

    size        experts at most
    least_gain  stop the greedy choice where the next expert adds no more than that to the mean coverage, in its unit
    optimal     try all subsets instead
    """
    if not 1 <= size <= len(portfolio.experts):
        raise KibitzError(f"{size} of {len(portfolio.experts)} experts: at least one, at most all")
    if optimal:
        if comb(len(portfolio.experts), size) > MOST_SUBSETS:
            raise KibitzError(f"too many subsets of {size} of {len(portfolio.experts)} experts: use the greedy choice")
        chosen = best_cover(portfolio.utilities, size)
    else:
        chosen = greedy_cover(portfolio.utilities, size, least_gain * len(portfolio.utilities))
    return portfolio.with_playing([portfolio.names[column] for column in chosen])
