"""Bard 2016, chapters 3 and 4: what is printed, and what we find."""

import pytest

from kibitz.experiments import find_experiments
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
