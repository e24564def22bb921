"""How a finished series is told: in sentences, as a picture, and as one HTML page that needs nothing beside it."""

from __future__ import annotations

from importlib.resources import files
from math import isfinite
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from kibitz.arena.bootstrap import SIGNIFICANCE, BootstrapRanking
from kibitz.arena.rankings import BOOTSTRAP_FROM
from kibitz.arena.standings import Standings
from kibitz.files import svg_text
from kibitz.random import seed_text
from kibitz.statistics import Estimate

if TYPE_CHECKING:
    from matplotlib.axes import Axes

NAMED_AT_MOST = 3  # opponents that explain a lead
WIN, LOSS = "#4c86b8", "#e08a3c"  # blue and orange, which the colour-blind tell apart
ROOM = 0.32  # of the width of the axes, on each side, for the figures beside the bars
STRENGTHS = 4  # shades of a cell: the last is that of the cap and of all beyond it
RULES = {"runoff": "instant run-off", "bankroll": "total bankroll", "capped": "capped bankroll"}


def headline(standings: Standings) -> str:
    """Who is first by which rule, beginning with the one by which agents are ranked."""
    names = standings.series.names
    if _is_tied(standings):
        one, other = (names[agent] for agent in standings.order[:2])
        return f"{one} and {other} tie for the first place: neither won anything from the other"
    won: dict[int, list[str]] = {}
    for rule, words in RULES.items():
        won.setdefault(_first(standings, rule), []).append(words)
    winner = names[standings.order[0]]
    if len(won) == 1:
        return f"{winner} is first by all three rules: {', '.join(RULES.values())}"
    told = [f"{names[agent]} by {' and '.join(rules)}" for agent, rules in won.items() if agent != standings.order[0]]
    return ", ".join([f"{winner} is first by {' and '.join(won[standings.order[0]])}", *told])


def _is_tied(standings: Standings) -> bool:
    """Whether the last two of a run-off for two won nothing from each other."""
    return standings.rates.ndim == 2 and standings.rates[standings.order[0], standings.order[1]] == 0


def verdict(standings: Standings, brief: bool = False) -> list[str]:
    """Sentences, most important first: the winner, how sure that is, and the winners by other rules.

    brief   who is first by which rule, and how sure that is; no reasons
    """
    winner = standings.order[0]
    if _is_tied(standings):
        return [f"{headline(standings)}."]
    if brief:
        return [f"{headline(standings)}.", _doubt(standings, winner)]
    richest, capped = (_first(standings, rule) for rule in ("bankroll", "capped"))
    sentences = [f"{headline(standings)}."]
    if not winner == richest == capped:
        sentences.append(
            "Agents are ranked by the instant run-off: the agent with the smallest bankroll is eliminated, round by "
            "round, so that weak agents do not decide who is first."
        )
    sentences.append(_doubt(standings, winner))
    if standings.rates.ndim == 2:
        sentences.append(_name_conquerors(standings, winner))
    if richest != winner:
        sentences.append(_compare_bankrolls(standings, richest, winner))
    if capped != winner or richest != winner:
        sentences.append(
            f"{standings.series.names[capped]} has the largest capped bankroll, {standings.capped[capped]:+,.0f}: no "
            f"opponent counts for more than ±{standings.cap:,.0f} there."
        )
    return sentences


def _first(standings: Standings, rule: str) -> int:
    return next(agent for agent, place in standings.places[rule].items() if place == 1)


def _doubt(standings: Standings, winner: int) -> str:
    """How often the winner of the run-off wins resampled tournaments."""
    if standings.bootstrap is None or standings.bootstrap.runoff_wins is None:
        return f"Fewer than {BOOTSTRAP_FROM} matches a table do not tell how sure that is."
    share = float(standings.bootstrap.runoff_wins[winner])
    resamples = len(standings.bootstrap.bankrolls)
    wins = f"{standings.series.names[winner]} wins {share:.1%} of {resamples:,} resampled run-offs"
    if share >= SIGNIFICANCE:
        return f"{wins}, so the first place is significant."
    return f"{wins}, so the first place is not significant: that takes {SIGNIFICANCE:.0%}."


def _name_conquerors(standings: Standings, winner: int) -> str:
    """Who beats the winner of the run-off, beyond doubt, in a game for two."""
    names = [
        standings.series.names[first if second == winner else second]
        for (first, second), estimates in standings.estimates.items()
        if winner in (first, second) and (lost := estimates[int(second == winner)]).significant and lost.mean < 0
    ]
    return f"{standings.series.names[winner]} loses significantly to {', '.join(names) or 'nobody'}."


