"""What comes with the package is shown as it is: nothing is computed anew because a setting has changed since."""

from itertools import product
from math import isfinite

import pytest

from kibitz.experiments import find_experiments
from kibitz.experiments.published import (
    CONFIRMED,
    OURS,
    QUOTED,
    REFUTED,
    SUBSTITUTE,
    UNCONFIRMED,
    Effort,
    compute,
)

CHAPTER_5 = ("section-5.2", "table-5.1", "figure-5.1", "table-5.2", "statements")
SWEENEY = (
    "section-5.4", "table-6.2",
    "table-6.2-significance-ours", "table-6.3", "table-6.4", "figure-6.3", "figure-6.4", "figure-6.5", "figure-6.6",
    "figure-6.7", "figure-6.7-power", "figure-6.7-matches", "chapter-6-statements",
)  # fmt: skip


@pytest.mark.parametrize(("table", "preset"), [*product(SWEENEY, ("short", "full")), *product(CHAPTER_5, ("short",))])
def test_stored_results_of_sweeney_are_shown(table, preset, closed):
    (experiment,) = find_experiments("sweeney2012", (table,)).values()
    shown = [cell for _row, cell in compute(experiment.at(Effort(preset)))]
    assert len(shown) > 1
    assert closed  # what is shown rests on what is stored
    for cell in shown:
        assert cell.verdict in (SUBSTITUTE, OURS, QUOTED, CONFIRMED, UNCONFIRMED, REFUTED)
        if cell.verdict != QUOTED:
            assert isfinite(cell.ours)
            assert not (cell.low > cell.ours)
            assert not (cell.high < cell.ours)
        if cell.verdict in (CONFIRMED, UNCONFIRMED, REFUTED):
            assert cell.verdict == (CONFIRMED if cell.low > 0 else REFUTED if cell.high < 0 else UNCONFIRMED)
