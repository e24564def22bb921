"""Bard 2016, chapters 3, 4 and 6: what is printed, and what we find."""

import numpy as np
import pytest

from kibitz.experiments import find_experiments
from kibitz.experiments.bard2016.contests import Series, half_width
from kibitz.experiments.published import DIFFERS, REPRODUCED, Effort, compute, gather


def reproduce(table: str, preset: str = "smoke"):
    experiment = find_experiments("bard2016", (table,))[table].at(Effort(preset))
    return gather("bard2016", table, experiment, compute(experiment))


def test_sizes_of_abstractions_are_exact():
    found = reproduce("table-4.1")
    assert [cells[0].verdict for cells in found.rows.values()] == [REPRODUCED] * 3
    assert [cells[1].verdict for cells in found.rows.values()] == [DIFFERS, REPRODUCED, REPRODUCED]
    assert found.rows["5-bucket"][1].ours == pytest.approx(143.8, abs=0.05)


def test_the_front_of_leduc():
    found = reproduce("figure-3.2")
    assert [cell.ours for cell in found.rows["0.5"]] == pytest.approx([696.29, 1844.95, 452.36], abs=0.01)


def test_finer_cards_of_ours_win_more_and_risk_more():
    cells = reproduce("figure-4.3").rows
    assert cells["larger U wins more"][0].verdict == REPRODUCED
    assert cells["larger U is more exploitable"][0].verdict == REPRODUCED


def test_observations_come_with_intervals():
    for cells in reproduce("figure-4.2").rows.values():
        assert all(cell.low <= cell.ours <= cell.high for cell in cells[:3])


def test_what_is_not_run_is_said_to_be_so():
    found = reproduce("table-4.2")
    assert found.counts == {"not run": 24}


def test_implicit_modelling_against_the_small_portfolios_opponents():
    """At the smallest size: what is exact is in order, and an agent that adapts wins more than an equilibrium."""
    rows = {row: cells[0].ours for row, cells in reproduce("figure-6.2").rows.items()}
    best = rows["best response of the small portfolio to each"]
    alone = [value for row, value in rows.items() if row.endswith("alone")]
    assert best > max(alone) > rows["equilibrium"]
    assert best > rows["one response to all four"] > rows["equilibrium"]
    assert rows["small portfolio, Exp3G 0.025"] > rows["equilibrium"] + 500
    assert reproduce("section-6.1").rows["beats the equilibrium"][0].verdict == REPRODUCED


def test_opponents_that_change():
    rows = reproduce("section-7.2").rows
    for cells in rows.values():
        before, after, whole, half, _gain, _of_gain = (cell.ours for cell in cells)
        assert whole == pytest.approx((before + after) / 2)
        assert half > 0
    assert [cell.ours for cell in rows["Exp3G, tuned"]][4:] == [0.0, 0.0]


def test_intervals_of_strata():
    """Two opponents whose means differ: only the spread within each counts."""
    won = np.array([[1.0, 2.0, 3.0], [101.0, 102.0, 103.0]])
    assert half_width(won) == pytest.approx(2.776445 * np.sqrt(2 * 1.0 / 3) / 2, rel=1e-5)
    assert Series(won).above(Series(won - 5.0)).ours == 1.0
    assert Series(won).above(51.0).ours == 0.0


def test_estimators_are_unbiased_with_full_information():
    rows = reproduce("section-2.7").rows
    for cells in rows.values():
        full, partial, ratio = (cell.ours for cell in cells)
        assert full < 1e-6
        assert partial < 50
        assert ratio >= 1 - 1e-9
    assert rows["folds and cards"][2].ours > 1.05
