"""Random strategies of undominated Kuhn and of Leduc, and what is lost by clustering them: trials of chapter 5."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.clustering import (
    DecisionTree,
    Partitions,
    TreeOracle,
    by_coverage,
    by_distance,
    by_merging,
    individual_utility,
    partition_of,
    partition_utility,
)
from kibitz.coverage import best_cover
from kibitz.experiments.bard2016.small_games import small_game
from kibitz.experiments.ledger import open_ledger
from kibitz.experiments.published import Effort
from kibitz.random import derive_seed
from kibitz.responses.clusters import StrategyOracle
from kibitz.strategy import Strategy

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Curves = dict[str, Floats]  # by method, the losses of 1, 2, ... clusters in milli-antes per strategy

ENTITIES = 200
TRIALS = {"smoke": 2, "short": 10, "full": 50}
KUHN_MOST, LEDUC_MOST = 12, 64  # clusters
REGIONS = ((0.2, 0.1), (0.1, 0.2), (0.1, 0.8), (0.8, 0.1), (0.9, 0.8), (0.8, 0.9))  # (eta, xi), one in each


def kuhn_oracle(parameters: Floats) -> StrategyOracle:
    """Player two of undominated Kuhn poker: float64[m, 2], how often Q calls a bet and J bets after a check."""
    game = small_game("kuhn").vector
    tree, layout = game.tree, game.layout
    one = Strategy.uniform(layout)
    for word in ("c", "r"):
        one.at(tree.child(0, word))[...] = 0.0
    values = np.tile(one.values, (len(parameters), 1))
    for row, (eta, xi) in zip(values, parameters, strict=True):
        strategy = Strategy(layout, row)
        # States are J, Q, K; after a check: check or bet; after a bet: fold or call.
        strategy.at(tree.child(0, "c"))[...] = [[1 - xi, 1, 0], [xi, 0, 1]]
        strategy.at(tree.child(0, "r"))[...] = [[1, 1 - eta, 0], [0, eta, 1]]
    return StrategyOracle(game, values, (1,))


def regions(parameters: Floats) -> Ints:
    """The best response region of each (eta, xi), between the lines eta = 1/3, xi = 1/3 and eta = xi."""
    eta, xi = parameters.T
    return np.asarray((eta > 1 / 3) + 2 * (xi > 1 / 3) + 4 * (eta > xi), dtype=np.int64)


class Reading(NamedTuple):
    """What "uniformly at random from the strategy space" may mean.

    suits_merged  hands of equal rank are one
    of_plans      uniform over realisation plans; otherwise over the actions of every information set
    """

    suits_merged: bool = True
    of_plans: bool = False

    def __str__(self) -> str:
        cards = "hands by rank" if self.suits_merged else "hands with suits"
        return f"{cards}, uniform {'over realisation plans' if self.of_plans else 'at every information set'}"


def leduc_oracle(rng: np.random.Generator, reading: Reading = Reading()) -> StrategyOracle:  # noqa: B008
    """Random strategies of player one in Leduc."""
    game = small_game("leduc", reading.suits_merged).vector
    shape = plan_shapes(reading.suits_merged) if reading.of_plans else np.ones(game.layout.size)
    raw = rng.gamma(shape, size=(ENTITIES, game.layout.size))  # normalised: Dirichlet at every information set
    return StrategyOracle(game, np.array([Strategy.from_sums(game.layout, row).values for row in raw]), (0,))


@cache
def plan_shapes(suits_merged: bool) -> Floats:
    """Shapes of the Dirichlet distributions that make player one's plans uniform, float64[layout.size].

    The plans below an action with weight p have a volume in proportion to p^d, d being the dimension of those plans. So
    the actions of an information set are distributed in proportion to the product of p_a^(d_a): Dirichlet(1 + d_a).
    """
    game = small_game("leduc", suits_merged).vector
    seat = StrategyOracle(game, np.empty((0, game.layout.size))).decisions[0]
    dimension = np.zeros(seat.tree.size)
    for first, last, parent in zip(*(each[::-1] for each in _decisions(seat.tree)), strict=True):
        dimension[parent] += last - first - 1 + dimension[first:last].sum()
    shapes = np.ones(game.layout.size)
    shapes[seat.places] += dimension[1:]
    return shapes


def _decisions(tree: DecisionTree) -> tuple[Ints, Ints, Ints]:
    """First choice, end of the choices and parent of every decision."""
    return tree.start[:-1], tree.start[1:], tree.parent


def kuhn_losses(seed: int) -> Curves:
    """Losses of 1 to 12 clusters in one trial, float64[12] by method."""
    rng = np.random.default_rng(seed)
    game = kuhn_oracle(rng.random((ENTITIES, 2)))
    oracle, numbers = game.oracle, range(1, KUHN_MOST + 1)
    responses = oracle.utilities(oracle.respond(kuhn_oracle(np.array(REGIONS)).oracle.statistics))
    covers = {k: best_cover(responses, min(k, len(REGIONS))) for k in numbers}
    return {
        "greedy": losses_of(oracle, by_merging(oracle, numbers)),
        "optimal": losses_of(oracle, {k: partition_of(responses[:, each]) for k, each in covers.items()}),
        "k-means": losses_of(oracle, by_distance(game.points, numbers, rng)),
    }


def leduc_losses(seed: int, reading: Reading = Reading()) -> Curves:  # noqa: B008
    """Losses of 1 to 64 clusters in one trial, float64[64] by method."""
    rng = np.random.default_rng(seed)
    game = leduc_oracle(rng, reading)
    oracle, numbers = game.oracle, range(1, LEDUC_MOST + 1)
    return {
        "greedy": losses_of(oracle, by_merging(oracle, numbers)),
        "coverage": losses_of(oracle, by_coverage(oracle, numbers)),
        "k-means": losses_of(oracle, by_distance(game.points, numbers, rng)),
    }


def losses_of(oracle: TreeOracle, partitions: Partitions) -> Floats:
    """Milli-antes per strategy from chips for all: the ante of both games is one chip."""
    whole = individual_utility(oracle)
    losses = [whole - partition_utility(oracle, labels) for labels in partitions.values()]
    return 1000 / len(oracle.statistics) * np.maximum(losses, 0.0)


RUNS: dict[str, Callable[[int], Curves]] = {
    "kuhn": kuhn_losses,
    "leduc": leduc_losses,
    "leduc, plans": partial(leduc_losses, reading=Reading(of_plans=True)),  # uniform over realisation plans
}


@cache
def losses_at(effort: Effort, game: str) -> Curves:
    """The losses of all trials of an effort, float64[trials, k] by method; several figures share them."""
    described = {"game": game, "strategies": ENTITIES, "seed": effort.seed}
    ledger = open_ledger("bard2016", f"clusters of {game}", described, effort, is_open=True)
    seeds = {f"trial {trial}": derive_seed(effort.seed, trial) for trial in range(TRIALS[effort.preset])}
    jobs = {name: partial(_trial, game, seed) for name, seed in seeds.items()}
    found = ledger.measure(jobs, effort, f"trials of {game}")
    return {method: np.array([each[method] for each in found]) for method in found[0]}


def _trial(game: str, seed: int) -> dict[str, list[float]]:
    return {method: each.tolist() for method, each in RUNS[game](seed).items()}
