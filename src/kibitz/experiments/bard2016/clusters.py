"""Figures 5.3 and 5.4: strategies of Kuhn and Leduc, clustered by what beats them and by distance."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import product, starmap

import numpy as np
import numpy.typing as npt

from kibitz.clustering import (
    TreeOracle,
    cluster_greedily,
    hard_example,
    inner_products,
    k_means,
    partition_utility,
)
from kibitz.clustering.methods import RESTARTS
from kibitz.experiments.bard2016.cluster_trials import (
    ENTITIES,
    KUHN_MOST,
    TRIALS,
    Curves,
    Floats,
    Ints,
    Reading,
    kuhn_oracle,
    leduc_losses,
    losses_at,
    regions,
)
from kibitz.experiments.bard2016.printed import TABLES
from kibitz.experiments.pictures import COLOURS, picture
from kibitz.experiments.published import DIFFERS, Cells, Effort, Experiment, Found, Variant, by_effort
from kibitz.random import derive_seed
from kibitz.statistics import student_95

NOTHING = 1e-9  # milli-antes that are rounding
READING_TRIALS = 5
READING = (
    'the thesis draws strategies "uniformly at random from the strategy space"; uniform over realisation plans, 7 '
    "clusters are as good as 64 by k-means, uniform at every information set about 8"
)


def equal_number(greedy: Floats, loss: float) -> float:
    """The number of greedy clusters that lose as much, interpolated; `greedy` are the losses of 1, 2, ... clusters."""
    return float(np.interp(-loss, -greedy, np.arange(1, len(greedy) + 1)))


def cells_of_theorem_2() -> Cells:
    """Greedy clustering of the hard example, and the partition said to be better."""
    for row in TABLES["theorem-2"].rows:
        k = int(row)
        oracle = TreeOracle.of_matrix(hard_example(k))
        yield row, "greedy", Found(cluster_greedily(oracle, k).utility(k))
        yield row, "equal indices together", Found(partition_utility(oracle, np.tile(np.arange(k), k)))


def figure_5_3(effort: Effort) -> Experiment:
    """One sample of 200 strategies, six clusters."""
    parameters = np.random.default_rng(effort.seed).random((ENTITIES, 2))
    game = kuhn_oracle(parameters)

    @cache
    def labels() -> dict[str, Ints]:
        spatial = k_means(inner_products(game.points), 6, effort.seed).labels
        return {"k-means": spatial, "greedy": cluster_greedily(game.oracle).labels(6)}

    def find() -> Cells:
        holds = {method: same_partition(found, regions(parameters)) for method, found in labels().items()}
        yield "greedy clusters are the six regions", "holds", Found(float(holds["greedy"]))
        yield "k-means clusters are not", "holds", Found(float(not holds["k-means"]))

    return Experiment(
        TABLES["figure-5.3"],
        find,
        (f"One sample of {ENTITIES} strategies of player two (--seed), k = 6.",),
        lambda: draw_regions(parameters, labels()),
        lambda: {"parameters": parameters.tolist(), "labels": {m: each.tolist() for m, each in labels().items()}},
    )


def same_partition(one: npt.ArrayLike, other: npt.ArrayLike) -> bool:
    """Whether two labellings put the same entities together."""
    pairs = set(zip(np.asarray(one).tolist(), np.asarray(other).tolist(), strict=True))
    return len(pairs) == len(np.unique(one)) == len(np.unique(other))


def figure_5_4(effort: Effort) -> Experiment:
    """What the text says of both parts."""

    def find() -> Cells:
        kuhn = losses_at(effort, "kuhn")
        leduc = {method: each.mean(axis=0) for method, each in losses_at(effort, "leduc").items()}
        holds = (
            (kuhn["greedy"][:, 5:] < NOTHING).all(),
            (kuhn["k-means"][:, 11] > NOTHING).all(),
            (kuhn["optimal"] <= kuhn["greedy"] + NOTHING).all(),
            (leduc["greedy"][1:] < leduc["k-means"][1:]).all(),
            abs(leduc["coverage"][6] / leduc["greedy"][6] - 1) < 0.1,
        )
        for row, found in zip(TABLES["figure-5.4"].rows, holds, strict=True):
            yield row, "holds", Found(float(found))

    return Experiment(TABLES["figure-5.4"], find, (_describe(effort),))


def figure_5_4a(effort: Effort) -> Experiment:
    """Undominated Kuhn poker."""

    def find() -> Cells:
        for method, losses in losses_at(effort, "kuhn").items():
            for k in range(1, KUHN_MOST + 1):
                yield method, str(k), _mean(losses[:, k - 1])

    notes = (
        f"{_describe(effort)} Player two's strategies.",
        "The thesis draws a figure; its text says that greedy clustering loses nothing from k = 6 on.",
    )
    return _with_curves(effort, "kuhn", Experiment(TABLES["figure-5.4a"], find, notes))


def figure_5_4b(effort: Effort) -> Experiment:
    """Leduc hold'em, with two readings of how strategies are drawn."""
    *numbers, equal = TABLES["figure-5.4b"].columns

    def find() -> Cells:
        for suffix in ("", ", plans"):
            losses = losses_at(effort, f"leduc{suffix}")
            for method, each in losses.items():
                for k in numbers:
                    yield method + suffix, k, _mean(each[:, int(k) - 1])
            pairs = zip(losses["greedy"], losses["k-means"], strict=True)
            found = _mean(np.array([equal_number(greedy, spatial[-1]) for greedy, spatial in pairs]))
            yield f"greedy{suffix}", equal, found._replace(open=DIFFERS, reason=READING)

    notes = (
        f"{_describe(effort)} Player one's strategies, hands of equal rank being one.",
        "Drawn uniformly at every information set; in the last rows, uniformly from all realisation plans.",
        "coverage: the strategies' own best responses, chosen greedily; each group then gets its best response.",
        "Last column: how many greedy clusters lose as much as 64 by k-means; the thesis says about 7.",
    )
    return _with_curves(effort, "leduc", Experiment(TABLES["figure-5.4b"], find, notes))


