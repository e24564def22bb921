"""Value curves of hold'em beside the printed ones, the trees they were learnt on, and trees that need no learning."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import floor, isnan
from typing import Any, Literal, NamedTuple

import numpy as np

from kibitz.bet_sizing import default_ranges
from kibitz.bet_sizing.tree import count_pairs
from kibitz.experiments.hawkin2014.curves import PLAYERS, SERIES, SPECS, TABLES, Curve, CurvePoint, against
from kibitz.experiments.hawkin2014.efforts import describe, find_curve
from kibitz.experiments.pictures import COLOURS, picture
from kibitz.experiments.published import OVERLAP, Cells, Effort, Experiment, Found, PublishedTable
from kibitz.games.named import nolimit_holdem
from kibitz.tree.size import size_report

RUNS = tuple(map(str, range(1, 11)))
FIVE_BUCKETS = (5, 25, 125, 625)
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
    series = {each.heading: SERIES[each.series or each.curve] for each in columns}
    published = PublishedTable(
        f"Hawkin 2014, figure {number}: {title}, value to player two in mbb/hand",
        "run",
        tuple(series),
        {run: tuple(each.values[i] for each in series.values()) for i, run in enumerate(RUNS)},
        0,
        2,
        bounds={run: tuple(each.bounds[i] for each in series.values()) for i, run in enumerate(RUNS)},
    )

    def at(effort: Effort) -> Experiment:
        def points(column: Column) -> list[tuple[int, float, float, float]]:
            """(run, value, low, high) of those that are valued."""
            curve = find_curve(column.curve, effort)
            found = [(point.run, *shown(point, column)) for point in curve.points] if curve is not None else []
            return [each for each in found if not isnan(each[1])]

        def find() -> Cells:
            for column in columns:
                printed, is_sampled = series[column.heading], _is_sampled(find_curve(column.curve, effort))
                for run, value, low, high in points(column):
                    if run <= len(RUNS):
                        better = (value > printed.values[run - 1]) == (SPECS[column.curve].seat == 1)
                        reason = WIDE if (high - low) / 2 > printed.bounds[run - 1] else BETTER if better else OTHER
                        found = Found(value, low, high, OVERLAP, SAMPLED if is_sampled else reason)
                        yield str(run), column.heading, found

        def draw() -> str:
            return draw_curves([Drawn(each.heading, *series[each.heading], points(each)) for each in columns])

        names = tuple(dict.fromkeys(each.curve for each in columns))
        notes = (*_general(names), *describe(names, effort))
        return Experiment(published, find, notes, draw, lambda: document(names, effort))

    return Experiment(published, None, scaled=at)


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


class Drawn(NamedTuple):
    """A printed curve with its bounds, and points of ours: (run, value, low, high)."""

    name: str
    values: Sequence[float]
    bounds: Sequence[float]
    points: Sequence[tuple[int, float, float, float]]


def draw_curves(lines: Sequence[Drawn]) -> str:
    """Printed curves as bands, ours as points with bounds in the same colour."""
    with picture(3.8) as (axes, text):
        for line, colour in zip(lines, COLOURS, strict=False):
            runs, values, bounds = range(1, len(line.values) + 1), np.array(line.values), np.array(line.bounds)
            axes.fill_between(runs, values - bounds, values + bounds, color=colour, alpha=0.15, linewidth=0)
            axes.plot(runs, values, color=colour, linestyle="--", linewidth=1, label=f"{line.name}, printed")
            if line.points:
                own, ours, low, high = np.array(line.points).T
                arms = (ours - low, high - ours)
                axes.errorbar(own, ours, arms, color=colour, marker="o", ms=4, lw=1.4, capsize=3, label=line.name)
        axes.set(xlabel="run", ylabel="value to player two, mbb/hand", xticks=range(1, 11))
        axes.legend(frameon=False, ncols=2 if len(lines) > 2 else 1)
    return text[0]


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

    def at(effort: Effort) -> Experiment:
        def find() -> Cells:
            for row, (name, run) in rows.items():
                curve = find_curve(name, effort)
                point = curve.at(run) if curve is not None else None
                for column in published.columns if point is not None else ():
                    ours = float(getattr(point, column))
                    if column != "value":
                        yield row, column, Found(ours, reason="other sizes were learnt, so that other bets fit")
                    elif point is not None and not isnan(ours):
                        reason = SAMPLED if _is_sampled(curve) else OTHER
                        yield row, column, Found(ours, point.low, point.high, OVERLAP, reason)

        names = tuple(dict.fromkeys(name for name, _run in rows.values()))
        first = "Trees depend on the sizes learnt: within 15 per cent counts as reproduced."
        notes = (first, *_general(names), *describe(names, effort))
        return Experiment(published, find, notes, values=lambda: document(names, effort))

    return Experiment(published, None, scaled=at)


def histogram(point: CurvePoint, share: float = 0.1) -> dict[str, int]:
    """Sizes of the most important bets, to the nearest tenth of the pot, and how many there are of each."""
    counts: dict[str, int] = {}
    for each in point.sizes[: max(1, round(share * point.bets))]:
        size = f"{floor(10 * each.size + 0.5) / 10:.1f}"
        counts[size] = counts.get(size, 0) + 1
    return counts


def figure_5_6(effort: Effort) -> Experiment:
    """The histogram of important sizes, of runs 8 and 6 or the last there are."""
    names, published = ("RE [0.8,1], P1", "RE [0.8,1], P2"), TABLES["figure-5.6"]

    def histograms() -> dict[str, dict[str, int]]:
        found = {}
        for player, name, run in zip(PLAYERS, names, (8, 6), strict=True):
            curve = find_curve(name, effort)
            assert curve is not None  # one range is computed by every preset
            found[player] = histogram(curve.at(run) or curve.points[-1])
        return found

    def find() -> Cells:
        for player, counts in histograms().items():
            yield from ((row, player, Found(float(counts.get(row, 0)))) for row in published.rows)

    notes = (
        "The bars cannot be read from the text of the thesis. It says that no size is preferred: player one's go from "
        "0.2 to 0.7 with a couple above 1 (run 8), player two's from 0.4 to 1 (run 6).",
        "Of the run that is printed, or the last that was learnt.",
        *describe(names, effort),
    )
    return Experiment(published, find, notes, lambda: draw_bars(histograms(), tuple(published.rows)))


def draw_bars(counts: Mapping[str, Mapping[str, int]], places: Sequence[str]) -> str:
    """Counts side by side, in a colour each."""
    with picture(3.2) as (axes, text):
        width = 0.8 / len(counts)
        for number, (name, found) in enumerate(counts.items()):
            left = [place + (number - (len(counts) - 1) / 2) * width for place in range(len(places))]
            axes.bar(left, [found.get(place, 0) for place in places], width, color=COLOURS[number], label=name)
        axes.set_xticks(range(len(places)), places)
        axes.set(xlabel="size, pots", ylabel="bets")
        axes.legend(frameon=False)
    return text[0]


def last_point(curve: Curve, run: int) -> CurvePoint:
    """The point of a run, or the last one before it."""
    return max((point for point in curve.points if point.run <= run), key=lambda point: point.run)


def cells_of_table_5_3() -> Cells:
    """Counted without a tree."""
    for row in TABLES["table-5.3"].rows:
        report = size_report(nolimit_holdem(), (row, "fcpa"), FIVE_BUCKETS, convention="hawkin")
        yield row, "pairs", Found(float(report.pairs))


def cells_of_table_6_1() -> Cells:
    """From the stack and the number of bets."""
    ends = [end for each in default_ranges(200, 5, 3) for end in each]
    for column, end in zip(TABLES["table-6.1"].columns, ends, strict=True):
        yield "three", column, Found(end)


def first_trees() -> dict[str, Any]:
    """Sizes of the first trees of one, two and three default ranges against FCPA."""
    trees = {}
    for count in (1, 2, 3):
        tree = against(nolimit_holdem(), 0, *default_ranges(200, 5, count)).build()
        pairs = count_pairs(tree, FIVE_BUCKETS)
        trees[str(count)] = {"bets": len(tree.sizers), "extras": tree.extras, "pairs": pairs}
    return {"first trees": trees}
