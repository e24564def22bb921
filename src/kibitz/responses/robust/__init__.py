"""Robust responses: what beats an opponent, at a chosen price in safety (Bard 2016, chapters 2 and 4).

>>> from kibitz.games import load_game
>>> from kibitz.responses.robust import Method, respond
>>> from kibitz.solvers.problem import Problem
>>> from kibitz.strategy import Strategy
>>> problem = Problem(load_game("leduc"))
>>> found = respond(problem, Strategy.uniform(problem.vector.layout), Method("rnr", 0.5))
>>> [round(1000 * chips, 2) for chips in (found.objective, found.exploitation, found.exploitability)]
[696.29, 1844.95, 452.36]
"""

from kibitz.responses.robust.methods import CONFIDENCES, METHODS, Method
from kibitz.responses.robust.respond import Response, respond

__all__ = ["CONFIDENCES", "METHODS", "Method", "Response", "respond"]
