"""What the kernels of all solvers share, against NumPy."""

import numpy as np
import pytest

from kibitz.games import load_game
from kibitz.solvers import _kernels
from kibitz.solvers.problem import Problem
from kibitz.tree import DECISION
from kibitz.tree import columns as names

ACTIONS, STATES = 3, 37


def matched(regret):
    """Regret matching over the first axis."""
    positive = np.maximum(regret, 0)
    total = positive.sum(axis=0)
    return np.where(total > 0, positive / np.where(total > 0, total, 1), 1 / len(regret))


@pytest.fixture
def regret():
    """Regrets [actions, states], some states without a positive one."""
    generator = np.random.default_rng(5)
    found = generator.normal(size=(ACTIONS, STATES)) * 10.0 ** generator.integers(-3, 4, size=STATES)
    found[:, ::5] = -np.abs(found[:, ::5])
    return found


@pytest.mark.parametrize("states", [1, 8, STATES])
def test_rows_are_matched(regret, states):
    """Whole vectors of states, and what is left of one; what stands beside a node stays as it is."""
    numbers, sigma = np.append(np.zeros(4), regret[:, :states]), np.full(7 + ACTIONS * states + 8, 9.0)
    _kernels.match_rows(4, 7, ACTIONS, states, numbers, numbers[:0], sigma)
    found = sigma[7:-8].reshape(ACTIONS, states)
    np.testing.assert_allclose(found, matched(regret[:, :states]), atol=1e-15)
    assert (sigma[:7] == 9).all()
    assert (sigma[-8:] == 9).all()
    again, totals = np.zeros(ACTIONS * states), np.zeros(states)
    _kernels.match_long_rows(4, 0, ACTIONS, states, numbers, again, totals)
    np.testing.assert_array_equal(again.reshape(found.shape), found)


@pytest.mark.parametrize(("kind", "close"), [(np.float64, 1e-15), (np.float32, 1e-6)])
def test_long_rows_are_matched(regret, kind, close):
    numbers, sigma = np.append(np.zeros(4), regret).astype(kind), np.zeros(7 + regret.size, kind)
    _kernels.match_long_rows(4, 7, ACTIONS, STATES, numbers, sigma, np.zeros(50, kind))
    np.testing.assert_allclose(sigma[7:].reshape(regret.shape), matched(regret), atol=close)


def test_predictions_are_added(regret):
    prediction, sigma = np.random.default_rng(6).normal(size=regret.shape), np.zeros(regret.size)
    _kernels.match_rows(0, 0, ACTIONS, STATES, regret.ravel(), prediction.ravel(), sigma)
    np.testing.assert_allclose(sigma.reshape(regret.shape), matched(regret + prediction), atol=1e-15)


@pytest.mark.parametrize("stride", [1, STATES])
def test_an_infoset_is_matched(regret, stride):
    numbers = (regret if stride > 1 else regret.T).ravel()
    for s in range(STATES):
        sigma = np.zeros(10)
        _kernels.match(numbers, s if stride > 1 else s * ACTIONS, stride, ACTIONS, sigma, 1, 3)
        np.testing.assert_allclose(sigma[1::3], matched(regret[:, s]), atol=1e-15)


@pytest.mark.parametrize("kind", [np.float64, np.int64])
def test_single_actions_are_those_of_the_infoset(regret, kind):
    rows = np.ascontiguousarray((regret * 1000).astype(kind).T)
    drawn = (np.arange(2000) + 0.5) / 2000
    for s, row in enumerate(rows):
        at, wanted = s * ACTIONS, matched(row)
        total = _kernels.total_positive(rows.ravel(), at, ACTIONS)
        assert total == pytest.approx(np.maximum(row, 0).sum())
        assert [_kernels.share(r, total, ACTIONS) for r in row] == pytest.approx(wanted)
        chosen = [_kernels.choose(rows.ravel(), at, ACTIONS, total, each) for each in drawn]
        np.testing.assert_allclose(np.bincount(chosen, minlength=ACTIONS) / len(drawn), wanted, atol=1e-3)


def test_a_share_is_never_more_than_all():
    assert _kernels.share(3.0, 2.0, 4) == 1.0  # the regret was raised after the total was counted


@pytest.mark.parametrize("least", [-np.inf, 0.0])
def test_regrets_and_averages_are_added(regret, least):
    generator = np.random.default_rng(7)
    values, old, sums = generator.normal(size=3 * STATES), regret[0].copy(), generator.random(STATES)
    found, average = old.copy(), sums.copy()
    _kernels.add_regrets(0, 0, STATES, STATES, values, found, (0.5, 0.25, 3.0, least))
    scaled = old * np.where(old > 0, 0.5, 0.25)
    wanted = np.maximum(scaled + (values[STATES : 2 * STATES] - values[:STATES]), least)
    np.testing.assert_array_equal(found, wanted)
    reach, sigma = generator.random(2 * STATES), generator.random(STATES)
    _kernels.add_average(0, STATES, 0, 3.0, STATES, reach, sigma, average)
    np.testing.assert_array_equal(average, sums + 3.0 * reach[STATES:] * sigma)
    _kernels.pass_on(STATES, 0, 0, STATES, reach, sigma)
    np.testing.assert_array_equal(reach[:STATES], reach[STATES:] * sigma)


def test_the_columns_of_a_table_have_their_names():
    problem = Problem(load_game("kuhn"), "limit")
    tree, layout = problem.tree, problem.vector.layout
    more = np.arange(len(tree)) + 100
    table = names.node_table(tree, layout.offset[:-1], more)
    for name, column in {
        "KIND": tree.kind, "PLAYER": tree.player, "ROUND": tree.round, "FIRST": tree.first_child,
        "CHILDREN": tree.children, "OFFSET": layout.offset[:-1], "PARENT": tree.parent, "FURTHER": more,
    }.items():  # fmt: skip
        np.testing.assert_array_equal(table[:, getattr(names, name)], column, err_msg=name)
    children = table[:, names.KIND] == DECISION
    assert (table[table[children, names.FIRST], names.PARENT] == np.flatnonzero(children)).all()
