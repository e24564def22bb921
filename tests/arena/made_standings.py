"""Standings of tournaments that nobody played, with the rates that a test wants."""

from __future__ import annotations

from functools import partial

import numpy as np

from kibitz.agents import FrequencyAgent
from kibitz.arena.series import Series
from kibitz.arena.standings import Standings
from kibitz.games import load_game
from kibitz.statistics import Moments

CHIPS_PER_RATE = 0.2  # a duplicate deal of two hands, a big blind of 100: 1 mbb/hand are so many chips


def standings_with(names, rates, *, spread=20.0, matches=12, hands=50, seed=0):
    """Standings of `names` in heads-up no-limit hold'em, where `rates[a][b]`, a < b, is about what a wins from b."""
    agents = tuple(partial(FrequencyAgent.of, name, {"call": 1}, {"call": 1}) for name in names)
    series = Series(load_game("holdem-nolimit-2p"), agents, hands, matches, seed)
    random = np.random.default_rng(seed)
    outcomes = {}
    for table, match in series.keys:
        deals = np.rint(CHIPS_PER_RATE * random.normal(rates[table[0]][table[1]], spread, hands))
        outcomes[table, match] = (Moments.of(deals), Moments.of(-deals))
    return Standings(series, outcomes)


STRONG = ("trained", "imitator", "tight-aggressive", "tight-passive")
WEAK = ("always-fold", "always-call", "random", "always-raise")
GREEDY = ("loose-aggressive", "loose-passive", "maniac", "calling-station")


def demonstration(**settings):
    """Twelve agents as in the demo: `trained` beats everybody by a little, the greedy ones take most from the weak."""
    names = (*GREEDY, *STRONG, *WEAK)
    rates = np.zeros((12, 12))
    for row in range(12):
        for column in range(row + 1, 12):
            if row < 4 and column < 8:
                rates[row, column] = -400 + 20 * (column - row)
            elif row < 4:
                rates[row, column] = (600, 3000, 15_000, 40_000)[column - 8] - 500 * row
            elif row < 8:
                rates[row, column] = 40 * (column - row) if column < 8 else 500 + 20 * column - 50 * row
            else:
                rates[row, column] = 100 * (column - row)
    return standings_with(names, rates, **settings)
