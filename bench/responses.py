"""Robust responses: what an iteration costs beside one of CFR or public chance sampling, and how long Leduc takes.

There is no peer: a response is measured against the equilibrium of the same game, whose iterations pass over the same
tree. Ratios are CPU time of CFR by CPU time of the response, so 1 / 1.4 = 0.71 is what is wanted at least, on sampled
boards, where the model has cards of its own, 1 / 1.6 = 0.62. Seconds are CPU time too, as a share of what is allowed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from time import process_time
from typing import Any

import numpy as np

from kibitz.games import load_game
from kibitz.responses.robust import Method, respond
from kibitz.responses.robust.methods import Solving
from kibitz.responses.robust.observing import observe
from kibitz.solvers.board_sampling import BoardSampled
from kibitz.solvers.board_sampling.restricted import BoardHolding, RestrictedBoardSampled
from kibitz.solvers.cfr import CFR
from kibitz.solvers.problem import Problem
from kibitz.solvers.restricted import RestrictedCFR, held_at_infosets, held_from_the_start
from kibitz.strategy import Strategy

TURNS = 7
WANTED = 0.71  # 1 / 1.4
WANTED_ON_BOARDS = 0.625  # 1 / 1.6
LP_SECONDS, DBR_SECONDS = 0.05, 0.1
GAMES = {  # problem, iterations of a turn
    "Leduc": (lambda: Problem(load_game("leduc")), 400),
    "no-limit Leduc": (lambda: Problem(load_game("leduc-nolimit")), 10),
    "5-bucket limit hold'em": (lambda: Problem(load_game("holdem-limit-2p"), cards="5-bucket", boards=200), 1),
}


def run() -> list[dict[str, object]]:
    """Iterations per CPU second, and the two solves of Leduc."""
    rows = []
    for name, (make, iterations) in GAMES.items():
        rows += compare(name, make(), iterations)
    return rows + on_boards() + leduc()


def compare(name: str, problem: Problem, iterations: int) -> list[dict[str, object]]:
    """CFR, restricted Nash and data-biased iterations of one game."""
    compiled = problem.vector
    uniform = Strategy.uniform(compiled.layout)
    trust = np.full(compiled.layout.size, 0.5)
    solvers: dict[str, Any] = {
        "cfr": CFR(compiled, "cfr+"),
        "rnr": RestrictedCFR(compiled, held_from_the_start(compiled, 0, uniform, 0.5), "cfr+"),
        "dbr": RestrictedCFR(compiled, held_at_infosets(compiled, 0, uniform.values, trust), "cfr+"),
    }
    rate = cpu_rates({each: (solver.step, iterations) for each, solver in solvers.items()})
    return [
        {
            "name": f"{name}, {kind} iteration v CFR",
            "ours": rate[each],
            "peer": rate["cfr"],
            "ratio": rate[each] / rate["cfr"],
            "unit": "it/s",
            "target": WANTED,
        }
        for each, kind in (("rnr", "restricted Nash"), ("dbr", "data-biased"))
    ]


def on_boards() -> list[dict[str, object]]:
    """A data-biased iteration with three card abstractions, and a plain one, on the same boards."""
    game = load_game("holdem-limit-2p")
    rows: list[dict[str, object]] = []
    for ours, free, model in (("5-bucket", "5-bucket", "8-bucket"), ("5-bucket", "8-bucket", "5-bucket")):
        problem, theirs = Problem(game, cards=(ours, free)), Problem(game, cards=model)
        layout = theirs.sampled.layout
        held = BoardHolding(0, theirs.abstractions[0], layout, 0.5 * Strategy.uniform(layout).values)
        solvers = {"pcs": BoardSampled(problem.sampled), "dbr": RestrictedBoardSampled(problem.sampled, held)}
        rate = cpu_rates({name: (solver.step, 4) for name, solver in solvers.items()})
        rows.append(
            {
                "name": f"limit hold'em, data-biased {ours}, {free}, {model} iteration v public chance sampling",
                "ours": rate["dbr"],
                "peer": rate["pcs"],
                "ratio": rate["dbr"] / rate["pcs"],
                "unit": "it/s",
                "target": WANTED_ON_BOARDS,
            }
        )
    return rows


def leduc() -> list[dict[str, object]]:
    """Whole responses in Leduc, both seats."""
    problem = Problem(load_game("leduc"))
    uniform = Strategy.uniform(problem.vector.layout)
    model = observe(problem.deal, uniform, 10_000)
    solves = {
        "restricted Nash by LP": (lambda: respond(problem, uniform, Method("rnr", 0.5)), LP_SECONDS),
        "data-biased by LP": (lambda: respond(problem, model, Method("dbr", 0.5)), LP_SECONDS),
        "data-biased by CFR to 1e-3": (
            lambda: respond(problem, model, Method("dbr", 0.5), Solving("pcfr+", 5_000, 1e-3)),
            DBR_SECONDS,
        ),
    }
    rows: list[dict[str, object]] = []
    for name, (solve, allowed) in solves.items():
        found = solve()
        assert found.gap <= 1e-3
        seconds = 1 / cpu_rates({name: (lambda count, solve=solve: [solve() for _ in range(count)], 1)})[name]
        rows.append(
            {
                "name": f"Leduc, {name}",
                "ours": 1 / seconds,
                "peer": None,
                "ratio": allowed / seconds,
                "unit": "solves/s",
                "target": 1.0,
            }
        )
    return rows


def cpu_rates(contestants: Mapping[str, tuple[Callable[[int], object], int]]) -> dict[str, float]:
    """`bench.timing.rates` by CPU time: what else the machine does counts less."""
    for function, _amount in contestants.values():
        function(1)
    best = dict.fromkeys(contestants, 0.0)
    for _ in range(TURNS):
        for name, (function, amount) in contestants.items():
            start = process_time()
            function(amount)
            best[name] = max(best[name], amount / (process_time() - start))
    return best
