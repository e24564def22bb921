"""Chapter 6 of Sweeney 2012 at the smallest size: models, nine exploiters and all that is measured of them."""

from __future__ import annotations

import numpy as np
import pytest

from kibitz.experiments import load_paper
from kibitz.experiments.ledger import Ledger, open_ledger
from kibitz.experiments.published import (
    CONFIRMED,
    REFUTED,
    SUBSTITUTE,
    UNCONFIRMED,
    Effort,
    compute,
    format_figure,
    gather,
)
from kibitz.experiments.sweeney2012 import adaptation, chapter_5, chapter_6, making, measuring, runs, systems
from kibitz.experiments.sweeney2012.chapter_6 import group_of
from kibitz.experiments.sweeney2012.chapter_6_statements import better_at
from kibitz.experiments.sweeney2012.making import EXPLOITERS, Making, Size, model_of
from kibitz.experiments.sweeney2012.measuring import least_effect, matches_needed
from kibitz.experiments.sweeney2012.printed import STATEMENTS_6, TABLES
from kibitz.learning.exploiters import load_exploiter
from kibitz.learning.opponents import Fit
from kibitz.learning.population import load_population
from kibitz.statistics import dunnett_c

TINY = Size(128, 2, 1, 128, 2, 2)


@pytest.fixture(scope="module")
def effort(tmp_path_factory):
    """Every table computed once, in a folder."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(runs.SIZES, "smoke", runs.Size((64, 128), (2, 20), (2, 20), (2, 20), 128, 60))
        runs.forget()
        patch.setitem(making.SIZES, "smoke", TINY)
        patch.setattr(measuring, "PARTS", 2)
        patch.setitem(systems.ADDED, "smoke", systems.Added((4, 20), 4))
        systems.study_of.cache_clear()
        yield Effort("smoke", folder=tmp_path_factory.mktemp("work"))
        systems.study_of.cache_clear()


def cells(table: str, effort: Effort):
    experiment = load_paper("sweeney2012").EXPERIMENTS[table].at(effort)
    return experiment, {(row, cell.column): cell for row, cell in compute(experiment)}


def test_ten_systems_stand_beside_what_is_printed(effort):
    _, found = cells("table-6.2", effort)
    assert {cell.verdict for cell in found.values()} == {SUBSTITUTE}
    assert len(found) == 60
    assert found["Self-play", "deals"].ours == TINY.measured * 120
    assert found["OM", "fit %"].ours == found["OM-GR", "fit %"].ours != found["PT", "fit %"].ours
    _, found = cells("table-6.3", effort)
    assert len(found) == 50
    assert 0 < found["PT-EL", "VP$IP"].ours <= 100


def test_one_match_held_out_tells_no_range(tmp_path, monkeypatch):
    monkeypatch.setattr(systems.Study, "fits", lambda _: 3 * [Fit(np.array([10.0]), np.ones((3, 1)), "match")])
    study = systems.Study(Effort("smoke"), Making("smoke", 0, tmp_path), Ledger({}))
    fit = study.fit("OM")
    for value, error in ((fit.nats, fit.error), (fit.share, fit.share_error)):
        found = chapter_5.substitute(value, error, "")
        assert found.ours == value
        assert np.isnan([found.low, found.high]).all()


def test_fits_are_compared_match_by_match(tmp_path, monkeypatch):
    """Matches differ by more than models do: each model gains 0.01 nats in every match, give or take 0.001."""
    matches = np.array([0.4, 0.5, 0.6, 0.7])
    small = 0.001 * np.array([1, -1, 1, -1])
    fits = [Fit(np.full(4, 100.0), np.tile(100 * (matches - k * (0.01 + small)), (3, 1)), "match") for k in range(3)]
    monkeypatch.setattr(systems.Study, "fits", lambda _: fits)
    study = systems.Study(Effort("smoke"), Making("smoke", 0, tmp_path), Ledger({}))
    for model in ("OM", "PT"):
        gain = study.gain(model)
        assert gain.mean == pytest.approx(0.01)
        assert 0 < 1.96 * gain.error < 0.003
        assert study.fit(model).error > 0.05


def test_means_stand_with_two_standard_errors(effort):
    experiment, found = cells("figure-6.3", effort)
    assert [row for row, _ in found][:2] == ["Self-play", "OM-GR"]  # by the printed means
    assert found["PT-EL", "mean"].printed == 0.362
    assert found["PT-EL", "mean"].bound == pytest.approx(2 * 12.16 / np.sqrt(53_760))
    for (system, _), cell in found.items():
        result = systems.study_of(effort).real(system)
        assert cell.ours == result.mean
        assert cell.high - cell.low == pytest.approx(4 * result.error)
    assert "<svg" in experiment.picture()


def test_our_systems_are_compared_by_match(closed):
    """The pattern at `full`, and what is behind one pair that differs by deals, but not by matches."""
    _, found = cells("table-6.2-significance-ours", Effort("full"))
    assert {cell.verdict for cell in found.values()} == {SUBSTITUTE}
    others = [cell for (_, column), cell in found.items() if column == "others"]
    assert [cell.ours for cell in others] == [5, 4, 0, 5, 3, 0, 5, 6, 0]
    assert [cell.printed for cell in others] == [0, 0, 0, 0, 0, 0, 0, 3, 2]
    assert all(cell.ours == cell.printed == 1 for (_, column), cell in found.items() if column == "self-play")
    assert found["PT-SR", "others"].reason == "better than OM-GR, PT-GR, PT-EL-GR"
    study = systems.study_of(Effort("full"))
    names = ("Self-play", *EXPLOITERS)
    groups = [group_of(study.real(name)) for name in names]
    assert {group.samples for group in groups} == {10_000}
    assert groups[1].deviation / 100 == pytest.approx(study.real("OM").error)
    assert sum(each.significant for each in dunnett_c(groups)) == 37
    deals = [
        group._replace(deviation=study.real(name).sd, samples=1_200_000)
        for group, name in zip(groups, names, strict=True)
    ]
    assert sum(each.significant for each in dunnett_c(deals)) == 38


def test_comparisons_run_at_every_size(effort):
    _, found = cells("table-6.2-significance-ours", effort)
    assert len(found) == 18


def test_records_have_one_kind_of_bots_at_a_table_or_several(tmp_path):
    kind = load_population("switchable").kind
    for kind_by, several in (("match", False), ("seat", True)):
        hands = Making("smoke", 0, tmp_path, "switchable", kind_by).hands()
        seated = kind[hands.names[:, :6]]
        assert (seated != seated[:, :1]).any() == several


def test_exploiters_begin_where_they_should(effort):
    """Those with an extra layer have the weights of the same system without, and learned from there."""
    made = Making("smoke", 0, effort.folder)
    made.prepare(EXPLOITERS, effort)  # nothing is left to do
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
    alone, first = cells("figure-6.5", effort)
    assert {column for _, column in first} == {"adaptive"}
    assert all(cell.ours == found[place].ours for place, cell in first.items())
    assert "<svg" in alone.picture()
    assert f"{measuring.played(TINY.adapting) * 12} deals a bin" in alone.notes[0]
    _, found = cells("chapter-6-statements", effort)
    assert [row for row, _ in found] == [*STATEMENTS_6]
    assert {cell.verdict for cell in found.values()} <= {CONFIRMED, UNCONFIRMED, REFUTED}


def test_targets_and_optimism_are_judged_pair_by_pair(closed):
    """At `full` 16 of 18 systems have more of their own target, and five of six gaps are apart."""
    _, found = cells("chapter-6-statements", Effort("full"))
    own, gap = found["best at its own target", "ours"], found["optimism shrinks", "ours"]
    assert own.verdict == gap.verdict == UNCONFIRMED
    assert "the weakest of 18, 16 confirmed, 2 not confirmed" in own.reason
    assert own.ours == pytest.approx(1.2640 / 1.2813 - 1, abs=1e-4)  # the means of PT-EL and PT-EL-SR
    assert "the weakest of 6, 5 confirmed, 1 not confirmed" in gap.reason
    assert gap.ours == pytest.approx((1.2640 - 0.8687) - (1.2813 - 0.9253), abs=1e-4)
    verdicts = [cell.verdict for cell in found.values()]
    assert [verdicts.count(each) for each in (CONFIRMED, UNCONFIRMED, REFUTED)] == [13, 3, 1]


@pytest.mark.parametrize(("target", "wins"), [("", 0), ("-SR", 0), ("-GR", 1)])
def test_a_target_is_judged_by_its_own_ratio(target, wins):
    """1.0 with a deviation of 10, and 0.9 with one of 9.3: the mean and the Sharpe ratio are larger, not the last."""
    pair = systems.Result(1.0, 1e-4, 10.0, 1.0), systems.Result(0.9, 1e-4, 9.3, 1.0)
    assert better_at(target, pair[wins], pair[1 - wins]).verdict == CONFIRMED
    assert better_at(target, pair[1 - wins], pair[wins]).verdict == REFUTED


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
    experiment, matches = cells("figure-6.7-matches", effort)
    assert matches["played", "ours"].ours == 4
    assert matches["for 0.09 at a deal number", "thesis"].ours == 143_280
    decimals = experiment.published.digits
    assert all(float(format_figure(cell.ours, decimals).replace(",", "")) % 1 == 0
               for cell in matches.values() if cell.ours == cell.ours)  # fmt: skip
    rise = power["rise from first to last bin", "ours"]
    assert rise.ours == pytest.approx(found["deals 109-120", "adaptive"].ours - found["deals 1-12", "adaptive"].ours)
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
    monkeypatch.setattr(systems, "measures_of", lambda _: stored)
    counts = {"table-6.4": 0, "figure-6.7": 0, "figure-6.7-power": 3, "figure-6.7-matches": 2, "figure-6.4": 12}
    for table, count in counts.items():
        experiment, found = cells(table, effort)
        assert len(found) == count
        assert experiment.picture is None or "<svg" in experiment.picture()
        assert systems.NOT_MADE in experiment.notes
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("preset", ["short", "full"])
@pytest.mark.parametrize("table", ["table-6.4", "figure-6.4", "figure-6.7", "figure-6.7-power", "figure-6.7-matches"])
def test_a_note_on_what_is_not_run_stands_only_there(table, preset, closed):
    experiment, found = cells(table, Effort(preset))
    by_row = [(row, cell) for (row, _), cell in found.items()]
    assert "not run" not in gather("sweeney2012", table, experiment, by_row).counts
    assert systems.NOT_MADE not in experiment.notes


@pytest.mark.parametrize("preset", ["short", "full"])
def test_matches_are_counted_alike(preset, monkeypatch, closed):
    """In parts of equal size there may be more of them than were asked for."""
    monkeypatch.setattr(measuring, "PARTS", 16)
    _, found = cells("figure-6.7-matches", Effort(preset))
    experiment, _ = cells("figure-6.7", Effort(preset))
    assert f"{found['played', 'ours'].ours:,.0f} matches" in experiment.notes[0]


def test_everything_is_measured_in_one_place(effort, monkeypatch):
    systems.study_of(effort).measure_all()
    monkeypatch.setattr(systems.Study, "guest", None)  # nothing is left to measure
    tables = (
        "table-6.2",
        "table-6.3",
        "table-6.4",
        "figure-6.3",
        "figure-6.4",
        "figure-6.5",
        "figure-6.6",
        "figure-6.7",
    )
    for table in tables:
        experiment, found = cells(table, effort)
        assert len(found) == experiment.published.size


def test_what_was_measured_is_kept(effort, monkeypatch):
    _, before = cells("table-6.2", effort)
    systems.study_of.cache_clear()
    monkeypatch.setattr(systems.Study, "guest", None)
    _, after = cells("table-6.2", effort)
    assert [cell.ours for cell in after.values()] == pytest.approx([cell.ours for cell in before.values()])
