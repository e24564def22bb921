"""Rubin and Watson 2011, Successful Performance via Decision Generalisation in No Limit Texas Hold'em (ICCBR)."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache, partial

from kibitz.experiments.published import Effort, Experiment
from kibitz.experiments.rubin2011 import printed, runoff
from kibitz.experiments.rubin2011.substitutes import substitutes

TITLE = "Rubin and Watson 2011: SartreNL, imitation case by case"


@lru_cache(maxsize=1)
def _substitutes(effort: Effort) -> dict[str, Experiment]:
    return substitutes(effort.preset, folder=effort.folder, seed=effort.seed, workers=effort.threads, tell=effort.tell)


def _scaled(name: str, effort: Effort) -> Experiment:
    return _substitutes(effort)[name]


EXPERIMENTS: dict[str, Experiment] = {
    "table-5": Experiment(
        printed.TABLE_5,
        None,
        (
            "Not run: the agents of 2010 cannot be had, nor the logs of the agent that SartreNL learnt from.",
            "Instead: fidelity, ablations, loss, mappings and run-off with agents of our own.",
            "python -m kibitz.experiments.rubin2011 smoke --pluribus FILES imitates Pluribus from its public hands.",
        ),
    ),
    "table-6": Experiment(
        printed.TABLE_6,
        runoff.cells,
        ("The run-off computed from the rates of table 5; means of rounded rates, so within 1 mbb/hand.",),
        values=lambda: {
            "intervals": {row: list(widths) for row, widths in printed.TABLE_6_INTERVALS.items()},
            "ranking": [runoff.NAMES[agent] for agent in runoff.run_off().ranking],
            "dropped": [runoff.NAMES[each.dropped] for each in runoff.run_off().rounds],
        },
    ),
    **{name: replace(each, scaled=partial(_scaled, name)) for name, each in substitutes("smoke").items()},
}
