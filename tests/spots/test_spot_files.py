"""Solved spots on disk and as documents: what is read back is what was written."""

import json
import math
from dataclasses import replace

import numpy as np
import pytest

from kibitz.errors import KibitzError
from kibitz.plans import carry_out, open_artefact, read_curve, save_artefact
from kibitz.spots import Progress, Rake, Spot
from kibitz.spots.document import document
from kibitz.spots.files import describe_spot, load_spot, read_spot
from kibitz.spots.plan import SpotPlan
from kibitz.spots.report import inspect

PLAN = SpotPlan(
    "Qs Jh 2h 8d 3c", 100, "100,150", "QQ,JJ,65s:0.5", "AA,KQs", oop_sizes="0.5", ip_sizes="all-in", min_bet=2,
    rake="5%", rake_cap=3, accuracy=0.1,
)  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A solution, and the reports of its solving."""
    place = tmp_path_factory.mktemp("spots") / "one"
    return place, list(carry_out(PLAN, place))


@pytest.fixture(scope="module")
def solved(folder):
    solver, _last = folder[1][-1].artefact.content
    return solver, tuple(Progress.of(report.row) for report in folder[1] if report.row)


def test_a_spot_is_described_whole(solved):
    spot = solved[0].compiled.spot
    again = read_spot(json.loads(json.dumps(describe_spot(spot))))
    assert (again.board, again.pot, again.stacks, again.ranges) == (spot.board, spot.pot, spot.stacks, spot.ranges)
    assert (again.min_bet, again.rake) == (2, Rake(0.05, 3))
    assert again.tree.fingerprint == spot.tree.fingerprint
    assert read_spot(describe_spot(Spot.parse("Qs Jh 2h", 10, 10, "AA", "KK"))).rake.cap == math.inf


def test_a_solution_is_read_back(folder, solved):
    solver, curve = solved
    again, told = load_spot(folder[0])
    assert told == curve
    assert again.iteration == solver.iteration
    np.testing.assert_array_equal(inspect(again, "c").strategy, inspect(solver, "c").strategy)
    made = open_artefact(folder[0], "spot").made
    assert made["exploitability"] == curve[-1].measure.exploitability
    assert made["plan"] == {"kind": "spot", **PLAN.describe()}


def test_what_is_no_solution_is_refused(folder, tmp_path):
    with pytest.raises(KibitzError, match="holds no solved spot"):
        load_spot(tmp_path)
    found = folder[1][-1].artefact
    for number, changed in enumerate((
        replace(found, arrays={"average": np.zeros(3, np.float32)}),
        replace(found, about=found.about | {"spot": {}}),
        replace(found, about=found.about | {"spot": None}),
    )):  # fmt: skip
        save_artefact(changed, tmp_path / str(number))
        with pytest.raises(KibitzError, match="does not belong" if not number else "not a whole solved spot"):
            load_spot(tmp_path / str(number))


def test_a_run_begins_with_the_first_iteration_and_ends_at_its_goal(folder, solved):
    _solver, curve = solved
    assert [each.iteration for each in curve[:4]] == [1, 10, 20, 30]
    assert curve[-1].measure.exploitability <= 0.1 < curve[-2].measure.exploitability
    shares = [report.done for report in folder[1][:-1]]
    assert shares == sorted(shares)
    assert 0 <= shares[0] < shares[-1] == 1


@pytest.mark.parametrize("precision", ["single", "double"])
def test_a_solution_that_is_left_resumes_to_the_same_bits(precision, tmp_path, monkeypatch):
    monkeypatch.setattr("kibitz.spots.plan.PIECE_SECONDS", 0.0)
    plan = replace(PLAN, precision=precision, accuracy=0, iterations=45)
    list(carry_out(plan, tmp_path / "straight"))
    for stop in (1, 13, 40):
        reports = carry_out(plan, tmp_path / f"{stop}")
        for _ in zip(range(stop), reports, strict=False):
            pass
        reports.close()
        list(carry_out(plan, tmp_path / f"{stop}", resume=True))
        one, two = (open_artefact(tmp_path / name) for name in ("straight", f"{stop}"))
        np.testing.assert_array_equal(one.arrays["average"], two.arrays["average"])
        one, two = ([row | {"seconds": 0} for row in read_curve(tmp_path / name)] for name in ("straight", f"{stop}"))
        assert one == two
    monkeypatch.undo()
    list(carry_out(plan, tmp_path / "pieces"))  # of several iterations
    one, two = (open_artefact(tmp_path / name) for name in ("straight", "pieces"))
    np.testing.assert_array_equal(one.arrays["average"], two.arrays["average"])


def test_it_ends_where_more_iterations_no_longer_help():
    *_, last = carry_out(replace(PLAN, accuracy=0))
    solver, found = last.artefact.content
    assert solver.iteration > 100
    assert found.measure.exploitability < 1e-3


def test_the_document_has_every_hand(solved):
    solver, curve = solved
    found = document(solver, curve[-1], inspect(solver))
    assert found["iterations"] == solver.iteration
    hands = found["decision"]["oop"]["hands"]
    assert {row["hand"] for row in hands} >= {"QhQd", "6s5s"}
    assert all(sum(row["strategy"]) == pytest.approx(1) for row in hands)
