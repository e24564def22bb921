"""Figure 3.2: what restricted Nash responses win and what they risk, by p."""

from __future__ import annotations

from collections.abc import Iterator

from kibitz.experiments.bard2016.printed import SHARES, TABLES
from kibitz.experiments.published import Found
from kibitz.games import load_game
from kibitz.responses.robust import Method, respond
from kibitz.solvers.problem import Problem
from kibitz.strategy import Strategy


def cells_of_figure_3_2() -> Iterator[tuple[str, str, Found]]:
    """Exactly, by linear programs."""
    problem = Problem(load_game("leduc"))
    uniform = Strategy.uniform(problem.vector.layout)
    for p in SHARES:
        found = respond(problem, uniform, Method("rnr", float(p)))
        for column in TABLES["figure-3.2"].columns:
            yield p, column, Found(1000 * getattr(found, column))
