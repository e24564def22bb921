"""Losses of clusters in Leduc beside those of a program of its own, which was written before this one.

It shares no code with Kibitz and tried few samples, so what it found is a check with an interval, not a target. Its
samples are the same for every k, and so are ours: what is off, is off at all k together.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from kibitz.experiments.bard2016.clusters import losses_at
from kibitz.experiments.bard2016.printed import TABLES
from kibitz.experiments.published import Effort, Experiment, Found

NAME = "figure-5.4b-check"
TRIALS = 8
# Method -> mean losses over the eight trials, in the order of the table's columns.
OTHER = {
    "greedy": (457.4, 301.7, 252.9, 240.9, 219.4, 178.8, 121.4, 66.3),
    "k-means": (457.4, 428.4, 406.8, 408.5, 398.6, 370.9, 324.1, 241.9),
}
NOTES = (
    "Strategies by rank, drawn uniformly at every information set. The standard error of the other program's means "
    "follows from the spread of our trials.",
    "At k = 1, where nothing is clustered, 400 trials of ours lose 471.4 ± 0.9 (one standard error); eight trials have "
    "one of 6.1, and the other program's are 2.3 of these lower. The same 3 % are missing at every k, by both methods.",
    "In shares of the loss at k = 1, which do not depend on that, all 14 losses are within 3 % of each other.",
)


def check(effort: Effort) -> Experiment:
    """Both programs, with standard errors."""
    table = TABLES[NAME]
    places = [int(k) - 1 for k in table.columns]

    def find() -> Iterator[tuple[str, str, Found]]:
        losses = losses_at(effort, "leduc")
        for method, others in OTHER.items():
            means, spread = losses[method][:, places].mean(axis=0), losses[method][:, places].std(axis=0, ddof=1)
            ours, theirs = (spread / np.sqrt(count) for count in (len(losses[method]), TRIALS))
            apart = (means - others) / np.hypot(ours, theirs)
            shares = means / means[0] / np.divide(others, others[0])
            rows = {
                "ours": means,
                "± one error": ours,
                "other program": others,
                "± one of its": theirs,
                "apart": apart,
                "share of k = 1, % more": 100 * (shares - 1),
            }
            for name, values in rows.items():
                for column, value in zip(table.columns, values, strict=True):
                    yield f"{method}: {name}", column, Found(float(value))

    return Experiment(table, find, NOTES)
