"""Measure vector CFR+ on games from Leduc to Rhode Island and draw the cost per information set.

Writes docs/background/cost.png and prints its numbers. Takes a minute or two.
"""

from __future__ import annotations

from pathlib import Path
from time import perf_counter

from matplotlib.figure import Figure

from kibitz.games import load_game
from kibitz.games.named import leduc_nolimit
from kibitz.solvers.cfr import CFR
from kibitz.solvers.problem import Problem

GAMES = {
    "Leduc": Problem(load_game("leduc")),
    "Leduc, suits kept": Problem(load_game("leduc"), "full", suits_merged=False),
    "no-limit Leduc, stack 6": Problem(leduc_nolimit(stack=6)),
    "no-limit Leduc, stack 9": Problem(leduc_nolimit(stack=9)),
    "no-limit Leduc, stack 12": Problem(leduc_nolimit()),
    "no-limit Leduc, stack 12, suits kept": Problem(leduc_nolimit(), "full", suits_merged=False),
    "Rhode Island": Problem(load_game("rhode-island")),
}


def iterations_per_second(problem: Problem) -> float:
    """The best of several short runs on one thread."""
    solver = CFR(problem.vector, "cfr+")
    solver.step(2)
    count = max(1, 2_000_000 // problem.vector.layout.infosets)
    best = 0.0
    for _ in range(8):
        start = perf_counter()
        solver.step(count)
        best = max(best, count / (perf_counter() - start))
    return best


def main() -> None:
    figure = Figure(figsize=(7.5, 4), layout="constrained")
    axes = figure.subplots()
    print("| game | infosets | iterations/s | infosets x iterations/s |\n|---|--:|--:|--:|")
    for name, problem in GAMES.items():
        infosets, speed = problem.vector.layout.infosets, iterations_per_second(problem)
        print(f"| {name} | {infosets:,} | {speed:,.1f} | {infosets * speed / 1e6:.1f} M |")
        axes.plot(infosets, infosets * speed / 1e6, "o", color="#3b7a57")
        below = name.endswith("stack 12")  # its neighbour needs the room above
        axes.annotate(
            name,
            (infosets, infosets * speed / 1e6),
            xytext=(4, -12 if below else 5),
            textcoords="offset points",
            fontsize=8,
        )
    axes.set_xscale("log")
    axes.set_xlim(100, 4e7)
    axes.set_ylim(0, 1.15 * axes.get_ylim()[1])
    axes.set_xlabel("information sets")
    axes.set_ylabel("million information sets x iterations per second")
    axes.set_title("Vector CFR+ on one thread: cost per information set")
    axes.grid(alpha=0.3)
    figure.savefig(Path(__file__).parents[1] / "docs" / "background" / "cost.png", dpi=130)


if __name__ == "__main__":
    main()
