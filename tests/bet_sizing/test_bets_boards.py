"""BETS on boards: slopes against the matrix game of the same boards, sizes against those of the vector form."""

from dataclasses import replace

import numpy as np
import pytest

from bet_sizing.gradient_ascent import size_slopes
from kibitz.bet_sizing import SizeRange, SizingPlan, Transformation
from kibitz.bet_sizing.compiled import Walk
from kibitz.bet_sizing.runs import learn
from kibitz.bet_sizing.sampled import BoardBets, Ends
from kibitz.bet_sizing.sizing import Sizing
from kibitz.cards import parse_cards
from kibitz.deals.bucketed import bucketed_deal
from kibitz.deals.joint import Boards, bucket_matrices
from kibitz.errors import KibitzError
from kibitz.evaluator import evaluate, evaluate_batch
from kibitz.games.named import leduc_nolimit
from kibitz.solvers.compiled.boards import BoardGame
from kibitz.solvers.compiled.sampled import SampledGame
from kibitz.solvers.problem import Problem
from kibitz.strategy import Strategy
from solvers.test_board_sampling import NOLIMIT, SumOfRanks, abstraction

SHORT = replace(NOLIMIT, stacks=(800, 800))
EDGES = [evaluate(parse_cards(text)) for text in ("5c5dAhJsTd7c2c", "5c5d3h3sAdKcJh")]  # small pairs, small two pair


class Thirds(SumOfRanks):
    """Three kinds of hands on the river, one before."""

    def find(self, holes, boards, codes, states):
        states *= self.parts
        if self.size == 5:
            whole = np.concatenate((holes, boards), axis=1)
            possible = (holes[:, :, None] != boards[:, None, :]).all(axis=(1, 2))
            states[possible] += np.searchsorted(EDGES, evaluate_batch(whole[possible]), side="right")


def thirds(recall):
    cards = abstraction(3, recall)
    rounds = tuple(Thirds(size, 3 if size == 5 else 1) for size in (0, 3, 4, 5))
    return replace(cards, rounds=rounds, counts=np.array([1, 1, 1, 3]), fingerprint=f"thirds-{recall}")


PERFECT, IMPERFECT = thirds("PR"), thirds("IR")
TREE = Transformation(SHORT, ((SizeRange(0.5, 0.9),), (SizeRange(0.7, 1.1),)), ("all-in", "all-in")).build()


def test_the_mean_over_boards_is_the_slope_in_their_matrix_game():
    from kibitz.solvers.board_sampling import _kernels

    generator, boards = np.random.default_rng(3), Boards.sampled(8, seed=2)
    sizes = np.array([generator.uniform(*each.range) for each in TREE.sizers])
    compiled = SampledGame(TREE.shape, bucketed_deal(SHORT, PERFECT))
    sums = generator.exponential(size=compiled.layout.size) ** 2 * (generator.random(compiled.layout.size) < 0.8)
    strategy = Strategy.from_sums(compiled.layout, sums)
    exact = size_slopes(TREE, bucket_matrices(SHORT, PERFECT, boards), strategy, sizes)

    walker, walk = BoardGame(compiled), Walk(TREE, compiled.layout)
    ends, table = Ends(TREE, walker), Sizing(TREE, "every", 1, "last", sizes).table
    ends.restake(walk, table)
    slopes, reaches = [], []
    for board in boards.cards:
        regret = np.empty(compiled.layout.size)
        regret[compiled.layout.by_infoset] = strategy.values
        sums = (regret, np.zeros(compiled.layout.size), walker.scratch(), ends.told)
        _kernels.iterate(0, True, walker.tree, tuple(walker.rank(board[None])), *sums)
        slope, reach = ends.slopes(walk, table)
        slopes.append(slope.copy())
        reaches.append(reach)
    np.testing.assert_allclose(np.mean(slopes, axis=0), exact.slope, atol=1e-9)
    np.testing.assert_allclose(np.mean(reaches, axis=0), exact.reach, atol=1e-12)
    assert np.abs(exact.slope).max() > 1


def test_sizes_move_along_the_slope_of_the_board():
    deal, generator = bucketed_deal(SHORT, PERFECT), np.random.default_rng(4)
    solver = BoardBets(TREE, deal, seed=9, warmup=0, horizon=4, start=TREE.middles + 0.1)
    strategy = Strategy.from_sums(solver.layout, generator.exponential(size=solver.layout.size))
    solver.regret[solver.layout.by_infoset] = strategy.values
    solver.iteration, sizes = 6, solver.sizing.current
    board = Boards(solver.boards.boards(9, 6, 1), np.ones(1))
    slope = size_slopes(TREE, bucket_matrices(SHORT, PERFECT, board), strategy, sizes).slope
    solver.step()
    low, high = (np.array([each.range[end] for each in TREE.sizers]) for end in range(2))
    down, up = np.maximum((low - sizes) * slope, 0), np.maximum((high - sizes) * slope, 0)
    wanted = low + (high - low) * up / (down + up)  # what regret matching takes: one of the ends after one iteration
    np.testing.assert_allclose(solver.sizing.current, sizes + (wanted - sizes) / 4, atol=1e-9)


def test_runs_can_be_had_again_and_go_on():
    deal = bucketed_deal(SHORT, IMPERFECT)
    whole, resumed, other = (BoardBets(TREE, deal, seed, warmup=3) for seed in (7, 7, 8))
    whole.step(70)
    other.step(70)
    resumed.step(66)
    again = BoardBets(TREE, deal, 7, warmup=3)
    again.restore(66, {name: array.copy() for name, array in resumed.arrays().items()})
    again.step(4)
    np.testing.assert_array_equal(again.sizes(), whole.sizes())
    np.testing.assert_array_equal(again.average_strategy().values, whole.average_strategy().values)
    assert not np.array_equal(other.regret, whole.regret)


def test_a_plan_on_boards():
    made = Transformation(SHORT, ((SizeRange(0.5, 0.7),), ()), ("all-in", "fcpa"))
    problem, how = Problem(SHORT, "fcpa", cards="one-bucket"), {"algorithm": "red", "iterations": 20, "runs": 2}
    plan = SizingPlan(made, problem, form="boards", weighed=50, **how)
    runs = [report.result for report in learn(plan) if report.result is not None]
    assert [run.made["form"] for run in runs] == ["boards"] * 2
    assert runs[0].importance.max() > 0
    with pytest.raises(KibitzError, match="two players of hold'em"):
        next(
            learn(
                SizingPlan(
                    Transformation(leduc_nolimit(30, 2), made.ranges),
                    Problem(leduc_nolimit(30, 2), "fcpa"),
                    form="boards",
                )
            )
        )
    with pytest.raises(KibitzError, match="vector, boards, sampled"):
        SizingPlan(made, Problem(SHORT, "fcpa", cards="one-bucket"), form="board")