def readings_of_figure_5_4b(seed: int = 0) -> Iterator[Variant]:
    """The figure under other readings of "uniformly at random": mean losses, and how far from 7 the last column is."""
    *numbers, _ = TABLES["figure-5.4b"].columns
    for reading in starmap(Reading, product((True, False), repeat=2)):
        trials = [leduc_losses(derive_seed(seed, trial), reading) for trial in range(READING_TRIALS)]
        equal = float(np.mean([equal_number(each["greedy"], each["k-means"][-1]) for each in trials]))
        rows = {
            method: tuple(float(np.mean([each[method][int(k) - 1] for each in trials])) for k in numbers)
            for method in trials[0]
        }
        printed = TABLES["figure-5.4b"].rows["greedy"][-1]
        yield Variant(f"{reading}: {equal:.1f} greedy clusters as good as 64", rows, abs(equal - printed))


def _with_curves(effort: Effort, game: str, experiment: Experiment) -> Experiment:
    """The same with the losses at every k, as a picture and as numbers."""

    def curves() -> dict[str, list[float]]:
        return {method: each.mean(axis=0).tolist() for method, each in losses_at(effort, game).items()}

    return replace(
        experiment, picture=lambda: draw_losses(losses_at(effort, game)), values=lambda: {"curves": curves()}
    )


def _describe(effort: Effort) -> str:
    return f"{TRIALS[effort.preset]} trials of {ENTITIES} strategies, k-means with {RESTARTS} restarts."


def _mean(values: Floats) -> Found:
    """A mean over trials with its 95 % interval."""
    half = student_95(len(values) - 1) * float(values.std(ddof=1)) / np.sqrt(len(values))
    mean = float(values.mean())
    return Found(mean, mean - half, mean + half)


def draw_losses(losses: Curves) -> str:
    """Mean loss by the number of clusters, with 95 % intervals."""
    with picture(3.6) as (axes, text):
        for colour, (method, each) in zip(COLOURS, losses.items(), strict=False):
            numbers = np.arange(1, each.shape[1] + 1)
            found = [_mean(column) for column in each.T]
            axes.plot(numbers, [each.ours for each in found], color=colour, label=method, lw=1.2)
            axes.fill_between(
                numbers, [each.low for each in found], [each.high for each in found], color=colour, alpha=0.2
            )
        axes.set_xlabel("clusters")
        axes.set_ylabel("loss, milli-antes per strategy")
        axes.set_ylim(bottom=0)
        axes.legend(frameon=False)
    return text[0]


def draw_regions(parameters: Floats, labels: dict[str, Ints]) -> str:
    """The strategies by their parameters, k-means on the left and greedy clusters on the right."""
    with picture(3.6) as (axes, text):
        for column, (method, found) in enumerate(labels.items()):
            at = 1.15 * column
            axes.scatter(parameters[:, 0] + at, parameters[:, 1], c=found, cmap="tab10", vmin=0, vmax=9, s=9)
            for line in (([1 / 3, 1 / 3], [0, 1]), ([0, 1], [1 / 3, 1 / 3]), ([0, 1], [0, 1])):
                axes.plot(np.array(line[0]) + at, line[1], color="#222222", lw=0.8)
            axes.text(at + 0.5, 1.03, method, ha="center")
        axes.set_xticks([0, 1, 1.15, 2.15], ["0", "1", "0", "1"])
        axes.set_xlabel("η, how often Q calls a bet")
        axes.set_ylabel("ξ, how often J bets after a check")
    return text[0]


OTHER_TRIALS = 8  # of a program of its own, written before this one; it shares no code with Kibitz
# Method -> mean losses over the eight trials, in the order of the table's columns.
OTHER = {
    "greedy": (457.4, 301.7, 252.9, 240.9, 219.4, 178.8, 121.4, 66.3),
    "k-means": (457.4, 428.4, 406.8, 408.5, 398.6, 370.9, 324.1, 241.9),
}


def check(effort: Effort) -> Experiment:
    """Both programs, with standard errors: what it found is a check with an interval, not a target. Its samples are the
    same for every k, and so are ours: what is off, is off at all k together.
    """
    table = TABLES["figure-5.4b-check"]
    places = [int(k) - 1 for k in table.columns]

    def find() -> Cells:
        losses = losses_at(effort, "leduc")
        for method, others in OTHER.items():
            means, spread = losses[method][:, places].mean(axis=0), losses[method][:, places].std(axis=0, ddof=1)
            ours, theirs = (spread / np.sqrt(count) for count in (len(losses[method]), OTHER_TRIALS))
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

    return Experiment.of(table, find)


EXPERIMENTS: dict[str, Experiment] = {
    "theorem-2": Experiment.of(TABLES["theorem-2"], cells_of_theorem_2),
    "figure-5.3": by_effort(figure_5_3),
    "figure-5.4": by_effort(figure_5_4),
    "figure-5.4a": by_effort(figure_5_4a),
    "figure-5.4b": replace(by_effort(figure_5_4b), variants=readings_of_figure_5_4b),
    "figure-5.4b-check": by_effort(check),
}
