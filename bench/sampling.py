"""Sampled solvers: Leduc against OpenSpiel's C++, sums in fewer bytes, and three players of limit hold'em.

One iteration is a walk for each player, each on a deal of its own; in the row with a peer both keep suits apart (936
information sets), sum the average strategy as they go, and run on one thread. The rows on storage compare with double,
which stands where a peer would: rates, then bytes of the sums. Three players take 5 GB and half a minute.
"""

from time import perf_counter
from typing import Any

import numpy as np
import pyspiel

from bench.timing import rates
from kibitz.deals.sampled import sampled_deal
from kibitz.games import load_game
from kibitz.solvers.compiled.sampled import SampledGame
from kibitz.solvers.problem import Problem
from kibitz.solvers.sampled import STORAGE, ExternalSampling, PureCFR
from kibitz.tree import build_tree

OURS, THEIRS = 400_000, 4_000  # iterations a turn, some tenths of a second each
BUCKETED, THREE = 40_000, 8_192
CARDS = "IR EHS2 5-5-5-5"


def run() -> list[dict[str, Any]]:
    """Rows of walks of the tree, or iterations, per second."""
    return [leduc(), *storage(), *three_players()]


def leduc() -> dict[str, Any]:
    game = load_game("leduc")
    solver = ExternalSampling(SampledGame(build_tree(game), sampled_deal(game, suits_merged=False)), seed=1)
    peer = pyspiel.ExternalSamplingMCCFRSolver(pyspiel.load_game("leduc_poker"), seed=1)

    def peer_steps(iterations: int) -> None:
        for _ in range(iterations):
            peer.run_iteration()

    solver.step(1000)
    peer_steps(1000)
    best = rates({"ours": (solver.step, OURS), "peer": (peer_steps, THEIRS)})
    return row("Leduc external sampling v OpenSpiel C++", 2 * best["ours"], "walks/s", 2 * best["peer"], 15.0)


def storage() -> list[dict[str, Any]]:
    """Short sums on a bucket game of heads-up no-limit hold'em."""
    problem = Problem(load_game("holdem-nolimit-2p"), "fcpa", cards="5-bucket")
    solvers = {name: ExternalSampling(problem.sampled, seed=1, storage=name) for name in STORAGE}
    for solver in solvers.values():
        solver.step(BUCKETED)
    best = rates({name: (solver.step, BUCKETED) for name, solver in solvers.items()})
    size = {name: float(solver.regret.nbytes + solver.average.nbytes) for name, solver in solvers.items()}
    rows = []
    for name in list(STORAGE)[1:]:
        text = f"external sampling, no-limit fcpa, 5 buckets, {name} v double"
        rows += [row(text, best[name], "iterations/s", best["double"]), row(text, size[name], "bytes", size["double"])]
    return rows


def three_players() -> list[dict[str, Any]]:
    """All of limit hold'em's betting for three, five buckets a round."""
    problem = Problem(load_game("holdem-limit-3p"), cards=CARDS)
    start = perf_counter()
    nodes = len(problem.tree)
    rows = [row("betting tree of three-player limit hold'em", nodes / (perf_counter() - start), "nodes/s")]
    solvers = {kind.algorithm: kind(problem.sampled, seed=1, storage="single") for kind in (ExternalSampling, PureCFR)}
    for solver in solvers.values():
        solver.step(8 * THREE)  # most of what will be visited
    best = rates({name: (solver.step, THREE) for name, solver in solvers.items()})
    for name, solver in solvers.items():
        rows.append(row(f"three-player limit, {CARDS}, single, {name}", best[name], "iterations/s"))
        if name == "external":  # every visit of an opponent's node adds 1 to the sums
            visits = float(np.sum(solver.average, dtype=np.float64)) / solver.iteration
            rows.append(row("three-player limit, external: opponents' nodes", best[name] * visits, "nodes/s"))
    return rows


def row(name: str, ours: float, unit: str, peer: float | None = None, target: float | None = None) -> dict[str, Any]:
    ratio = ours / peer if peer else None
    return {"name": name, "ours": ours, "peer": peer, "ratio": ratio, "unit": unit, "target": target}
