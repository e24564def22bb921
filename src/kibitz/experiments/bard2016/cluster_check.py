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
    "Beside 200 trials of ours the other program's greedy losses are 2.4 to 3.3 % lower, 1.6 to 2.2 standard errors; "
    "at k = 4 they are 4.7 % lower, 3.3 standard errors, more than eight samples explain. Beside 24 trials of k-means "
    "they are 0.9 to 2.5 % lower, 0.6 to 1.6 standard errors.",
    "At k = 1, where nothing is clustered, 1,200 trials of ours give 471.3 ± 0.5 (one standard error) and eight trials "
    "have one of 6.5; of 150 batches of eight, 3 are as low as 457.4.",
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
            rows = {"ours": means, "± one error": ours, "other program": others, "± one of its": theirs, "apart": apart}
            for name, values in rows.items():
                for column, value in zip(table.columns, values, strict=True):
                    yield f"{method}: {name}", column, Found(float(value))

    return Experiment(table, find, NOTES)
