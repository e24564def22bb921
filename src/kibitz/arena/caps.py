"""What the cap on winnings decides: who leads under which cap, and what share of it is won."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.arena.bankroll import CapSweep, FloatArray, cap_sweep, clip_to_cap, ranking
from kibitz.arena.rankings import Rankings
from kibitz.errors import KibitzError
from kibitz.files import svg_text

NAMED_CURVES = 3  # agents with the largest capped bankrolls that are always drawn


class Lead(NamedTuple):
    """From this cap on `agent` has the largest bankroll."""

    cap: float
    agent: int


def leaders(sweep: CapSweep) -> list[Lead]:
    """Who has the largest bankroll, from the smallest caps to none; of those who are level, the first listed.

    Bankrolls are linear between the knots, so the largest of them is followed from crossing to crossing.
    """
    found: list[Lead] = []
    for low, high, here, there in zip(
        sweep.knots[:-1], sweep.knots[1:], sweep.bankrolls[:-1], sweep.bankrolls[1:], strict=True
    ):
        at, rise = 0.0, there - here
        leader = int(np.lexsort((-rise, -np.round(here, 9)))[0])
        while True:
            if not found or found[-1].agent != leader:
                found.append(Lead(float(low + at * (high - low)), leader))
            gain = rise - rise[leader]
            meets = np.full(len(gain), np.inf)
            np.divide(here[leader] - here, gain, out=meets, where=gain > 1e-12)
            meets[meets <= at] = np.inf
            nearest = meets.min()
            if not nearest < 1:
                break
            at, level = float(nearest), np.flatnonzero(np.isclose(meets, nearest, rtol=0, atol=1e-12))
            leader = int(level[np.argmax(rise[level])])
    return found


def share_of_cap(rates: npt.ArrayLike, agent: int, opponents: Sequence[int], cap: float) -> float:
    """What `agent` wins from these opponents under the cap, as a share of what the cap lets it win (heads-up)."""
    table: FloatArray = np.asarray(rates, dtype=np.float64)
    if table.ndim != 2:
        raise KibitzError("shares of the cap are for games of two players")
    if not opponents or agent in opponents:
        raise KibitzError("shares of the cap: at least one opponent, and not the agent itself")
    if not cap > 0:
        raise KibitzError(f"a cap of {cap}: shares need one above 0")
    return float(clip_to_cap(table[agent, list(opponents)], cap).mean() / cap)


def plot_cap_sweep(
    ranked: Rankings, agents: Sequence[int] = (), crossings: Sequence[tuple[float, int]] | None = None
) -> str:
    """Bankrolls as a function of the cap, as SVG: of these agents, by default of those that lead or rank high.

    crossings   (cap, agent) to be marked on the agent's curve; by default where the lead changes hands
    """
    import matplotlib as mpl
    from matplotlib.figure import Figure

    sweep = cap_sweep(ranked.rates)
    marks = leaders(sweep)[1:] if crossings is None else crossings
    chosen = agents or dict.fromkeys([*(each.agent for each in leaders(sweep)), *ranking(ranked.capped)[:NAMED_CURVES]])
    with mpl.rc_context({"font.size": 9}):
        figure = Figure(figsize=(7.5, 4), layout="constrained")
        axes = figure.subplots()
        for agent in chosen:
            axes.plot(sweep.knots, sweep.bankrolls[:, agent], label=ranked.names[agent], lw=1.2)
        axes.axvline(ranked.cap, color="#222222", lw=0.8, ls=":")
        for number, (cap, agent) in enumerate(marks):
            level = float(sweep.at(cap)[agent])
            beside = (5, -11) if number % 2 == 0 else (-27, 6)  # so that neighbours do not meet
            axes.plot([cap], [level], "o", ms=5, mfc="none", color="#222222")
            axes.annotate(f"{cap:,.0f}", (cap, level), beside, textcoords="offset points", fontsize=8)
        axes.set_xlabel(f"cap, {ranked.table.unit}")
        axes.set_ylabel(f"bankroll, {ranked.table.unit}")
        bends = (np.diff(sweep.bankrolls[:, list(chosen)], axis=0) != 0).any(axis=1)
        axes.set_xlim(0, 1.05 * float(sweep.knots[1 + np.flatnonzero(bends)[-1]] if bends.any() else sweep.knots[-1]))
        axes.grid(alpha=0.3)
        axes.legend(frameon=False)
        return svg_text(figure)
