"""Public chance sampling of hold'em: walks against a plain twin that meets all pairs of hands, and unbiased."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import ClassVar

import numpy as np
import pytest

from kibitz.abstraction.core import CardAbstraction
from kibitz.abstraction.features.boards import pair_cards
from kibitz.abstraction.notation import parse_notation
from kibitz.deals.bucketed import bucketed_deal
from kibitz.deals.joint import Boards, bucket_matrices
from kibitz.errors import KibitzError
from kibitz.evaluator import evaluate_batch
from kibitz.games import load_game
from kibitz.games.named import kuhn
from kibitz.responses.best_response import exploitability
from kibitz.solvers import board_sampling
from kibitz.solvers.board_sampling import BoardSampled
from kibitz.solvers.cfr import CFR
from kibitz.solvers.compiled.boards import BoardGame
from kibitz.solvers.compiled.sampled import SampledGame
from kibitz.solvers.compiled.vector import VectorGame
from kibitz.solvers.problem import Problem
from kibitz.solvers.public import PublicChanceSampled
from kibitz.solvers.registry import Options, make_solver
from kibitz.strategy import Strategy
from kibitz.tree import DECISION, FOLD, build_tree

NOLIMIT, LIMIT = load_game("holdem-nolimit-2p"), load_game("holdem-limit-2p")
HOLES = pair_cards()


class SumOfRanks:
    """A bucket that anybody can compute: the ranks of all cards seen, modulo the number of buckets."""

    kind: ClassVar[str] = "classes"

    def __init__(self, size, parts):
        self.size, self.parts = size, parts

    def find(self, holes, boards, codes, states):
        ranks = np.concatenate((holes, boards[:, : self.size]), axis=1) >> 2
        states[:] = states * self.parts + (ranks.sum(axis=1, dtype=np.int64) + self.size) % self.parts

    def find_all(self, boards, codes, states):
        for board, row in zip(boards, states, strict=True):
            self.find(HOLES, np.broadcast_to(board, (len(HOLES), len(board))), None, row)


def abstraction(parts, recall="PR"):
    rounds = tuple(SumOfRanks(size, parts) for size in (0, 3, 4, 5))
    counts = np.array([parts ** (r + 1 if recall == "PR" else 1) for r in range(4)])
    notation = parse_notation(f"{parts}-bucket" if recall == "PR" else "IR-100")
    return CardAbstraction(notation, rounds, counts, (None,) * 4, f"sum-{parts}-{recall}")


PERFECT, IMPERFECT = abstraction(2), abstraction(3, "IR")
GAMES = {
    "all-in": (NOLIMIT, "all-in", PERFECT),
    "all-in, imperfect recall": (NOLIMIT, "all-in", IMPERFECT),
    "one seat has imperfect recall": (NOLIMIT, "all-in", (IMPERFECT, PERFECT)),
    "limit": (replace(LIMIT, max_raises=(2, 1, 0, 1)), "full", PERFECT),
    "passive, antes": (replace(NOLIMIT, antes=(30, 30)), "passive", PERFECT),
}


def form_of(name):
    game, menu, cards = GAMES[name]
    return SampledGame(build_tree(game, menu), bucketed_deal(game, cards))


def any_regrets(compiled):
    """Regrets with which some actions are never taken, by no bucket."""
    generator = np.random.default_rng(1)
    regrets = generator.normal(0.5, 1, compiled.layout.size)
    for node in compiled.tree.decisions:
        begin, end = compiled.layout.offset[node], compiled.layout.offset[node + 1]
        never = generator.random(compiled.tree.children[node]) < 0.3
        regrets[begin:end].reshape(-1, len(never))[:, never] = -1.0
    return regrets


def added(compiled, boards, regrets, first=0, linear=False):
    """What iterations from `regrets`, one on each board by itself, add: (regret, average), summed over boards."""
    from kibitz.solvers.board_sampling import _kernels

    sums = np.zeros((2, compiled.layout.size))
    walker = BoardGame(compiled)
    for board in boards:
        regret, average = regrets.copy(), np.zeros(compiled.layout.size)
        ranked = tuple(walker.rank(board[None]))
        _kernels.iterate(first, linear, walker.tree, ranked, regret, average, walker.scratch(), board_sampling.NOTHING)
        sums += regret - regrets, average
    return sums


class Twin:
    """One player's walk with matrices over all pairs of the hands that a board leaves."""

    def __init__(self, compiled, board, player, regrets):
        self.compiled, self.tree, self.player = compiled, compiled.tree, player
        self.strategy = Strategy.from_sums(compiled.layout, np.maximum(regrets[compiled.layout.by_infoset], 0))
        self.regret, self.average = np.zeros(compiled.layout.size), np.zeros(compiled.layout.size)
        self.holes = HOLES[~np.isin(HOLES, board).any(axis=1)]
        on = np.broadcast_to(board, (len(self.holes), 5))
        self.states = [[each.buckets(self.holes, on, r) for each in compiled.deal.abstractions] for r in range(4)]
        strength = evaluate_batch(np.concatenate((self.holes, on), axis=1)).astype(np.int64)
        masks = np.uint64(1) << self.holes.astype(np.uint64)
        masks = masks[:, 0] | masks[:, 1]
        self.meet = ((masks[:, None] & masks[None, :]) == 0) / (1081 * 990)
        self.wins = self.meet * np.sign(strength[:, None] - strength[None, :])
        assert self.meet.sum() == pytest.approx(1)

    def leaf(self, node, theirs):
        spent = self.tree.spent[node] + self.tree.game.antes_paid
        if self.tree.kind[node] != FOLD:
            return spent.min() * (self.wins @ theirs)
        winner = int(self.tree.player[node])
        return (1 if winner == self.player else -1) * spent[1 - winner] * (self.meet @ theirs)

    def values(self, node, reach):
        """The player's counterfactual values, hand by hand."""
        tree, p = self.tree, self.player
        if tree.kind[node] != DECISION:
            return self.leaf(node, reach[1 - p])
        actor, first = int(tree.player[node]), int(tree.first_child[node])
        states = self.states[int(tree.round[node])][actor]
        sigma = self.strategy.at(node)[:, states]
        below = np.array(
            [
                self.values(first + a, [reach[q] * sigma[a] if q == actor else reach[q] for q in range(2)])
                for a in range(len(sigma))
            ]
        )
        if actor != p:
            return below.sum(axis=0)
        value = (sigma * below).sum(axis=0)
        begin, count = int(self.compiled.layout.offset[node]), int(self.compiled.layout.states[node])
        for a in range(len(sigma)):
            part = slice(begin + a * count, begin + (a + 1) * count)
            self.regret[part] += np.bincount(states, below[a] - value, minlength=count)
            self.average[part] += np.bincount(states, reach[p] * sigma[a], minlength=count) / 1081
        return value


