"""Stacked bars: what agents win on the average, by opponent."""

from __future__ import annotations

import numpy as np

from kibitz.experiments.bard2016.statements import Floats
from kibitz.experiments.pictures import picture

PALETTE = (
    "#1f6f8b",
    "#c8553d",
    "#588157",
    "#7b5ea7",
    "#d9a441",
    "#6b8fb5",
    "#a23b5a",
    "#8aa399",
    "#b58463",
    "#4a4e69",
    "#c9ada7",
    "#8a6d3b",
)


def draw_bars(bars: dict[str, Floats], arms: dict[str, float], opponents: list[str], unit: str) -> str:
    """SVG text: a bar for each agent, from the top down.

    bars       name -> float64[opponents], what it wins from each; they are stacked as parts of the mean, losses to the
               left of zero
    arms       name -> half the 95 % interval of the mean, where there is one
    """
    names = list(bars)
    parts = np.array([bars[name] for name in names]) / len(opponents)  # float64[agents, opponents]
    with picture(1.2 + 0.34 * len(names), 8.4) as (axes, text):
        places = np.arange(len(names))
        for sign in (1.0, -1.0):
            ends = np.zeros(len(names))
            for number, opponent in enumerate(opponents):
                width = np.where(sign * parts[:, number] > 0, parts[:, number], 0.0)
                label = opponent if sign > 0 else None
                axes.barh(places, width, left=ends, color=PALETTE[number % len(PALETTE)], height=0.7, label=label)
                ends += width
        means = parts.sum(axis=1)
        axes.errorbar(
            means, places, xerr=[arms.get(name, 0.0) for name in names], fmt="D", ms=3.5, color="black", lw=1, capsize=2
        )
        axes.axvline(0, color="black", lw=0.8)
        axes.set_yticks(places, [f"{name}  {mean:.0f}" for name, mean in zip(names, means, strict=True)])
        axes.invert_yaxis()
        axes.set_xlabel(f"won, {unit}: parts of the mean by opponent; the mark is the mean with its 95 % interval")
        axes.legend(frameon=False, fontsize=7, loc="center left", bbox_to_anchor=(1.0, 0.5))
    return text[0]
