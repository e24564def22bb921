"""Who won a tournament by which rule, and why the rules differ, in sentences for the terminal and the report."""

from __future__ import annotations

import numpy as np

from kibitz.arena.bootstrap import SIGNIFICANCE
from kibitz.arena.standings import BOOTSTRAP_FROM, Standings

NAMED_AT_MOST = 3  # opponents that explain a lead


def verdict(standings: Standings) -> list[str]:
    """Sentences, most important first: the winner, how sure that is, and the winners by other rules."""
    winner = standings.order[0]
    if standings.rates.ndim == 2 and standings.rates[winner, standings.order[1]] == 0:
        one, other = (standings.series.names[agent] for agent in standings.order[:2])
        return [f"{one} and {other} tie for the first place: neither won anything from the other."]
    richest, capped = (_first(standings, rule) for rule in ("bankroll", "capped"))
    name = standings.series.names[winner]
    rule = "the instant run-off, by which agents are ranked here"
    if winner == richest == capped:
        sentences = [f"{name} wins by all three rules: {rule}, total bankroll and capped bankroll."]
    else:
        sentences = [
            f"{name} wins {rule}: the one with the smallest bankroll drops out again and again, so that weak agents do "
            "not decide who is first."
        ]
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
