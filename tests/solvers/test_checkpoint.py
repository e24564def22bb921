"""Checkpoints: what is written is what comes back, and anything else is refused with a sentence."""

import json

import numpy as np
import pytest

from kibitz.games import load_game
from kibitz.solvers.cfr import CFR
from kibitz.solvers.checkpoint import CheckpointError, load_checkpoint, save_checkpoint
from kibitz.solvers.problem import Problem
from kibitz.solvers.registry import ALGORITHMS, Options, make_solver

KUHN, LEDUC = Problem(load_game("kuhn")), Problem(load_game("leduc"))


@pytest.fixture
def saved(tmp_path):
    solver = CFR(KUHN.vector, "pcfr+")
    solver.step(7)
    path = tmp_path / "checkpoint.npz"
    save_checkpoint(path, solver, KUHN.describe(), 2.5)
    return path, solver


def changed(path, **changes):
    """The checkpoint with other arrays, or another header where that is a function of the one it has."""
    with np.load(path) as file:
        arrays = dict(file)
    for name, change in changes.items():
        if name == "header":
            header = json.loads(str(arrays["header"]))
            arrays["header"] = np.array(json.dumps(change(header)))
        elif change is None:
            del arrays[name]
        else:
            arrays[name] = change
    with path.open("wb") as file:
        np.savez(file, **arrays)
    return path


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_everything_comes_back(algorithm, tmp_path):
    solver, other = (make_solver(algorithm, KUHN, Options(seed=3)) for _ in range(2))
    solver.step(20)
    save_checkpoint(tmp_path / "it.npz", solver, KUHN.describe(), 1.25)
    assert load_checkpoint(tmp_path / "it.npz", other, KUHN.describe()) == 1.25
    assert other.iteration == 20
    for name, array in solver.arrays().items():
        assert other.arrays()[name].dtype == array.dtype
        assert np.array_equal(other.arrays()[name], array), name


def test_a_restored_memory_is_a_copy(saved):
    """What one solver goes on to learn, another that was restored from the same file does not."""
    path, solver = saved
    one, two = CFR(KUHN.vector, "pcfr+"), CFR(KUHN.vector, "pcfr+")
    for each in (one, two):
        load_checkpoint(path, each, KUHN.describe())
    one.step(5)
    assert np.array_equal(two.regret, solver.regret)
    assert not np.array_equal(one.regret, two.regret)


def test_another_problem_is_refused_by_name(saved):
    path, _solver = saved
    with pytest.raises(CheckpointError, match="its problem has suits = 'merged', here it is 'kept'"):
        load_checkpoint(path, CFR(KUHN.vector, "pcfr+"), Problem(KUHN.game, suits_merged=False).describe())
    with pytest.raises(CheckpointError, match="its problem has game"):
        load_checkpoint(path, CFR(KUHN.vector, "pcfr+"), LEDUC.describe())


def test_another_solver_is_refused_by_name(saved):
    path, _solver = saved
    with pytest.raises(CheckpointError, match=r"its solver has algorithm = 'pcfr\+', here it is 'cfr'"):
        load_checkpoint(path, CFR(KUHN.vector, "cfr"), KUHN.describe())
    with pytest.raises(CheckpointError, match="its solver has updates = 'alternating', here it is 'simultaneous'"):
        load_checkpoint(path, CFR(KUHN.vector, "pcfr+", alternating=False), KUHN.describe())


def refused(path, message):
    solver = CFR(KUHN.vector, "pcfr+")
    with pytest.raises(CheckpointError, match=message):
        load_checkpoint(path, solver, KUHN.describe())
    assert solver.iteration == 0
    assert not solver.regret.any()  # nothing half-restored


def test_there_is_none(tmp_path):
    refused(tmp_path / "nothing.npz", "there is no checkpoint")


@pytest.mark.parametrize("text", [b"", b"PK\x03\x04 and then nothing", b"not an archive"])
def test_files_that_are_none(tmp_path, text):
    path = tmp_path / "it.npz"
    path.write_bytes(text)
    refused(path, "cannot be read")


def test_a_file_cut_short(saved):
    path, _solver = saved
    path.write_bytes(path.read_bytes()[:-100])
    refused(path, "cannot be read")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda header: {**header, "iteration": -1}, "-1 iterations"),
        (lambda header: {**header, "iteration": 2**53 + 2}, "iterations: a number from 0"),
        (lambda header: {**header, "iteration": 7.0}, "7.0 iterations"),
        (lambda header: {**header, "iteration": True}, "True iterations"),
        (lambda header: {**header, "seconds": -2}, "-2 seconds"),
        (lambda header: {**header, "seconds": "long"}, "'long' seconds"),
        (lambda header: {key: header[key] for key in header if key != "solver"}, "its header lacks 'solver'"),
        (lambda header: {key: header[key] for key in header if key != "iteration"}, "its header lacks 'iteration'"),
        (lambda header: [header], "cannot be read"),
        (lambda header: {**header, "solver": {**header["solver"], "more": 1}}, "its solver has more = 1"),
    ],
)
def test_headers_that_cannot_be(saved, change, message):
    path, _solver = saved
    refused(changed(path, header=change), message)


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        ({"regret": np.zeros(3)}, "the array 'regret' is missing, or of another size or type"),
        ({"regret": None}, "the array 'regret' is missing"),
        ({"average": np.zeros(24, dtype=np.float32)}, "the array 'average' is missing, or of another size or type"),
        ({"average": np.full(24, np.nan)}, "the array 'average' contains values that are not numbers"),
        ({"prediction": np.full(24, np.inf)}, "the array 'prediction' contains values that are not numbers"),
        ({"header": lambda header: header, "regret": np.array(["a"] * 24)}, "another size or type"),
    ],
)
def test_arrays_that_cannot_be(saved, arrays, message):
    path, solver = saved
    assert len(solver.regret) == 24
    refused(changed(path, **arrays), message)


def test_headers_without_seconds_are_those_of_older_runs(saved):
    path, _solver = saved
    older = changed(path, header=lambda header: {key: header[key] for key in header if key != "seconds"})
    assert load_checkpoint(older, CFR(KUHN.vector, "pcfr+"), KUHN.describe()) == 0


def test_a_place_that_cannot_be_written_is_said(tmp_path):
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(CheckpointError, match="cannot be written"):
        save_checkpoint(tmp_path / "file" / "it.npz", CFR(KUHN.vector), KUHN.describe())


def test_an_older_checkpoint_is_replaced_whole(saved):
    path, solver = saved
    solver.step(3)
    save_checkpoint(path, solver, KUHN.describe(), 4.0)
    other = CFR(KUHN.vector, "pcfr+")
    assert load_checkpoint(path, other, KUHN.describe()) == 4.0
    assert other.iteration == 10
    assert [each.name for each in path.parent.iterdir()] == [path.name]  # nothing is left beside it
