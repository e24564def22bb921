"""A decision as a picture: every cell of the grid is split among its actions."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from kibitz.cards import format_cards
from kibitz.files import save_figure
from kibitz.spots.grid import SIZE, choices, class_names, class_shares
from kibitz.spots.report import Decision
from kibitz.spots.spot import SEATS

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def draw_decision(decision: Decision) -> Figure:
    """The strategy of the player to act."""
    from matplotlib.figure import Figure
    from matplotlib.patches import Patch

    figure = Figure(figsize=(8.2, 8.6), layout="constrained")
    axes = figure.subplots()
    shown, shares, names = choices(decision), class_shares(decision), class_names()
    for row in range(SIZE):
        for column in range(SIZE):
            split = shares[row, column]
            present = not np.isnan(split).any()
            if present:
                left = column + np.concatenate(([0.0], np.cumsum(split)[:-1]))
                axes.barh(
                    [row] * len(split),
                    split,
                    left=left,
                    height=1.0,
                    align="edge",
                    color=[each.colour for each in shown],
                )
            colour = "#101010" if present else "#b0b0b0"
            axes.text(column + 0.5, row + 0.5, names[row][column], ha="center", va="center", fontsize=9, color=colour)
    for line in range(SIZE + 1):
        axes.axhline(line, color="white", lw=1.2)
        axes.axvline(line, color="white", lw=1.2)
    axes.set(xlim=(0, SIZE), ylim=(SIZE, 0), xticks=[], yticks=[], aspect="equal", facecolor="#ececec")
    axes.spines[:].set_visible(False)
    cards = " ".join(format_cards((card,)) for card in decision.board)
    after = f"after {decision.history}" if decision.history else "first to act"
    axes.set_title(f"{cards}: {SEATS[decision.player]}, {after}, pot {decision.pot}")
    handles = [Patch(color=each.colour, label=f"{each.words}  {each.frequency:.1%}") for each in shown]
    figure.legend(handles=handles, loc="outside lower center", ncols=min(len(handles), 4), frameon=False)
    return figure


def plot_decision(decision: Decision, path: Path) -> None:
    """Draw the strategy of the player to act into `path`, whose ending says the format."""
    save_figure(path, draw_decision(decision))
