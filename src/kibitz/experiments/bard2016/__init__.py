"""N. Bard 2016, Online Agent Modelling in Human-Scale Problems (PhD): responses, clustering, competitions."""

from __future__ import annotations

from kibitz.experiments.bard2016 import clusters, competitions, fronts, observations, printed, sizes
from kibitz.experiments.published import Experiment

TITLE = "Bard 2016: robust responses, clustering of strategies, competitions"
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
    "theorem-2": Experiment(
        printed.TABLES["theorem-2"],
        clusters.cells_of_theorem_2,
        ("The figures follow from the construction: k (2 + k epsilon) and, from k = 3 on, k squared.",),
    ),
    "figure-5.3": Experiment(printed.TABLES["figure-5.3"], None, scaled=clusters.figure_5_3),
    "figure-5.4": Experiment(printed.TABLES["figure-5.4"], None, scaled=clusters.figure_5_4),
    "figure-5.4a": Experiment(printed.TABLES["figure-5.4a"], None, scaled=clusters.figure_5_4a),
    "figure-5.4b": Experiment(
        printed.TABLES["figure-5.4b"],
        None,
        variants=clusters.readings_of_figure_5_4b,
        scaled=clusters.figure_5_4b,
    ),
    **competitions.EXPERIMENTS,
}
