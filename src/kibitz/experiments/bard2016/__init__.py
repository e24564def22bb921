"""N. Bard 2016, Online Agent Modelling in Human-Scale Problems (PhD): robust responses and asymmetric abstractions."""

from __future__ import annotations

from kibitz.experiments.bard2016 import chapter_4, fronts, printed, sizes
from kibitz.experiments.published import Experiment

TITLE = "Bard 2016: robust responses and asymmetric abstractions"
EXPERIMENTS: dict[str, Experiment] = {
    "table-4.1": Experiment(printed.TABLES["table-4.1"], sizes.cells_of_table_4_1),
    "table-4.2": Experiment(
        printed.TABLES["table-4.2"],
        None,
        (
            "Not run: equilibria of twelve abstract games of limit hold'em, and their exploitability in the real game.",
            "The commands are there: kibitz solve with two --cards, kibitz exploit --real, kibitz match.",
        ),
    ),
    "figure-3.2": Experiment(
        printed.TABLES["figure-3.2"],
        fronts.cells_of_figure_3_2,
        ("The thesis draws the front of another game; this one is exact.",),
    ),
    **chapter_4.EXPERIMENTS,
}
