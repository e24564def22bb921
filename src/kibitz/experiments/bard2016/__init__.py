"""N. Bard 2016, Online Agent Modelling in Human-Scale Problems (PhD): robust responses and asymmetric abstractions."""

from __future__ import annotations

from kibitz.experiments.bard2016 import chapter_4, fronts, holdem_table, printed, sizes
from kibitz.experiments.published import Effort, Experiment

TITLE = "Bard 2016: robust responses and asymmetric abstractions"
EXPERIMENTS: dict[str, Experiment] = {
    "table-4.1": Experiment(printed.TABLES["table-4.1"], sizes.cells_of_table_4_1),
    holdem_table.NAME: Experiment(printed.TABLES[holdem_table.NAME], None, scaled=holdem_table.table_at),
    holdem_table.STATED: Experiment(
        holdem_table.statements_at(Effort("short")).published, None, scaled=holdem_table.statements_at
    ),
    "figure-3.2": Experiment(
        printed.TABLES["figure-3.2"],
        fronts.cells_of_figure_3_2,
        ("The thesis draws the front of another game; this one is exact.",),
    ),
    **chapter_4.EXPERIMENTS,
}
