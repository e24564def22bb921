"""Table 6 from table 5: the run-off drops the worst of those left, round by round."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from kibitz.arena.bankroll import RunOff, instant_runoff
from kibitz.experiments.published import Found
from kibitz.experiments.rubin2011.printed import TABLE_5, TABLE_6

NAMES = tuple(TABLE_6.rows)  # the agents of the run-off division


def run_off() -> RunOff:
    """The run-off of the rates of table 5; agents are numbered as in table 6."""
    places = [TABLE_5.columns.index(name) for name in NAMES]
    return instant_runoff(np.array([[TABLE_5.rows[name][place] for place in places] for name in NAMES]))


def cells() -> Iterator[tuple[str, str, Found]]:
    """The bankroll of everybody who is left in each round."""
    for column, each in zip(TABLE_6.columns, run_off().rounds, strict=True):
        for agent, score in zip(each.alive, each.scores, strict=True):
            yield NAMES[agent], column, Found(score)
