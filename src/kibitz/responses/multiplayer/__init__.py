"""Responses in games of three and more players, by sampling: one for each seat, against others who share one model.

Bard 2016, section 6.2.2 and appendix B.2: both opponents have the same cards and the same frequentist model, and each
of the three positions has a data-biased response of its own, by external sampling. Exploitability has no meaning here:
what a player loses depends on what the others agree upon.

>>> from kibitz.games import load_game
>>> from kibitz.responses.multiplayer import Sampling, respond
>>> from kibitz.responses.robust import Method
>>> from kibitz.solvers.problem import Problem
>>> from kibitz.strategy import Strategy
>>> problem = Problem(load_game("kuhn-3p"))
>>> uniform = Strategy.uniform(problem.sampled.layout)
>>> found = respond(problem, uniform, Method("fbr"), Sampling(iterations=2_000, hands=10_000))
>>> [seat.exploitation.mean > 500 for seat in found.seats]
[True, True, True]
"""

from kibitz.responses.multiplayer.respond import PROFILES, Response, Sampling, exploitation
from kibitz.responses.multiplayer.runs import respond

__all__ = ["PROFILES", "Response", "Sampling", "exploitation", "respond"]
