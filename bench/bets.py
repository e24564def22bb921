"""Learning bet sizes in Leduc (two raises a round, 400 antes): all deals at once against one deal an iteration.

Both start from nothing with ranges [0.8, 1.5] for player one and go on until their sizes gain 15.5 % on fold, call, pot
and all-in, of 16.3 % that can be had; what the values of sizes take to compute is not counted. The second row is what
sizes that move add to an iteration of discounted CFR.
"""

from __future__ import annotations

from time import perf_counter

from bench.timing import rates
from kibitz.bet_sizing import SizeRange, Transformation
from kibitz.bet_sizing.runs import BetSolver
from kibitz.bet_sizing.sampled import SampledBets
from kibitz.bet_sizing.value import bound_value, gain
from kibitz.bet_sizing.vector import VectorBets
from kibitz.games.named import leduc_nolimit
from kibitz.solvers.cfr import CFR
from kibitz.solvers.problem import Problem
from kibitz.solvers.sequence_lp import solve_lp

WANTED = 0.155
PROBLEM = Problem(leduc_nolimit(400, 2), "fcpa")
ITERATIONS = 2000


def seconds_to_gain(solver: BetSolver, step: int) -> float:
    """Seconds of iterations until the sizes gain `WANTED`; `step` iterations between looks."""
    baseline = -solve_lp(PROBLEM.vector).value
    seconds = 0.0
    while True:
        start = perf_counter()
        solver.step(step)
        seconds += perf_counter() - start
        if gain(bound_value(solver.tree, solver.sizes(), PROBLEM)[0].value, baseline, 0) >= WANTED:
            return seconds


def run() -> list[dict[str, object]]:
    """Two rows."""
    tree = Transformation(PROBLEM.game, ((SizeRange(0.8, 1.5),), ()), ("all-in", "fcpa")).build()
    for warm in (VectorBets(tree, PROBLEM.deal), SampledBets(tree, PROBLEM.sampled_deal)):
        warm.step(1)
    ours = min(seconds_to_gain(VectorBets(tree, PROBLEM.deal), 100) for _ in range(3))
    theirs = seconds_to_gain(SampledBets(tree, PROBLEM.sampled_deal), 100_000)
    moving, still = VectorBets(tree, PROBLEM.deal), CFR(VectorBets(tree, PROBLEM.deal).compiled, "dcfr")
    best = rates({"ours": (moving.step, ITERATIONS), "peer": (still.step, ITERATIONS)})
    return [
        {
            "name": "Leduc bet sizes, all deals v sampled (Hawkin 2014)",
            "ours": 1 / ours,
            "peer": 1 / theirs,
            "ratio": theirs / ours,
            "unit": "runs/s",
            "target": None,
        },
        {
            "name": "Leduc bet sizes v sizes that stay",
            "ours": best["ours"],
            "peer": best["peer"],
            "ratio": best["ours"] / best["peer"],
            "unit": "iterations/s",
            "target": None,
        },
    ]