@pytest.mark.parametrize("name", GAMES)
def test_a_walk_equals_its_plain_twin(name):
    compiled = form_of(name)
    regrets = any_regrets(compiled)
    for board in Boards.sampled(2, seed=3).cards:
        regret, average = added(compiled, [board], regrets)
        twins = [Twin(compiled, board, player, regrets) for player in range(2)]
        for twin in twins:
            twin.values(0, [np.ones(1081)] * 2)
        np.testing.assert_allclose(regret[compiled.layout.by_infoset], sum(twin.regret for twin in twins), atol=1e-9)
        np.testing.assert_allclose(average[compiled.layout.by_infoset], sum(twin.average for twin in twins), atol=1e-12)
        assert np.abs(regret).max() > 1


@pytest.mark.parametrize("name", ["all-in", "limit"])
def test_the_mean_over_boards_is_cfr_in_their_matrix_game(name):
    compiled, boards = form_of(name), Boards.sampled(12, seed=8)
    exact = CFR(
        VectorGame(compiled.tree, bucket_matrices(compiled.tree.game, PERFECT, boards)), "cfr", alternating=False
    )
    regrets = any_regrets(compiled)
    regret, average = added(compiled, boards.cards, regrets) / len(boards.cards)
    exact.regret[:] = regrets[compiled.layout.by_infoset]
    exact.step(1)
    np.testing.assert_allclose((regrets + regret)[compiled.layout.by_infoset], exact.regret, atol=1e-9)
    for node in compiled.tree.decisions:  # a bucket's strategy is added once for each of its hands
        met = exact.compiled.deal.rounds[compiled.tree.round[node]]
        masses = met.dense(met.weight).sum(axis=1 - compiled.tree.player[node])
        part = slice(compiled.layout.offset[node], compiled.layout.offset[node + 1])
        wanted = exact.average[part].reshape(-1, len(masses)) * masses
        np.testing.assert_allclose(average[compiled.layout.by_infoset][part], wanted.ravel(), atol=1e-12)