def _compare_bankrolls(standings: Standings, richest: int, winner: int) -> str:
    """Why another agent than the winner of the run-off has the largest bankroll."""
    names, bankrolls = standings.series.names, standings.bankrolls
    sentence = (
        f"{names[richest]} has the largest total bankroll, {bankrolls[richest]:+,.0f} to {bankrolls[winner]:+,.0f} of "
        f"{names[winner]} (number {standings.places['bankroll'][winner]} by that rule)"
    )
    reasons = [
        f"{names[other]} ({standings.rates[richest, other]:+,.0f} to {standings.rates[winner, other]:+,.0f})"
        for other in _decisive_opponents(standings, richest, winner)
    ]
    return f"{sentence}, above all for what it wins from {' and '.join(reasons)}." if reasons else f"{sentence}."


def _decisive_opponents(standings: Standings, richest: int, winner: int) -> list[int]:
    """Opponents that make up most of the lead in bankroll, the most important first; none in three-player games."""
    if standings.rates.ndim != 2:
        return []
    lead = standings.rates[richest] - standings.rates[winner]
    lead[[richest, winner]] = 0  # not what they win from each other
    chosen: list[int] = []
    for agent in np.argsort(-lead, kind="stable")[:NAMED_AT_MOST]:
        if lead[agent] <= 0:
            break
        chosen.append(int(agent))
        if lead[chosen].sum() >= lead[lead > 0].sum() / 2:
            break
    return chosen


def plot_standings(standings: Standings) -> str:
    """Capped and total bankrolls with their intervals, agents in the order of the ranking, scales linear."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    agents = len(standings.series.agents)
    with mpl.rc_context({"font.size": 9}):
        figure = Figure(figsize=(11, 1.3 + 0.32 * agents), layout="constrained")
        capped, total = figure.subplots(1, 2, sharey=True)
        _draw_bars(capped, standings, standings.capped, standings.capped_bootstrap)
        _draw_bars(total, standings, standings.bankrolls, standings.bootstrap)
        names = [f"{standings.series.names[agent]}  {place}" for place, agent in enumerate(standings.order, 1)]
        capped.set_yticks(range(agents), names, parse_math=False)
        capped.invert_yaxis()
        capped.set_title(f"Capped bankroll: every result clipped to ±{standings.cap:,.0f}")
        total.set_title("Total bankroll")
        return svg_text(figure)


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


def render_report(standings: Standings, command: str | None = None, section: str = "") -> str:
    """The page: who won and why, ranking, plot, cross-table, run-off, significance, and how it was played.

    The command is shown where it is given; so is a further section, as HTML.
    """
    from jinja2 import Environment, StrictUndefined

    environment = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=StrictUndefined)
    environment.filters["rate"] = lambda value: f"{value:+,.0f}".replace("-", "−")
    environment.filters["half_width"] = lambda value: f"± {value:,.0f}" if isfinite(value) else "–"
    template = environment.from_string(
        (files("kibitz.arena") / "templates" / "report.html").read_text(encoding="utf-8")
    )
    results = standings.to_dict() | standings.rankings()
    order = list(standings.order)
    heads_up = standings.series.game.players == 2
    return template.render(
        results=results,
        settings=_settings(standings, command),
        verdict=verdict(standings),
        headline=headline(standings),
        names=standings.series.names,
        order=order,
        plot=plot_standings(standings),
        cells=_cells(standings, order) if heads_up else None,
        tables=None if heads_up else results["tables"],
        frequency=None if standings.bootstrap is None else standings.bootstrap.runoff_frequency,
        significance=SIGNIFICANCE,
        section=section,
    )


def _settings(standings: Standings, command: str | None) -> list[tuple[str, str]]:
    """How it was played, as pairs of a word and what it says."""
    series = standings.series
    played = f"{standings.hands_played:,} hands: {len(series.tables):,} tables, {series.matches:,} matches a table"
    seatings = "duplicate deals (every seat permutation)"
    return [
        *([("command", command)] if command is not None else []),
        ("game", f"{series.game.name}, {series.game.players} players"),
        ("played", f"{played}, {series.hands:,} deals a match, {seatings}"),
        ("seed", f"{seed_text(series.seed)}; cards {series.cards}, the same at every table"),
        ("version", f"Kibitz {series.to_dict()['kibitz']}"),
    ]


def _cells(standings: Standings, order: list[int]) -> list[list[dict[str, object] | None]]:
    """The cross-table row by row in ranking order; None on the diagonal."""
    rows = []
    for row in order:
        cells: list[dict[str, object] | None] = []
        for column in order:
            if row == column:
                cells.append(None)
                continue
            estimate = standings.estimates[min(row, column), max(row, column)][int(row > column)]
            cells.append({**estimate.to_dict(), "shade": shade(estimate, standings.cap)})
        rows.append(cells)
    return rows


def shade(estimate: Estimate, cap: float) -> str:
    """Classes of a cell: none where the rate may be zero, else `win` or `loss` and its size in quarters of the cap."""
    if not estimate.significant:
        return ""
    strength = min(STRENGTHS, 1 + int(STRENGTHS * abs(estimate.mean) / cap)) if cap > 0 else STRENGTHS
    return f"{'win' if estimate.mean > 0 else 'loss'} strength-{strength}"
