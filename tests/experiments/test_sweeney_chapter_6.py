"""Chapter 6 of Sweeney 2012 at the smallest size: models, nine exploiters and all that is measured of them."""

from __future__ import annotations

import numpy as np
import pytest

from kibitz.experiments import load_paper
from kibitz.experiments.ledger import open_ledger
from kibitz.experiments.published import CONFIRMED, REFUTED, SUBSTITUTE, UNCONFIRMED, Effort, compute
from kibitz.experiments.sweeney2012 import adaptation, chapter_6, evidence, making, measuring, runs, systems
from kibitz.experiments.sweeney2012.making import EXPLOITERS, Making, Size, model_of
from kibitz.experiments.sweeney2012.power import least_effect, matches_needed
from kibitz.experiments.sweeney2012.printed import STATEMENTS_6, TABLES
from kibitz.learning.exploiters import load_exploiter
from kibitz.learning.population import load_population
from kibitz.progress import silent

TINY = Size(128, 2, 1, 128, 2, 2)


@pytest.fixture(scope="module")
def effort(tmp_path_factory):
    """Every table computed once, in a folder."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(runs.SIZES, "smoke", runs.Size((64, 128), (2, 20), (2, 20), (2, 20), 128, 60))
        patch.setattr(runs, "_DONE", {})
        patch.setitem(making.SIZES, "smoke", TINY)
        patch.setattr(measuring, "PARTS", 2)
        patch.setitem(evidence.SIZES, "smoke", evidence.Size((4, 20), 4))
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
    assert found["given the name of the bot", "entropy"].printed == 0.225
    assert 0 < found["given the name of the bot", "entropy"].ours < 3
    assert "<svg" in experiment.picture()
    experiment, found = cells("figure-6.6", effort)
    shown = np.array([[found[row, column].ours for column in ("adaptive", "reset", "difference")] for row, _ in found])
    assert shown[:, 0] - shown[:, 1] == pytest.approx(shown[:, 2], abs=1e-6)
    assert "<svg" in experiment.picture()
    _, found = cells("chapter-6-statements", effort)
    assert [row for row, _ in found] == [*STATEMENTS_6]
    assert {cell.verdict for cell in found.values()} <= {CONFIRMED, UNCONFIRMED, REFUTED}


def test_rollouts_of_the_exploiter(effort):
    _, found = cells("table-6.4", effort)
    assert len(found) == 25
    assert {cell.verdict for cell in found.values()} == {SUBSTITUTE}
    sample, lfo, improvement = (found[row, "overall"].ours for row in ("sample error", "LFO error", "RI error"))
    assert sample == pytest.approx(lfo + improvement, abs=1e-8)
    rows = TABLES["table-6.4"].rows
    sample, lfo, improvement = (np.array(rows[row]) for row in ("sample error", "LFO error", "RI error"))
    assert sample == pytest.approx(lfo + improvement, abs=0.0011)  # as printed
    for errors in (sample, lfo, improvement):
        assert np.array(rows["share of decisions"][:4]) @ errors[:4] == pytest.approx(errors[4], abs=0.004)


def test_adaptation_to_bots(effort):
    experiment, found = cells("figure-6.7", effort)
    shown = np.array([[found[row, column].ours for column in ("adaptive", "reset", "difference")] for row, _ in found])
    assert shown[:, 0] - shown[:, 1] == pytest.approx(shown[:, 2], abs=1e-6)
    assert "<svg" in experiment.picture()
    _, power = cells("figure-6.7-power", effort)
    assert power["s.e. of a deal number", "thesis"].ours == pytest.approx(0.574, abs=0.001)
    assert power["matches", "ours"].ours == 4
    rise = power["rise from first to last ten deals", "ours"]
    assert rise.ours == pytest.approx(found["deals 111-120", "adaptive"].ours - found["deals 1-10", "adaptive"].ours)
    assert (rise.high - rise.ours) * 1.4294 == pytest.approx(
        power["least rise that can be seen", "ours"].ours, rel=0.001
    )


def test_power():
    """A test at 5 % finds the least effect in four of five samples."""
    spread, matches = 3.0, 50
    rng = np.random.default_rng(0)
    samples = rng.normal(least_effect(spread, matches), spread, (20_000, matches))
    z = samples.mean(axis=1) / (spread / np.sqrt(matches))
    assert (np.abs(z) > 1.96).mean() == pytest.approx(0.8, abs=0.012)
    assert least_effect(spread, matches_needed(spread, 0.5)) == pytest.approx(0.5, rel=0.01)


def test_what_needs_systems_is_not_run_without_them(tmp_path, monkeypatch):
    """Where measures come with the package and systems do not, no training begins."""
    effort = Effort("short", folder=tmp_path)
    stored = open_ledger("sweeney2012", "chapter-6-short", {}, effort, is_open=True)
    stored.found["entropies"] = (1.0,) * 242
    study = systems.Study(effort, Making("short", 0, tmp_path), stored)
    for module in (adaptation, chapter_6):
        monkeypatch.setattr(module, "study_of", lambda _: study)
    counts = {"table-6.4": 0, "figure-6.7": 0, "figure-6.7-power": 5, "figure-6.4": 12}
    for table, count in counts.items():
        experiment, found = cells(table, effort)
        assert len(found) == count
        assert experiment.picture is None or "<svg" in experiment.picture()
    assert not list(tmp_path.iterdir())


def test_everything_is_measured_in_one_place(effort, monkeypatch):
    evidence.measure_all(systems.study_of(effort))
    monkeypatch.setattr(systems.Study, "guest", None)  # nothing is left to measure
    for table in ("table-6.2", "table-6.3", "table-6.4", "figure-6.4", "figure-6.6", "figure-6.7"):
        assert len(cells(table, effort)[1]) == TABLES.get(table, cells("figure-6.6", effort)[0].published).size


def test_what_was_measured_is_kept(effort, monkeypatch):
    _, before = cells("table-6.2", effort)
    systems.study_of.cache_clear()
    monkeypatch.setattr(systems.Study, "guest", None)
    _, after = cells("table-6.2", effort)
    assert [cell.ours for cell in after.values()] == pytest.approx([cell.ours for cell in before.values()])