def test_a_linear_iteration_counts_as_often_as_its_number():
    compiled, boards = form_of("all-in"), Boards.sampled(1, seed=0).cards
    zero = np.zeros(compiled.layout.size)
    np.testing.assert_allclose(
        added(compiled, boards, zero, first=4, linear=True), 5 * added(compiled, boards, zero), rtol=1e-9
    )


def test_runs_can_be_had_again_and_go_on(monkeypatch):
    compiled = form_of("all-in, imperfect recall")
    whole, parts, resumed, other = (BoardSampled(compiled, seed, "linear") for seed in (7, 7, 7, 8))
    whole.step(9)
    other.step(9)
    monkeypatch.setattr(board_sampling, "BOARDS_AT_ONCE", 2)
    parts.step(0)
    parts.step(5)
    resumed.restore(5, {name: array.copy() for name, array in parts.arrays().items()})
    for each in (parts, resumed):
        each.step(4)
        np.testing.assert_array_equal(each.regret, whole.regret)
        np.testing.assert_array_equal(each.average, whole.average)
    assert not np.array_equal(other.regret, whole.regret)
    np.testing.assert_array_equal(whole.boards.boards(7, 3, 4), whole.boards.boards(7, 0, 7)[3:])


@pytest.mark.parametrize("threads", [1, 2])
def test_it_converges(threads):
    compiled = form_of("all-in")
    measure = VectorGame(compiled.tree, bucket_matrices(NOLIMIT, PERFECT, Boards.sampled(2000, seed=1), threads=2))
    made = BoardSampled(compiled, threads=threads)
    before = exploitability(measure, made.average_strategy()).exploitability
    made.step(256)
    assert exploitability(measure, made.average_strategy()).exploitability < before / 4
    assert made.parameters() == {
        "algorithm": "pcs",
        "seed": 0,
        "weighting": "uniform",
        "threads": threads,
        "deterministic": threads == 1,
    }


def test_regrets_that_change_while_they_are_read():
    """Another thread writes regrets at random, most of them next to nothing: no hand counts more than once."""
    made = BoardSampled(form_of("all-in"))
    made.step(1)  # compiles
    states = np.random.default_rng(1).choice([-1, 0, 1e-9, 5], (40, made.layout.size))
    with ThreadPoolExecutor(1) as pool:
        walks = pool.submit(made.step, 200)
        while not walks.done():
            for state in states:
                made.regret[:] = state
        walks.result()
    assert 0 < made.average.max() <= 201 * 1081


def test_hold_em_in_buckets_is_solved_by_boards():
    made = make_solver("pcs", Problem(NOLIMIT, "all-in", cards="one-bucket"), Options(seed=5))
    assert isinstance(made, BoardSampled)
    assert made.seed == 5
    assert isinstance(make_solver("pcs", Problem(kuhn())), PublicChanceSampled)


def test_what_it_refuses():
    three = load_game("holdem-nolimit-3p")
    with pytest.raises(KibitzError, match="two players of hold'em"):
        BoardGame(SampledGame(build_tree(three, "passive"), bucketed_deal(three, PERFECT)))
    uneven = replace(NOLIMIT, antes=(0, 30))
    with pytest.raises(KibitzError, match="unequal antes"):
        BoardGame(SampledGame(build_tree(uneven, "passive"), bucketed_deal(uneven, PERFECT)))
