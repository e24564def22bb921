"""Frequentist models of players: counts of their decisions in logs, and the frequencies that follow from them.

>>> from kibitz.modelling.frequentist import Observation, build_model
>>> from kibitz.solvers.problem import Problem
>>> from kibitz.games import load_game
>>> problem = Problem(load_game("leduc"))
>>> built = build_model(["match.log"], Observation(("p1",)), problem)  # doctest: +SKIP
>>> built.model.strategy, built.model.visits  # doctest: +SKIP
"""

from kibitz.modelling.frequentist.build import Built, build_model, find_game
from kibitz.modelling.frequentist.counting import coverage
from kibitz.modelling.frequentist.observing import Observation

__all__ = [
    "Built",
    "Observation",
    "build_model",
    "coverage",
    "find_game",
]
