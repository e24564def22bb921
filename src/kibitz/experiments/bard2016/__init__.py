"""N. Bard 2016, Online Agent Modelling in Human-Scale Problems (PhD): robust responses and implicit models."""

from __future__ import annotations

from kibitz.experiments.bard2016 import estimators, fronts, implicit, observations, printed, sizes
from kibitz.experiments.published import Experiment

TITLE = "Bard 2016: robust responses, asymmetric abstractions, implicit modelling"
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
    "figure-4.2": Experiment(printed.TABLES["figure-4.2"], None, scaled=observations.figure_4_2),
    "figure-4.3": Experiment(printed.TABLES["figure-4.3"], None, scaled=fronts.figure_4_3),
    "section-2.7": Experiment(printed.TABLES["section-2.7"], None, scaled=estimators.section_2_7),
    "figure-6.2": Experiment(printed.TABLES["figure-6.2"], None, scaled=implicit.figure_6_2),
    "figure-6.3": Experiment(printed.TABLES["figure-6.3"], None, scaled=implicit.figure_6_3),
    "section-6.1": Experiment(printed.TABLES["section-6.1"], None, scaled=implicit.claims),
    "section-7.2": Experiment(printed.TABLES["section-7.2"], None, scaled=implicit.changing_opponents),
}
