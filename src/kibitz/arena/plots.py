"""Pictures of standings, as SVG text."""

from __future__ import annotations

from io import StringIO
from typing import TYPE_CHECKING

import numpy as np

from kibitz.arena.standings import Standings

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LINEAR_BELOW = 100.0  # mbb/hand; larger rates are drawn on a logarithmic scale, for they span three decades


def plot_standings(standings: Standings) -> str:
    """Bankrolls with their intervals, and for two players the cross-table as a heat map."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    heads_up = standings.series.game.players == 2
    agents = len(standings.series.agents)
    with mpl.rc_context({"svg.hashsalt": "kibitz", "font.size": 9}):  # the same standings give the same bytes
        figure = Figure(figsize=(12 if heads_up else 7, 1.5 + 0.36 * agents), layout="constrained")
        if heads_up:
            bars, heat = figure.subplots(1, 2, width_ratios=(1, 1.25))
            _draw_cross_table(figure, heat, standings)
        else:
            bars = figure.subplots()
        _draw_bankrolls(bars, standings)
        text = StringIO()
        figure.savefig(text, format="svg", metadata={"Date": None})
    return text.getvalue()[text.getvalue().index("<svg") :]


def _draw_bankrolls(axes: Axes, standings: Standings) -> None:
    order = np.argsort(standings.bankrolls, kind="stable")
    means = standings.bankrolls[order]
    errors = None
    if standings.bootstrap is not None:
        ends = np.array([standings.bootstrap.interval(int(agent)) for agent in order])
        errors = np.abs(ends.T - means)
    places = np.arange(len(order))
    axes.barh(places, means, color=np.where(means >= 0, "#3b7a57", "#b0413e"), alpha=0.75)
    axes.errorbar(means, places, xerr=errors, fmt="none", ecolor="#222222", capsize=3, lw=1)
    axes.set_yticks(places, [standings.series.names[agent] for agent in order], parse_math=False)
    axes.set_xscale("symlog", linthresh=LINEAR_BELOW)
    axes.axvline(0, color="#222222", lw=0.8)
    axes.set_xlabel(f"total bankroll, {standings.stake.unit} (logarithmic beyond ±{LINEAR_BELOW:.0f})")
    axes.set_title("Bankroll with 95 % interval" if errors is not None else "Bankroll")
    axes.tick_params(axis="x", labelrotation=45)
    axes.grid(axis="x", alpha=0.3)


def _draw_cross_table(figure: Figure, axes: Axes, standings: Standings) -> None:
    from matplotlib.colors import SymLogNorm

    order = np.argsort(-standings.bankrolls, kind="stable")
    rates = standings.rates[np.ix_(order, order)]
    most = max(float(np.nanmax(np.abs(rates))), LINEAR_BELOW)
    norm = SymLogNorm(linthresh=LINEAR_BELOW, vmin=-most, vmax=most)
    image = axes.imshow(rates, cmap="RdYlGn", norm=norm)
    names = [standings.series.names[agent] for agent in order]
    axes.set_xticks(range(len(names)), [str(place) for place in range(1, len(names) + 1)])
    axes.set_yticks(range(len(names)), [f"{name}  {place}" for place, name in enumerate(names, 1)], parse_math=False)
    axes.set_title("Row's win rate against column")
    figure.colorbar(image, ax=axes, label=standings.stake.unit, shrink=0.85)
