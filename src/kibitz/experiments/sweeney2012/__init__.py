"""Sweeney 2012, Applying Machine Learning Techniques to an Imperfect Information Game (PhD thesis, Dublin City)."""

from __future__ import annotations

from dataclasses import replace

from kibitz.experiments.published import Effort, Experiment
from kibitz.experiments.sweeney2012.small_games import claims_table, runs_table

TITLE = "Sweeney 2012: connectionist agents that learn by playing themselves"
SMOKE = Effort("smoke")

EXPERIMENTS: dict[str, Experiment] = {
    name: replace(make(SMOKE), scaled=make)
    for name, make in {
        "small-games": runs_table,
        "small-game-claims": claims_table,
    }.items()
}
