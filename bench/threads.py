"""One thread and many: what solvers gain from more cores, with the same bits on each.

The bucket game has the betting of limit hold'em and five buckets a round, perfect recall; its matrices are random
numbers, which take as long as real ones and need no card tables.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from bench.timing import rates
from kibitz.deals import MatrixDeal, RoundDeal, matrix_deal
from kibitz.games import Game, load_game
from kibitz.parallel.team import available_cores
from kibitz.solvers.cfr import CFR
from kibitz.solvers.compiled.vector import VectorGame
from kibitz.spots import Spot, SpotCFR, SpotGame
from kibitz.tree import build_tree

OPENER = "22+,A2s+,K9s+,QTs+,JTs,T9s,98s,87s,ATo+,KTo+,QTo+"
CALLER = "22+,A2s+,K7s+,Q9s+,J9s+,T8s+,97s,86s,A9o+,KTo+,QJo"
SPOTS = {
    "river, full ranges": (("Qs Jh 2h 8d 3c", 100, 400, "random", "random", "0.5, 1, all-in", 2), 100),
    "turn, full ranges": (("Qs Jh 2h 8d", 100, 400, "random", "random", "0.5, 1, all-in", 2), 20),
    "flop, a third of all hands": (("Qs Jh 2h", 60, 400, OPENER, CALLER, "0.5, 1 | 0.75, all-in | 1, all-in", 2), 2),
}
BUCKETS = 5


def random_buckets(game: Game) -> MatrixDeal:
    """BUCKETS times as many states every round, any of which may meet any other."""
    generator = np.random.default_rng(0)
    rounds = []
    for r in range(game.rounds):
        count = BUCKETS ** (r + 1)
        weight = generator.random((count, count))
        weight /= weight.sum()
        sign = weight * np.sign(generator.random((count, count)) - 0.5)
        labels = tuple(map(str, range(count)))
        parent = np.arange(count) // BUCKETS if r else np.zeros(count, dtype=np.int64)
        edge = np.array([0, count])
        start = np.array([0, count * count])
        rounds.append(RoundDeal((labels,) * 2, (parent,) * 2, (edge,) * 2, start, weight.ravel(), sign.ravel()))
    return MatrixDeal(game, False, tuple(rounds), cards="random")


def jobs() -> dict[str, tuple[Callable[[int], Any], int]]:
    """Name -> (a solver for so many threads, iterations a turn)."""
    found: dict[str, tuple[Callable[[int], Any], int]] = {}
    for name, (arguments, count) in SPOTS.items():
        compiled = SpotGame(Spot.parse(*arguments))
        found[name] = (lambda threads, compiled=compiled: SpotCFR(compiled, threads=threads)), count
    limit, island = load_game("holdem-limit-2p"), load_game("rhode-island")
    games = {
        "5 buckets, limit, dcfr": VectorGame(build_tree(limit), random_buckets(limit)),
        "Rhode Island, dcfr": VectorGame(build_tree(island), matrix_deal(island)),
    }
    for name, compiled in games.items():
        found[name] = (lambda threads, compiled=compiled: CFR(compiled, "dcfr", threads=threads)), 3
    return found


def run() -> list[dict]:
    """Rows of name, ours and, as the peer, one thread."""
    cores = available_cores()
    counts = sorted({1, *(2**k for k in range(1, cores.bit_length()) if 2**k <= cores), cores})
    rows = []
    for name, (make, amount) in jobs().items():
        solvers = {threads: make(threads) for threads in counts}
        measured = rates({str(threads): (solver.step, amount) for threads, solver in solvers.items()})
        for threads in counts:
            ours, one = measured[str(threads)], measured["1"]
            same = np.array_equal(solvers[threads].regret, solvers[1].regret)
            if not same:
                raise AssertionError(f"{name}: {threads} threads give other bits than one")
            label = "thread" if threads == 1 else "threads"
            peer = {"peer": one, "ratio": ours / one} if threads > 1 else {"peer": None, "ratio": None}
            rows.append(
                {"name": f"{name}, {threads} {label}", "ours": ours, "unit": "iterations/s", "target": None} | peer
            )
    return rows
