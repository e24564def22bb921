"""Solved spots on disk and as documents: what is read back is what was written."""

import json
import math

import numpy as np
import pytest

from kibitz.errors import KibitzError
from kibitz.spots import Rake, Spot, SpotCFR, SpotGame
from kibitz.spots.document import document
from kibitz.spots.files import AVERAGE, SPOT, describe_spot, load_spot, read_spot, save_spot
from kibitz.spots.report import inspect
from kibitz.spots.runs import progress_share, solve_to


@pytest.fixture(scope="module")
def solved():
    spot = Spot.parse("Qs Jh 2h 8d 3c", 100, (100, 150), "QQ,JJ,65s:0.5", "AA,KQs", ("0.5", "all-in"), 2, Rake(0.05, 3))
    solver = SpotCFR(SpotGame(spot))
    return solver, list(solve_to(solver, 0.1))


def test_a_spot_is_described_whole(solved):
    spot = solved[0].compiled.spot
    again = read_spot(json.loads(json.dumps(describe_spot(spot))))
    assert (again.board, again.pot, again.stacks, again.ranges) == (spot.board, spot.pot, spot.stacks, spot.ranges)
    assert (again.min_bet, again.rake) == (2, Rake(0.05, 3))
    assert again.tree.fingerprint == spot.tree.fingerprint
    assert read_spot(describe_spot(Spot.parse("Qs Jh 2h", 10, 10, "AA", "KK"))).rake.cap == math.inf


def test_a_solution_is_read_back(solved, tmp_path):
    solver, curve = solved
    save_spot(solver, curve, tmp_path / "one")
    again, told = load_spot(tmp_path / "one")
    assert told == tuple(curve)
    assert again.iteration == solver.iteration
    np.testing.assert_array_equal(inspect(again, "c").strategy, inspect(solver, "c").strategy)
    save_spot(solver, curve, tmp_path / "one")  # a solution gives way to another


def test_what_is_no_solution_is_refused(solved, tmp_path):
    solver, curve = solved
    with pytest.raises(KibitzError, match="holds no solved spot"):
        load_spot(tmp_path)
    with pytest.raises(KibitzError, match="it is not replaced"):
        save_spot(solver, curve, tmp_path)
    save_spot(solver, curve, tmp_path / "one")
    np.save(tmp_path / "one" / AVERAGE, np.zeros(3, np.float32))
    with pytest.raises(KibitzError, match="does not belong"):
        load_spot(tmp_path / "one")
    (tmp_path / "one" / SPOT).write_text("{}")
    with pytest.raises(KibitzError, match="not a whole solved spot"):
        load_spot(tmp_path / "one")


def test_a_run_begins_with_the_first_iteration_and_ends_at_its_goal(solved):
    _solver, curve = solved
    assert [each.iteration for each in curve[:2]] == [1, 10]
    assert curve[-1].measure.exploitability <= 0.1 < curve[-2].measure.exploitability
    shares = [progress_share(each, 100, 0.1) for each in (curve[0], curve[-1])]
    assert 0 <= shares[0] < shares[1] == 1


def test_the_document_has_every_hand(solved):
    solver, curve = solved
    found = document(solver, curve[-1], inspect(solver))
    assert found["iterations"] == solver.iteration
    hands = found["decision"]["oop"]["hands"]
    assert {row["hand"] for row in hands} >= {"QhQd", "6s5s"}
    assert all(sum(row["strategy"]) == pytest.approx(1) for row in hands)
