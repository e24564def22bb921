"""Value curves: computed, kept, gone on with, and read again."""

import gzip
from dataclasses import replace
from math import isnan

import pytest

from kibitz.bet_sizing import SizeRange, load_bets
from kibitz.errors import KibitzError
from kibitz.experiments.hawkin2014 import curves
from kibitz.experiments.hawkin2014.curves import (
    SPECS,
    Curve,
    CurveSpec,
    Valuation,
    compute_curve,
    describe_curve,
    plan_of,
)
from kibitz.experiments.ledger import load_ledger, open_ledger
from kibitz.experiments.published import Effort
from kibitz.games.named import leduc_nolimit
from kibitz.solvers.problem import Problem

PROBLEM = Problem(leduc_nolimit(30, 2), "fcpa")
SPEC = CurveSpec("Leduc, one range [0.5,0.7], P1", "re", (SizeRange(0.5, 0.7),), 0, cards="")


def compute(iterations=60, runs=2, spec=SPEC, form="vector", valued=None, folder=None, on_report=None):
    plan, valuation = plan_of(spec, PROBLEM, iterations, runs, weighed=200, form=form), Valuation(20, valued)
    described = describe_curve(spec, plan, valuation)
    ledger = open_ledger("hawkin2014", "curve", described, Effort("smoke", folder=folder), is_open=True)
    return compute_curve(plan, valuation, ledger, on_report, folder)


def load(folder):
    return Curve.of(load_ledger(folder / "smoke" / "curve.json.gz"))


def test_a_curve_has_a_point_for_every_run_and_says_how_it_was_made():
    seen = []
    curve = compute(on_report=lambda report: seen.append((report.done, report.goal)))
    assert [point.run for point in curve.points] == [1, 2]
    assert seen[-1] == (120, 120)
    first = curve.points[0]
    assert first.low <= first.value <= first.high
    assert first.pairs > first.nodes > first.bets == len(first.sizes)
    assert list(first.sizes) == sorted(first.sizes, key=lambda each: -each.importance)
    assert isnan(first.played)
    assert curve.made["iterations"] == 60
    assert curve.made["measure"] == "bounds"


def test_what_is_saved_is_loaded(tmp_path):
    curve = compute(runs=1, folder=tmp_path)
    again = load(tmp_path)
    assert repr(again) == repr(curve)  # nan is not equal to itself
    assert again.spec == SPEC
    assert b'"played":null' in gzip.decompress((tmp_path / "smoke" / "curve.json.gz").read_bytes())


def test_a_folder_is_gone_on_with(tmp_path):
    whole = compute()
    begun = compute(runs=1, folder=tmp_path)
    assert load_bets(tmp_path).made["run"] == 1
    later = compute(folder=tmp_path)
    assert without_seconds(later) == without_seconds(whole)
    assert repr(load(tmp_path)) == repr(later)
    assert later.points[0].seconds == begun.points[0].seconds
    nothing = compute(folder=tmp_path, on_report=lambda report: pytest.fail("there was nothing to do"))
    assert repr(nothing) == repr(later)


@pytest.fixture
def solved_by_iterations(monkeypatch):
    """Values are bounds that depend on where the solver begins, as in games too large for a linear program."""
    monkeypatch.setattr("kibitz.bet_sizing.value.EXACT_SIZE", 0)


def interrupt(*arguments, **options):
    raise KeyboardInterrupt


def without_seconds(curve):
    return repr([replace(point, seconds=0) for point in curve.points])


@pytest.mark.usefixtures("solved_by_iterations")
@pytest.mark.parametrize(
    "spec", [SPEC, replace(SPEC, algorithm="refined", ranges=(SizeRange(0.5, 0.7), SizeRange(1.0, 1.5)))]
)
def test_a_curve_that_was_stopped_while_a_run_was_valued_has_the_same_values(tmp_path, monkeypatch, spec):
    whole = compute(spec=spec)
    compute(runs=1, spec=spec, folder=tmp_path)
    with monkeypatch.context() as patched:
        patched.setattr(curves, "bound_value", interrupt)
        with pytest.raises(KeyboardInterrupt):
            compute(spec=spec, folder=tmp_path)
    assert without_seconds(compute(spec=spec, folder=tmp_path)) == without_seconds(whole)


def test_points_that_a_ledger_has_lost_are_in_the_folder(tmp_path):
    whole = compute(folder=tmp_path)
    (tmp_path / "smoke" / "curve.json.gz").unlink()
    again = compute(folder=tmp_path, on_report=lambda report: pytest.fail("there was nothing to do"))
    assert repr(again) == repr(whole)


def test_runs_on_sampled_deals_are_valued_too(tmp_path):
    whole = compute(form="sampled", folder=tmp_path)
    assert [point.run for point in whole.points] == [1, 2]
    assert all(point.low <= point.value <= point.high for point in whole.points)


def test_what_was_made_otherwise_is_refused(tmp_path):
    compute(runs=1, folder=tmp_path)
    with pytest.raises(KibitzError, match=r"its iterations is 60, here it is 70; choose another folder"):
        compute(iterations=70, folder=tmp_path)
    with pytest.raises(KibitzError, match=r"its curve is .*'Leduc.*, here it is .*'other'"):
        compute(spec=replace(SPEC, name="other"), runs=1, folder=tmp_path)


def test_later_runs_may_go_without_a_value():
    first, second = compute(valued=1).points
    assert not isnan(first.value)
    assert isnan(second.value)
    assert second.sizes


def test_names_and_files_of_the_curves_of_the_thesis_are_their_own():
    assert all(name == spec.name for name, spec in SPECS.items())
    assert len({spec.slug for spec in SPECS.values()}) == len(SPECS)
    assert SPECS["REFINED 2 ranges e=25, P2"].extras == 25
    assert SPECS["RED 1 range, P1"].ranges == (SizeRange(0.71, 0.94),)
