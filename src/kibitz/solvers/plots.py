"""How exploitability falls, as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from kibitz.files import save_figure
from kibitz.solvers.run import Progress


def plot_convergence(curve: Sequence[Progress], path: Path) -> None:
    """Exploitability against iterations and against seconds, both axes logarithmic; written whole or not at all."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 3.6), layout="constrained")
    by_iteration, by_time = figure.subplots(1, 2, sharey=True)
    heights = [max(each.exploitability, 1e-16) for each in curve]
    by_iteration.loglog([each.iteration for each in curve], heights, marker="o", ms=3, color="#3b7a57")
    by_time.loglog([max(each.seconds, 1e-6) for each in curve], heights, marker="o", ms=3, color="#3b7a57")
    by_iteration.set_xlabel("iterations")
    by_time.set_xlabel("seconds of solving")
    by_iteration.set_ylabel("exploitability, chips per hand")
    for axes in (by_iteration, by_time):
        axes.grid(which="both", alpha=0.25)
    save_figure(path, figure)
