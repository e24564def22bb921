"""How exploitability falls, as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from kibitz.files import save_figure
from kibitz.training.run import Progress

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def draw_convergence(curve: Sequence[Progress]) -> Figure:
    """Exploitability against iterations and against seconds, both axes logarithmic."""
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
    return figure


def plot_convergence(curve: Sequence[Progress], path: Path) -> None:
    """The same in a file, written whole or not at all."""
    save_figure(path, draw_convergence(curve))
