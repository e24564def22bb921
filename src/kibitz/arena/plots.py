"""Pictures of standings, as SVG text."""

from __future__ import annotations

from io import StringIO
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from kibitz.arena.bootstrap import BootstrapRanking
from kibitz.arena.standings import Standings

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WIN, LOSS = "#4c86b8", "#e08a3c"  # blue and orange, which the colour-blind tell apart
ROOM = 0.32  # of the width of the axes, on each side, for the figures beside the bars


def plot_standings(standings: Standings) -> str:
    """Capped and total bankrolls with their intervals, agents in the order of the ranking, scales linear."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    agents = len(standings.series.agents)
    with mpl.rc_context({"svg.hashsalt": "kibitz", "font.size": 9}):  # the same standings give the same bytes
        figure = Figure(figsize=(11, 1.3 + 0.32 * agents), layout="constrained")
        capped, total = figure.subplots(1, 2, sharey=True)
        _draw_bars(capped, standings, standings.capped, standings.capped_bootstrap)
        _draw_bars(total, standings, standings.bankrolls, standings.bootstrap)
        names = [f"{standings.series.names[agent]}  {place}" for place, agent in enumerate(standings.order, 1)]
        capped.set_yticks(range(agents), names, parse_math=False)
        capped.invert_yaxis()
        capped.set_title(f"Capped bankroll: every result clipped to ±{standings.cap:,.0f}")
        total.set_title("Total bankroll")
        text = StringIO()
        figure.savefig(text, format="svg", metadata={"Date": None})
    return text.getvalue()[text.getvalue().index("<svg") :]


def _draw_bars(
    axes: Axes, standings: Standings, scores: npt.NDArray[np.float64], bootstrap: BootstrapRanking | None
) -> None:
    """One bar an agent, its interval where there is one, and the figure beyond both."""
    order = list(standings.order)
    means, places = scores[order], np.arange(len(order))
    ends = np.column_stack((means, means))
    if bootstrap is not None:
        ends = np.array([bootstrap.interval(agent) for agent in order])
        axes.errorbar(means, places, xerr=np.abs(ends.T - means), fmt="none", ecolor="#222222", capsize=3, lw=1)
    axes.barh(places, means, color=np.where(means >= 0, WIN, LOSS), height=0.7)
    axes.axvline(0, color="#222222", lw=0.8)
    low, high = min(0.0, ends.min(), means.min()), max(0.0, ends.max(), means.max())
    margin = ROOM * ((high - low) or 1.0)
    axes.set_xlim(low - margin, high + margin)
    for place, mean, (left, right) in zip(places, means, ends, strict=True):
        beyond, side = (max(mean, right), 1) if mean >= 0 else (min(mean, left), -1)
        axes.annotate(
            f"{mean:+,.0f}".replace("-", "−"),
            (beyond, place),
            xytext=(5 * side, 0),
            textcoords="offset points",
            ha="left" if side > 0 else "right",
            va="center",
        )
    axes.set_xlabel(standings.stake.unit + (", with 95 % intervals" if bootstrap is not None else ""))
    axes.xaxis.set_major_formatter("{x:,.0f}")
    axes.locator_params(axis="x", nbins=6)
    axes.grid(axis="x", alpha=0.3)
    axes.set_axisbelow(True)
