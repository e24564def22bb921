"""Bucket games through BLAS: the same game through the block kernels must come to the same."""

import numpy as np
import pytest

from kibitz.deals import MatrixDeal, RoundDeal
from kibitz.games import load_game
from kibitz.responses.best_response import best_response, expected_values, exploitability
from kibitz.solvers.cfr import CFR
from kibitz.solvers.compiled import vector as form_module
from kibitz.solvers.compiled.vector import VectorGame
from kibitz.strategy import Strategy
from kibitz.tree import build_tree

GAME = load_game("leduc-nolimit")
TREE = build_tree(GAME, "fcpa")


def bucket_game(first: int, then: int, seed: int) -> MatrixDeal:
    """Any states may meet: `first` states in the first round, each refined into `then`; player 1 has one more."""
    generator = np.random.default_rng(seed)
    counts = np.array([[first, first + 1], [first * then, (first + 1) * then]])
    weight = generator.random(counts[1])
    weight /= weight.sum()
    sign = weight * np.sign(generator.random(counts[1]) - 0.5)
    rounds = []
    for r in range(2):
        if r == 0:
            parts = (first, then, first + 1, then)
            matrices = (weight.reshape(parts).sum(axis=(1, 3)), sign.reshape(parts).sum(axis=(1, 3)))
        else:
            matrices = (weight, sign)
        labels = tuple(tuple(map(str, range(count))) for count in counts[r])
        parents = tuple(np.arange(count) // (then if r else count) for count in counts[r])
        edges = tuple(np.array([0, count]) for count in counts[r])
        rounds.append(
            RoundDeal(labels, parents, edges, np.array([0, matrices[0].size]), *(m.ravel() for m in matrices))
        )
    return MatrixDeal(GAME, True, tuple(rounds), cards=f"test-{seed}")


@pytest.fixture(params=[(3, 5), (7, 13)])
def forms(request, monkeypatch):
    deal = bucket_game(*request.param, seed=request.param[0])
    monkeypatch.setattr(form_module, "WIDE", 1)
    dense = VectorGame(TREE, deal)
    assert dense.is_dense
    monkeypatch.setattr(form_module, "WIDE", 10**9)
    blocks = VectorGame(TREE, deal)
    assert not blocks.is_dense
    return dense, blocks


@pytest.mark.parametrize("alternating", [True, False])
@pytest.mark.parametrize("algorithm", ["cfr", "cfr+", "dcfr"])
def test_iterations_are_those_of_the_block_kernels(forms, algorithm, alternating):
    solvers = [CFR(compiled, algorithm, alternating, threads=1) for compiled in forms]
    for solver in solvers:
        solver.step(3)
        solver.step(4)
    dense, blocks = solvers
    # Products are in single precision; a regret near zero may fall on the other side, so compare what is played.
    np.testing.assert_allclose(dense.regret, blocks.regret, atol=2e-5 * np.abs(blocks.regret).max())
    values = [
        expected_values(compiled, solver.average_strategy()) for compiled, solver in zip(forms, solvers, strict=True)
    ]
    assert values[0] == pytest.approx(values[1], abs=1e-4)


def test_measures_are_exact(forms):
    dense, blocks = forms
    solver = CFR(blocks, "cfr+")
    solver.step(5)
    strategy = solver.average_strategy()
    assert expected_values(dense, strategy) == pytest.approx(expected_values(blocks, strategy), abs=1e-12)
    assert exploitability(dense, strategy).responses == pytest.approx(
        exploitability(blocks, strategy).responses, abs=1e-12
    )
    response, found = best_response(dense, strategy)
    for seat in range(2):  # ties may be broken either way, so play the response instead of comparing it
        own = np.repeat((TREE.player == seat) & (TREE.kind == 0), np.diff(dense.layout.offset))
        mixed = Strategy(dense.layout, np.where(own, response.values, strategy.values))
        assert expected_values(blocks, mixed)[seat] == pytest.approx(found.responses[seat], abs=1e-12)


def test_threads_change_nothing(forms):
    dense = forms[0]
    one, two = CFR(dense, "dcfr", threads=1), CFR(dense, "dcfr", threads=2)
    for solver in (one, two):
        solver.step(5)
    np.testing.assert_array_equal(one.regret, two.regret)
    np.testing.assert_array_equal(one.average, two.average)


def test_it_converges():
    deal = bucket_game(5, 21, seed=2)
    compiled = VectorGame(TREE, deal)
    assert compiled.is_dense
    solver = CFR(compiled, "dcfr")
    solver.step(1000)
    found = exploitability(compiled, solver.average_strategy())
    assert 0 < found.exploitability < 0.003
