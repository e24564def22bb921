"""Ganzfried and Sandholm 2013, Action Translation in Extensive-Form Games with Large Action Spaces (IJCAI)."""

from __future__ import annotations

from functools import partial

from kibitz.experiments.ganzfried2013 import leduc, mappings, small_games
from kibitz.experiments.ganzfried2013.printed import TABLE_7_INTERVALS, TABLES
from kibitz.experiments.published import Experiment

TITLE = "Ganzfried and Sandholm 2013: action translation"
EXPERIMENTS: dict[str, Experiment] = {
    "table-1": Experiment.of(TABLES["table-1"], mappings.cells_of_table_1),
    "table-2": Experiment.of(TABLES["table-2"], small_games.cells_of_clairvoyance),
    "table-3": Experiment.of(TABLES["table-3"], partial(small_games.cells_of_kuhn, "fcpa", 1.0)),
    "table-4": Experiment.of(TABLES["table-4"], partial(small_games.cells_of_kuhn, "0.4, all-in", 0.4)),
    "table-5": Experiment.of(TABLES["table-5"], small_games.cells_of_sizes),
    "table-6": Experiment.of(TABLES["table-6"], leduc.cells, variants=leduc.variants),
    "table-7": Experiment.of(TABLES["table-7"], values=lambda: {"intervals": TABLE_7_INTERVALS}),
    "figure-1": mappings.figure(TABLES["figure-1"], 0.01, 1.0),
    "figure-2": mappings.figure(TABLES["figure-2"], 1.0, 4.0),
}
