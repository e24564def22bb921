"""Value curves: computed, kept, gone on with, and read again."""

import json
from dataclasses import replace
from math import isnan

import pytest

from kibitz.bet_sizing import SizeRange, load_bets
from kibitz.errors import FormatError, KibitzError
from kibitz.experiments.hawkin2014 import curves
from kibitz.experiments.hawkin2014.curves import (
    SPECS,
    CurveSpec,
    Valuation,
    compute_curve,
    load_curve,
    plan_of,
    save_curve,
)
from kibitz.games.named import leduc_nolimit
from kibitz.solvers.problem import Problem

PROBLEM = Problem(leduc_nolimit(30, 2), "fcpa")
SPEC = CurveSpec("Leduc, one range [0.5,0.7], P1", "re", (SizeRange(0.5, 0.7),), 0, cards="")


def compute(iterations=60, runs=2, spec=SPEC, form="vector", valued=None, **more):
    plan = plan_of(spec, PROBLEM, iterations, runs, weighed=200, form=form)
    return compute_curve(spec, plan, Valuation(20, valued), **more)


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
    curve = compute(runs=1)
    save_curve(curve, tmp_path / "deep" / f"{SPEC.slug}.json")
    again = load_curve(tmp_path / "deep" / "leduc-one-range-0.5-0.7-p1.json")
    assert repr(again) == repr(curve)  # nan is not equal to itself
    assert again.spec == SPEC
    assert json.loads((tmp_path / "deep" / f"{SPEC.slug}.json").read_text())["points"][0]["played"] is None


def test_a_folder_is_gone_on_with(tmp_path):
    whole = compute()
    compute(runs=1, folder=tmp_path)
    assert load_bets(tmp_path).made["run"] == 1
    begun = load_curve(tmp_path / "curve.json")
    (tmp_path / "curve.json").unlink()  # stopped after learning, before the value was known
    later = compute(folder=tmp_path)
    for ours, theirs in zip(later.points, whole.points, strict=True):
        assert repr(replace(ours, seconds=0)) == repr(replace(theirs, seconds=0))
    assert repr(load_curve(tmp_path / "curve.json")) == repr(later)
    assert repr(replace(begun.points[0], seconds=0)) == repr(replace(later.points[0], seconds=0))
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


@pytest.mark.usefixtures("solved_by_iterations")
def test_a_curve_whose_last_point_is_lost_is_computed_again(tmp_path):
    whole = compute(folder=tmp_path)
    save_curve(replace(whole, points=whole.points[:-1]), tmp_path / "curve.json")
    assert without_seconds(compute(folder=tmp_path)) == without_seconds(whole)


def test_fewer_runs_are_a_shorter_curve(tmp_path):
    compute(folder=tmp_path)
    fewer = compute(runs=1, folder=tmp_path, on_report=lambda report: pytest.fail("there was nothing to learn"))
    assert [point.run for point in fewer.points] == [1]


def test_runs_on_sampled_deals_are_valued_from_their_files(tmp_path):
    whole = compute(form="sampled", folder=tmp_path)
    (tmp_path / "curve.json").unlink()
    again = compute(form="sampled", folder=tmp_path, on_report=lambda report: pytest.fail("there was nothing to learn"))
    assert without_seconds(again) == without_seconds(whole)


def test_what_was_made_otherwise_is_refused(tmp_path):
    compute(runs=1, folder=tmp_path)
    with pytest.raises(KibitzError, match=r"its iterations is 60, here it is 70: choose another folder"):
        compute(iterations=70, folder=tmp_path)
    with pytest.raises(KibitzError, match=r"is the curve 'Leduc.*', not 'other'"):
        compute(spec=replace(SPEC, name="other"), runs=1, folder=tmp_path)
    (tmp_path / "curve.json").unlink()
    with pytest.raises(KibitzError, match=r"its run has iterations = 60, this plan has 70"):
        compute(iterations=70, folder=tmp_path)


def test_later_runs_may_go_without_a_value():
    first, second = compute(valued=1).points
    assert not isnan(first.value)
    assert isnan(second.value)
    assert second.sizes


@pytest.mark.parametrize("text", ["", "{}", '{"format": "something else"}', '{"format": "kibitz bet curve 1"}'])
def test_files_that_hold_no_curve_are_refused(tmp_path, text):
    (tmp_path / "curve.json").write_text(text)
    with pytest.raises(FormatError, match=r"curve\.json holds no curve"):
        load_curve(tmp_path / "curve.json")


def test_names_and_files_of_the_curves_of_the_thesis_are_their_own():
    assert all(name == spec.name for name, spec in SPECS.items())
    assert len({spec.slug for spec in SPECS.values()}) == len(SPECS)
    assert SPECS["REFINED 2 ranges e=25, P2"].extras == 25
    assert SPECS["RED 1 range, P1"].ranges == (SizeRange(0.71, 0.94),)
