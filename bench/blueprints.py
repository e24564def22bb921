"""Bucket games of hold'em: what an iteration of each kind of solver costs, and what share of the machine it uses.

There is no peer: OpenSpiel's universal poker knows no buckets, and without them hold'em does not fit. The bar for the
matrix game is half a second an iteration on two cores. The first run makes the card tables, in about a minute.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from threadpoolctl import threadpool_limits

from bench.timing import rates
from kibitz.games import load_game
from kibitz.progress import silent
from kibitz.solvers.board_sampling import BoardSampled
from kibitz.solvers.cfr import CFR
from kibitz.solvers.problem import Problem
from kibitz.solvers.sampled import ChanceSampled, ExternalSampling

SIDE = 625  # states of the last round
ROWS = 1000


@cache
def problem(game: str) -> Problem:
    found = Problem(load_game(game), "fcpa", cards="5-bucket", boards=1000)
    found.prepare(2, silent)
    return found


def products(count: int) -> None:
    """What BLAS alone does with such matrices, single precision, one thread."""
    with threadpool_limits(1, "blas"):
        for _ in range(count):
            _LEFT @ _RIGHT


_LEFT, _RIGHT = np.ones((ROWS, SIDE), dtype=np.float32), np.ones((SIDE, SIDE), dtype=np.float32)


def row(name: str, ours: float, unit: str, peer: float | None = None, target: float | None = None) -> dict:
    return {
        "name": name,
        "ours": ours,
        "peer": peer,
        "ratio": ours / peer if peer else None,
        "unit": unit,
        "target": target,
    }


def run() -> list[dict]:
    """Rows of name, ours, peer, ratio and target; the bar of the matrix games stands where a peer would."""
    limit, nolimit = problem("holdem-limit-2p"), problem("holdem-nolimit-2p")
    solvers = {
        "limit, dcfr, 2 threads": (CFR(limit.vector, "dcfr", threads=2).step, 2),
        "limit, dcfr, 1 thread": (CFR(limit.vector, "dcfr").step, 2),
        "no-limit fcpa, dcfr, 2 threads": (CFR(nolimit.vector, "dcfr", threads=2).step, 5),
        "no-limit fcpa, chance sampling": (ChanceSampled(nolimit.sampled, seed=1).step, 500),
        "no-limit fcpa, external sampling": (ExternalSampling(nolimit.sampled, seed=1).step, 20_000),
        "no-limit fcpa, public chance sampling": (BoardSampled(nolimit.sampled, seed=1).step, 32),
        "products": (products, 20),
    }
    for step, count in solvers.values():
        step(count)  # compiles, and leaves the uniform start behind
    measured = rates(solvers)
    rows = [
        row(f"5 buckets, {name}", measured[name], "iterations/s", *((2.0, 1.0) if "limit, dcfr, 2" in name else ()))
        for name in list(solvers)[:-1]
    ]
    # A leaf of the last round is one row through one matrix, for each player once an iteration.
    leaves = sum(each.folds + each.showdowns for each in limit.size.rounds[-1:])
    flops = 2 * 2 * leaves * SIDE * SIDE / 1e9
    share = measured["limit, dcfr, 1 thread"] * flops
    rows.append(
        row(
            "5 buckets, limit: products v BLAS alone, 1 thread",
            share,
            "Gflop/s",
            measured["products"] * 2 * ROWS * SIDE * SIDE / 1e9,
        )
    )
    return rows
