"""Sweeney 2012, Applying Machine Learning Techniques to an Imperfect Information Game (PhD thesis, Dublin City)."""

from __future__ import annotations

from kibitz.experiments.published import Experiment, by_effort
from kibitz.experiments.sweeney2012.adaptation import (
    figure_6_4,
    figure_6_5,
    figure_6_6,
    figure_6_7,
    figure_6_7_matches,
    figure_6_7_power,
)
from kibitz.experiments.sweeney2012.chapter_5 import (
    figure_5_1,
    section_5_2,
    statements_5,
    table_5_1,
    table_5_1_thesis,
    table_5_2,
)
from kibitz.experiments.sweeney2012.chapter_6 import (
    figure_6_3,
    table_6_1,
    table_6_2,
    table_6_2_significance,
    table_6_2_significance_ours,
    table_6_3,
    table_6_4,
)
from kibitz.experiments.sweeney2012.chapter_6_statements import statements_6
from kibitz.experiments.sweeney2012.entries import section_5_4, table_5_3
from kibitz.experiments.sweeney2012.small_games import claims_table, runs_table

TITLE = "Sweeney 2012: connectionist agents that learn by playing themselves"

EXPERIMENTS: dict[str, Experiment] = {
    name: by_effort(make)
    for name, make in {
        "section-5.2": section_5_2,
        "table-5.1": table_5_1,
        "table-5.1-thesis": table_5_1_thesis,
        "figure-5.1": figure_5_1,
        "table-5.2": table_5_2,
        "statements": statements_5,
        "table-5.3": table_5_3,
        "section-5.4": section_5_4,
        "table-6.1": table_6_1,
        "table-6.2": table_6_2,
        "table-6.2-significance": table_6_2_significance,
        "table-6.2-significance-ours": table_6_2_significance_ours,
        "table-6.3": table_6_3,
        "table-6.4": table_6_4,
        "figure-6.3": figure_6_3,
        "figure-6.4": figure_6_4,
        "figure-6.5": figure_6_5,
        "figure-6.6": figure_6_6,
        "figure-6.7": figure_6_7,
        "figure-6.7-power": figure_6_7_power,
        "figure-6.7-matches": figure_6_7_matches,
        "chapter-6-statements": statements_6,
        "small-games": runs_table,
        "small-game-claims": claims_table,
    }.items()
}
