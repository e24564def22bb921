"""External sampling on Leduc against OpenSpiel's C++ solver.

One iteration of either is a walk for each of the two players, each on a deal of its own; both keep suits apart (936
information sets) and sum the average strategy as they go. Both run on one thread.
"""

import pyspiel

from bench.timing import rates
from kibitz.deals.sampled import sampled_deal
from kibitz.games import load_game
from kibitz.solvers.mccfr import ExternalSampling
from kibitz.solvers.sampled import SampledForm
from kibitz.tree import build_tree

OURS, THEIRS = 400_000, 4_000  # iterations a turn, some tenths of a second each


def run() -> list[dict[str, object]]:
    """One row; rates in walks of the tree per second."""
    game = load_game("leduc")
    solver = ExternalSampling(SampledForm(build_tree(game), sampled_deal(game, suits_merged=False)), seed=1)
    peer = pyspiel.ExternalSamplingMCCFRSolver(pyspiel.load_game("leduc_poker"), seed=1)

    def peer_steps(iterations: int) -> None:
        for _ in range(iterations):
            peer.run_iteration()

    solver.step(1000)
    peer_steps(1000)
    best = rates({"ours": (solver.step, OURS), "peer": (peer_steps, THEIRS)})
    ours, theirs = 2 * best["ours"], 2 * best["peer"]
    return [
        {
            "name": "Leduc external sampling v OpenSpiel C++",
            "ours": ours,
            "peer": theirs,
            "ratio": ours / theirs,
            "unit": "walks/s",
            "target": 15.0,
        }
    ]
