"""Portfolios of random strategies in small games."""

from functools import cache

import numpy as np

from kibitz.agents.strategic import StrategyAgent
from kibitz.games import load_game
from kibitz.modelling.estimators import Experts
from kibitz.policy.strategies import StrategyPolicy
from kibitz.solvers.problem import Problem
from kibitz.strategy import Strategy


@cache
def problem(game, menu="full"):
    return Problem(load_game(game), menu)


def strategy(of, seed):
    layout = of.vector.layout
    sums = np.random.default_rng(seed).exponential(size=layout.size) ** 3
    return Strategy.from_sums(layout, sums, of.describe_cards())


def experts(of, count=3, seed=0):
    return Experts(
        [StrategyPolicy(strategy(of, 100 * seed + k), of.sampled_deal, name=f"expert-{k}") for k in range(count)]
    )


def rival(of, seed=77):
    return StrategyAgent(strategy(of, seed), of.sampled_deal, name="rival")
