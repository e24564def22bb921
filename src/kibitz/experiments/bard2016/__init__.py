"""N. Bard 2016, Online Agent Modelling in Human-Scale Problems (PhD): responses, clustering, implicit models."""

from __future__ import annotations

from functools import partial

from kibitz.experiments.bard2016 import (
    case_tables,
    chapter_4,
    clusters,
    competitions,
    holdem_table,
    implicit,
    small_games,
    styles,
)
from kibitz.experiments.bard2016.printed import TABLES
from kibitz.experiments.published import Experiment, by_effort

TITLE = "Bard 2016: robust responses, asymmetric abstractions, clustering, implicit modelling, competitions"
EXPERIMENTS: dict[str, Experiment] = {
    "table-4.1": Experiment(TABLES["table-4.1"], small_games.cells_of_table_4_1),
    holdem_table.NAME: by_effort(holdem_table.table_at),
    holdem_table.STATED: by_effort(holdem_table.statements_at),
    "figure-3.2": Experiment.of(TABLES["figure-3.2"], small_games.cells_of_figure_3_2),
    **chapter_4.EXPERIMENTS,
    **clusters.EXPERIMENTS,
    "section-2.7": by_effort(styles.section_2_7),
    "figure-6.2": by_effort(partial(implicit.figure, "figure-6.2", False)),
    "figure-6.3": by_effort(partial(implicit.figure, "figure-6.3", True)),
    "section-6.1": by_effort(implicit.claims),
    "section-7.2": by_effort(implicit.changing_opponents),
    **case_tables.EXPERIMENTS,
    **competitions.EXPERIMENTS,
}
