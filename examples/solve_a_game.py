"""Solve Leduc hold'em, see how exploitable the answer is, and look at one decision."""

from kibitz.games import load_game
from kibitz.solvers.problem import Problem
from kibitz.solvers.registry import make_solver
from kibitz.training.run import solve

problem = Problem(load_game("leduc"))  # every legal size, suits merged: nothing is abstracted
solver = make_solver("dcfr", problem)
for progress in solve(solver, problem, until=0.001):
    print(f"{progress.iteration:6} iterations: exploitable for {progress.exploitability:.6f} chips a hand")

# What player 1 does with each card when player 0 has bet. Rows are actions, columns are the cards Q, K, A.
node = problem.tree.find("r")
strategy = solver.average_strategy()
print(problem.deal.rounds[0].labels[1])
for child, chances in zip(("fold", "call", "raise"), strategy.at(node), strict=True):
    print(f"{child:5}", " ".join(f"{chance:.3f}" for chance in chances))
