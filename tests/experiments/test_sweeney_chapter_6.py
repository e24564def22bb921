"""Chapter 6 of Sweeney 2012 at the smallest size: models, nine exploiters and all that is measured of them."""

from __future__ import annotations

import numpy as np
import pytest

from kibitz.experiments import load_paper
from kibitz.experiments.published import CONFIRMED, REFUTED, SUBSTITUTE, UNCONFIRMED, Effort, compute
from kibitz.experiments.sweeney2012 import making, runs, systems
from kibitz.experiments.sweeney2012.making import EXPLOITERS, Making, Size, model_of
from kibitz.experiments.sweeney2012.printed import STATEMENTS_6
from kibitz.learning.exploiters import load_exploiter
from kibitz.learning.population import load_population
from kibitz.progress import silent

TINY = Size(2, 1, 128, 2, 2)


@pytest.fixture(scope="module")
def effort(tmp_path_factory):
    """Every table computed once, in a folder."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(runs.SIZES, "smoke", runs.Size((64, 128), (2, 20), (2, 20), 128, 60))
        patch.setattr(runs, "_DONE", {})
        patch.setitem(making.SIZES, "smoke", TINY)
        patch.setattr(systems, "PARTS", 2)
        systems.study_of.cache_clear()
        yield Effort("smoke", folder=tmp_path_factory.mktemp("work"))
        systems.study_of.cache_clear()


def cells(table: str, effort: Effort):
    experiment = load_paper("sweeney2012").EXPERIMENTS[table].at(effort)
    return experiment, {(row, cell.column): cell for row, cell in compute(experiment)}


def test_ten_systems_stand_beside_what_is_printed(effort):
    experiment, found = cells("table-6.2", effort)
    assert {cell.verdict for cell in found.values()} == {SUBSTITUTE}
    assert len(found) == 60
    assert found["Self-play", "deals"].ours == TINY.measured * 120
    assert found["OM", "fit %"].ours == found["OM-GR", "fit %"].ours != found["PT", "fit %"].ours
    assert "<svg" in experiment.picture()
    _, found = cells("table-6.3", effort)
    assert len(found) == 50
    assert 0 < found["PT-EL", "VP$IP"].ours <= 100


def test_records_have_one_kind_of_bots_at_a_table_or_several(tmp_path):
    kind = load_population("switchable").kind
    for kind_by, several in (("match", False), ("seat", True)):
        hands = Making("smoke", 0, tmp_path, "switchable", kind_by).hands()
        seated = kind[hands.names[:, :6]]
        assert (seated != seated[:, :1]).any() == several


def test_exploiters_begin_where_they_should(effort):
    """Those with an extra layer have the weights of the same system without, and learned from there."""
    made = Making("smoke", 0, effort.folder)
    made.prepare(EXPLOITERS, 1, silent)  # nothing is left to do
    plain, layered = (load_exploiter(made.place(name))[0] for name in ("PT", "PT-EL"))
    assert not plain.layered
    assert layered.layered
    moved = np.abs(layered.policy.flat - plain.policy.flat).max()
    assert 0 < moved < np.abs(layered.policy.flat - made.base().flat).max()
    assert [model_of(system) for system in ("OM-SR", "PT-EL-GR", "Self-play")] == ["OM", "PT", "Self-play"]


def test_curves_and_statements(effort):
    experiment, found = cells("figure-6.4", effort)
    assert found["after 0 deals", "entropy"].ours == pytest.approx(3.0, abs=0.1)  # of eight types that are alike
    assert "<svg" in experiment.picture()
    experiment, found = cells("figure-6.6", effort)
    shown = np.array([[found[row, column].ours for column in ("adaptive", "reset", "difference")] for row, _ in found])
    assert shown[:, 0] - shown[:, 1] == pytest.approx(shown[:, 2], abs=1e-6)
    assert "<svg" in experiment.picture()
    _, found = cells("chapter-6-statements", effort)
    assert [row for row, _ in found] == [*STATEMENTS_6]
    assert {cell.verdict for cell in found.values()} <= {CONFIRMED, UNCONFIRMED, REFUTED}


def test_what_was_measured_is_kept(effort, monkeypatch):
    _, before = cells("table-6.2", effort)
    systems.study_of.cache_clear()
    monkeypatch.setattr(systems.Study, "_guest", None)
    _, after = cells("table-6.2", effort)
    assert [cell.ours for cell in after.values()] == pytest.approx([cell.ours for cell in before.values()])
