"""N. Bard 2016, Online Agent Modelling in Human-Scale Problems (PhD): responses, clustering, implicit models."""

from __future__ import annotations

from kibitz.experiments.bard2016 import (
    case_tables,
    chapter_4,
    cluster_check,
    clusters,
    competitions,
    estimators,
    fronts,
    holdem_table,
    implicit,
    printed,
    sizes,
)
from kibitz.experiments.bard2016.drawing import with_bars
from kibitz.experiments.published import Effort, Experiment

TITLE = "Bard 2016: robust responses, asymmetric abstractions, clustering, implicit modelling, competitions"
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
    cluster_check.NAME: Experiment(printed.TABLES[cluster_check.NAME], None, scaled=cluster_check.check),
    "section-2.7": Experiment(printed.TABLES["section-2.7"], None, scaled=estimators.section_2_7),
    "figure-6.2": Experiment(printed.TABLES["figure-6.2"], None, scaled=with_bars(implicit.figure_6_2)),
    "figure-6.3": Experiment(printed.TABLES["figure-6.3"], None, scaled=with_bars(implicit.figure_6_3)),
    "section-6.1": Experiment(printed.TABLES["section-6.1"], None, scaled=implicit.claims),
    "section-7.2": Experiment(printed.TABLES["section-7.2"], None, scaled=implicit.changing_opponents),
    **case_tables.EXPERIMENTS,
    **competitions.EXPERIMENTS,
}
