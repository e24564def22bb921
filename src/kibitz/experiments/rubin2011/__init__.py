"""Rubin and Watson 2011, Successful Performance via Decision Generalisation in No Limit Texas Hold'em (ICCBR)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache, partial

import numpy as np

from kibitz.arena.bankroll import RunOff, instant_runoff
from kibitz.experiments.published import Effort, Experiment, Found
from kibitz.experiments.rubin2011.printed import TABLE_6_INTERVALS, TABLES
from kibitz.experiments.rubin2011.substitutes import substitutes

TITLE = "Rubin and Watson 2011: SartreNL, imitation case by case"


NAMES = tuple(TABLES["table-6"].rows)  # the agents of the run-off division


def run_off() -> RunOff:
    """The run-off of the rates of table 5; agents are numbered as in table 6."""
    places = [TABLES["table-5"].columns.index(name) for name in NAMES]
    return instant_runoff(np.array([[TABLES["table-5"].rows[name][place] for place in places] for name in NAMES]))


def cells_of_table_6() -> Iterator[tuple[str, str, Found]]:
    """The bankroll of everybody who is left in each round."""
    for column, each in zip(TABLES["table-6"].columns, run_off().rounds, strict=True):
        for agent, score in zip(each.alive, each.scores, strict=True):
            yield NAMES[agent], column, Found(score)


_substitutes = lru_cache(maxsize=1)(substitutes)  # all tables of an effort share one expert and its hands


def _scaled(name: str, effort: Effort) -> Experiment:
    return _substitutes(effort)[name]


EXPERIMENTS: dict[str, Experiment] = {
    "table-5": Experiment(
        TABLES["table-5"],
        None,
        (
            "Not run: the agents of 2010 cannot be had, nor the logs of the agent that SartreNL learnt from.",
            "Instead: fidelity, ablations, loss, mappings and run-off with agents of our own.",
            "python -m kibitz.experiments.rubin2011 smoke --pluribus FILES imitates Pluribus from its public hands.",
        ),
    ),
    "table-6": Experiment(
        TABLES["table-6"],
        cells_of_table_6,
        ("The run-off computed from the rates of table 5; means of rounded rates, so within 1 mbb/hand.",),
        values=lambda: {
            "intervals": TABLE_6_INTERVALS,
            "ranking": [NAMES[agent] for agent in run_off().ranking],
            "dropped": [NAMES[each.dropped] for each in run_off().rounds],
        },
    ),
    **{name: replace(each, scaled=partial(_scaled, name)) for name, each in substitutes(Effort("smoke")).items()},
}
