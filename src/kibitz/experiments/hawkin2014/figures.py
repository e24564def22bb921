"""Value curves of hold'em beside the printed ones, and the sizes of the trees they were learnt on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from math import floor, isnan
from typing import Any, Literal, NamedTuple

from kibitz.experiments.hawkin2014 import printed
from kibitz.experiments.hawkin2014.curves import Curve, CurvePoint
from kibitz.experiments.hawkin2014.efforts import curve_before, describe, find_curve
from kibitz.experiments.hawkin2014.pictures import Drawn, draw_bars, draw_curves
from kibitz.experiments.hawkin2014.printed_curves import SERIES
from kibitz.experiments.hawkin2014.specs import SPECS
from kibitz.experiments.published import OVERLAP, Effort, Experiment, Found, PublishedTable

Cells = Iterator[tuple[str, str, Found]]
RUNS = tuple(map(str, range(1, 11)))
WIDE = "our bounds are wider than the printed ones: the game was solved too briefly"
OTHER = "the thesis does not print its buckets, and sizes learnt on other deals differ"
BETTER = "better sizes for the one who learns than were printed: all deals at once leave no noise in their slopes"
SAMPLED = "k-means of our own, and thousands of boards where the thesis has millions of deals: sizes may not be at rest"
FULL_WIDTH = (
    "All deals at once: an iteration of ours does the work of many of the thesis's, which see one deal each, and the "
    "two numbers of iterations do not compare. The bounds are best responses in the same abstract game."
)
CARDS = (
    'Buckets are percentiles of E[HS²], five of each; the thesis says "hand strength" and no more. Those of E[HS] '
    "do not fit: see buckets."
)


class Column(NamedTuple):
    """A column of a figure: its heading, our curve, the printed series, and which of our values stands beside it."""

    heading: str
    curve: str
    series: str = ""
    shown: Literal["value", "played"] = "value"


def curve_figure(number: str, title: str, columns: Sequence[Column]) -> Experiment:
    """A figure of value curves, a row per run."""
    series = [SERIES[each.series or each.curve] for each in columns]
    published = PublishedTable(
        f"Hawkin 2014, figure {number}: {title}, value to player two in mbb/hand",
        "run",
        tuple(each.heading for each in columns),
        {run: tuple(each.values[i] for each in series) for i, run in enumerate(RUNS)},
        0,
        2,
        bounds={run: tuple(each.bounds[i] for each in series) for i, run in enumerate(RUNS)},
    )
    return Experiment(published, None, scaled=partial(_figure_at, published, tuple(columns)))


def _figure_at(published: PublishedTable, columns: tuple[Column, ...], effort: Effort) -> Experiment:
    names = tuple(dict.fromkeys(each.curve for each in columns))
    return Experiment(
        published,
        partial(_cells_of_figure, columns, effort),
        (*_general(names), *describe({name: curve_before(SPECS[name], effort) for name in names}, effort)),
        picture=partial(_draw, columns, effort),
        values=partial(document, names, effort),
    )


def _general(names: Sequence[str]) -> tuple[str, ...]:
    """What is to be said whatever the effort."""
    return (FULL_WIDTH, CARDS) if any(SPECS[name].cards == "5-bucket" for name in names) else ()


def shown(point: CurvePoint, column: Column) -> tuple[float, float, float]:
    """A value and its bounds."""
    if column.shown == "played":
        return point.played, point.played - point.played_error, point.played + point.played_error
    return point.value, point.low, point.high


def _is_sampled(curve: Curve | None) -> bool:
    """Whether sizes were learnt on boards, one after the other."""
    return curve is not None and curve.made["form"] == "boards"


def _cells_of_figure(columns: tuple[Column, ...], effort: Effort) -> Cells:
    for column in columns:
        curve = find_curve(column.curve, effort)
        series = SERIES[column.series or column.curve]
        for point in curve.points if curve is not None else ():
            value, low, high = shown(point, column)
            if point.run <= len(RUNS) and not isnan(value):
                printed_value, bound = series.values[point.run - 1], series.bounds[point.run - 1]
                better = (value > printed_value) == (SPECS[column.curve].seat == 1)
                reason = WIDE if (high - low) / 2 > bound else BETTER if better else OTHER
                if _is_sampled(curve):
                    reason = SAMPLED
                yield str(point.run), column.heading, Found(value, low, high, OVERLAP, reason)


def _draw(columns: tuple[Column, ...], effort: Effort) -> str:
    lines = []
    for column in columns:
        series, curve = SERIES[column.series or column.curve], find_curve(column.curve, effort)
        found = [] if curve is None else [(point.run, *shown(point, column)) for point in curve.points]
        points = [each for each in found if not isnan(each[1])]
        lines.append(Drawn(column.heading, list(series.values), list(series.bounds), points))
    return draw_curves(lines)


def document(names: Sequence[str], effort: Effort) -> dict[str, Any]:
    """The curves as JSON has them, without their sizes."""
    curves = {}
    for name in names:
        curve = find_curve(name, effort)
        if curve is not None:
            points = [{key: each for key, each in vars(point).items() if key != "sizes"} for point in curve.points]
            curves[name] = {"made": curve.made, "points": points}
    return {"curves": curves}


def tree_table(published: PublishedTable, rows: dict[str, tuple[str, int]]) -> Experiment:
    """A table of trees: row -> (curve, run); its columns are attributes of a point."""
    return Experiment(published, None, scaled=partial(_table_at, published, rows))


def _table_at(published: PublishedTable, rows: dict[str, tuple[str, int]], effort: Effort) -> Experiment:
    names = tuple(dict.fromkeys(name for name, _run in rows.values()))
    notes = ("Trees depend on the sizes learnt: within 15 per cent counts as reproduced.",)
    return Experiment(
        published,
        partial(_cells_of_table, published, rows, effort),
        (*notes, *_general(names), *describe({name: curve_before(SPECS[name], effort) for name in names}, effort)),
        values=partial(document, names, effort),
    )


def _cells_of_table(published: PublishedTable, rows: dict[str, tuple[str, int]], effort: Effort) -> Cells:
    for row, (name, run) in rows.items():
        curve = find_curve(name, effort)
        point = curve.at(run) if curve is not None else None
        for column in published.columns if point is not None else ():
            assert point is not None
            ours = float(getattr(point, column))
            if column == "value" and not isnan(ours):
                reason = SAMPLED if _is_sampled(curve) else OTHER
                yield row, column, Found(ours, point.low, point.high, OVERLAP, reason)
            elif column != "value":
                yield row, column, Found(ours, reason="other sizes were learnt, so that other bets fit")


def histogram(point: CurvePoint, share: float = 0.1) -> dict[str, int]:
    """Sizes of the most important bets, to the nearest tenth of the pot, and how many there are of each."""
    counts: dict[str, int] = {}
    for each in point.sizes[: max(1, round(share * point.bets))]:
        size = f"{floor(10 * each.size + 0.5) / 10:.1f}"
        counts[size] = counts.get(size, 0) + 1
    return counts


def figure_5_6(effort: Effort) -> Experiment:
    """The histogram of important sizes, of runs 8 and 6 or the last there are."""
    names = ("RE [0.8,1], P1", "RE [0.8,1], P2")
    notes = (
        "The bars cannot be read from the text of the thesis. It says that no size is preferred: player one's go from "
        "0.2 to 0.7 with a couple above 1 (run 8), player two's from 0.4 to 1 (run 6).",
        "Of the run that is printed, or the last that was learnt.",
    )
    return Experiment(
        printed.FIGURE_5_6,
        partial(_cells_of_histogram, names, effort),
        (*notes, *describe({name: curve_before(SPECS[name], effort) for name in names}, effort)),
        picture=partial(_draw_histogram, names, effort),
    )


def _histograms(names: tuple[str, str], effort: Effort) -> dict[str, dict[str, int]]:
    found = {}
    for player, name, run in zip(printed.PLAYERS, names, (8, 6), strict=True):
        curve = find_curve(name, effort)
        assert curve is not None  # one range is computed by every preset
        found[player] = histogram(curve.at(run) or curve.points[-1])
    return found


def _cells_of_histogram(names: tuple[str, str], effort: Effort) -> Cells:
    for player, counts in _histograms(names, effort).items():
        for row in printed.FIGURE_5_6.rows:
            yield row, player, Found(float(counts.get(row, 0)))


def _draw_histogram(names: tuple[str, str], effort: Effort) -> str:
    return draw_bars(_histograms(names, effort), tuple(printed.FIGURE_5_6.rows), "size, pots", "bets")


def last_point(curve: Curve, run: int) -> CurvePoint:
    """The point of a run, or the last one before it."""
    return max((point for point in curve.points if point.run <= run), key=lambda point: point.run)
