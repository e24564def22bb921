"""Public chance sampling: the kernel against a recursive twin on every board, and unbiased over all of them."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from kibitz.deals import matrix_deal
from kibitz.games.named import kuhn, leduc, leduc_nolimit, rhode_island
from kibitz.solvers.cfr import CFR
from kibitz.solvers.compiled.public import public_game
from kibitz.solvers.compiled.vector import VectorGame
from kibitz.solvers.public import PublicChanceSampled
from kibitz.strategy import Strategy
from kibitz.tree import DECISION, FOLD, build_tree

GAMES = {
    "kuhn": (kuhn(), True),
    "leduc": (leduc(), True),
    "leduc, suits kept": (leduc(), False),
    "no-limit leduc": (leduc_nolimit(5), True),
    "small rhode island": (replace(rhode_island(), suits=2, ranks=3, max_raises=(1, 1, 1)), True),
}


@cache
def form_of(name):
    game, suits_merged = GAMES[name]
    return VectorGame(build_tree(game), matrix_deal(game, suits_merged))


def any_regrets(compiled):
    return np.random.default_rng(0).normal(0.5, 1, compiled.layout.size)


def on_board(compiled, board, regrets):
    """What walks of both players from `regrets` add on one board: (regret, average), by the kernel."""
    from kibitz.solvers.public import _kernels

    public = public_game(compiled)
    regret, average = regrets.copy(), np.zeros(compiled.layout.size)
    own = np.repeat(compiled.tree.player, np.diff(compiled.layout.offset))
    for player in range(2):
        after = regrets.copy(), np.zeros(compiled.layout.size)
        buffers = (np.empty(compiled.layout.size), *public.scratch())
        _kernels.walk(player, 1.0, board, tuple(public), *after, *buffers)
        assert (after[0] == regrets)[own != player].all()
        regret += after[0] - regrets
        average += after[1]
    return regret - regrets, average


class Twin:
    """One walk with dense matrices: weights and signs of the board's blocks, divided by their probability."""

    def __init__(self, compiled, board, player, regrets):
        self.compiled, self.tree, self.player = compiled, compiled.tree, player
        self.strategy = Strategy.from_sums(compiled.layout, np.maximum(regrets, 0))
        self.regret, self.average = np.zeros(len(regrets)), np.zeros(len(regrets))
        chain = public_game(compiled).chains[board]
        first = np.cumsum([0, *(len(each.start) - 1 for each in compiled.deal.rounds)])
        self.matrices, self.possible = [], []
        for r, each in enumerate(compiled.deal.rounds):
            block = chain[r] - first[r]
            possible = [np.arange(len(each.labels[p])) for p in range(2)]
            inside = [(e[block] <= s) & (s < e[block + 1]) for e, s in zip(each.edges, possible, strict=True)]
            mask = np.outer(*inside)
            mass = (mask * each.dense(each.weight)).sum()
            self.matrices.append([mask * each.dense(entries) / mass for entries in (each.weight, each.sign)])
            self.possible.append(inside)

    def values(self, node=0, reach=None):
        """Counterfactual values of the player's states in the node's round."""
        tree, p, r = self.tree, self.player, int(self.tree.round[node])
        reach = [np.ones(count) for count in self.compiled.deal.counts[0]] if reach is None else reach
        if tree.kind[node] != DECISION:
            matrix = self.matrices[r][0 if tree.kind[node] == FOLD else 1]
            won = 1 if (tree.player[node] if tree.kind[node] == FOLD else 0) == p else -1
            return won * self.compiled.stake[node] * (matrix @ reach[1] if p == 0 else reach[0] @ matrix)
        actor, sigma = int(tree.player[node]), self.strategy.at(node)
        below = []
        for a in range(int(tree.children[node])):
            child = int(tree.first_child[node]) + a
            after = [reach[q] * sigma[a] if q == actor else reach[q] for q in range(2)]
            if tree.round[child] == r:
                below.append(self.values(child, after))
                continue
            parents = self.compiled.deal.rounds[r + 1].parent
            later = self.values(child, [after[q][parents[q]] for q in range(2)])
            below.append(np.bincount(parents[p], later, minlength=len(reach[p])))
        if actor != p:
            return np.sum(below, axis=0)
        value = (sigma * below).sum(axis=0)
        begin, end = self.compiled.layout.offset[node], self.compiled.layout.offset[node + 1]
        inside = self.possible[r][p]
        self.regret[begin:end] += (inside * (below - value)).ravel()
        self.average[begin:end] += (inside * reach[p] * sigma).ravel()
        return value


@pytest.mark.parametrize("name", GAMES)
def test_the_kernel_equals_its_plain_twin_on_every_board(name):
    compiled = form_of(name)
    regrets = any_regrets(compiled)
    for board in range(len(public_game(compiled).chains)):
        twins = [Twin(compiled, board, player, regrets) for player in range(2)]
        for twin in twins:
            twin.values()
        regret, average = on_board(compiled, board, regrets)
        np.testing.assert_allclose(regret, sum(twin.regret for twin in twins), atol=1e-12)
        np.testing.assert_allclose(average, sum(twin.average for twin in twins), atol=1e-12)


@pytest.mark.parametrize("name", GAMES)
def test_over_all_boards_it_is_cfr(name):
    compiled = form_of(name)
    regrets = any_regrets(compiled)
    probability = np.diff(public_game(compiled).cumulative, prepend=0)
    assert probability.sum() == pytest.approx(1)
    added = [on_board(compiled, board, regrets) for board in range(len(probability))]
    regret, average = (sum(p * each[i] for p, each in zip(probability, added, strict=True)) for i in range(2))
    exact = CFR(compiled, "cfr", alternating=False)
    exact.regret[:] = regrets
    exact.step(1)
    np.testing.assert_allclose(regrets + regret, exact.regret, atol=1e-12)
    ours = Strategy.from_sums(compiled.layout, average)
    np.testing.assert_allclose(ours.values, exact.average_strategy().values, atol=1e-12)


def test_without_a_board_it_is_cfr_to_the_end():
    sampled, exact = PublicChanceSampled(form_of("kuhn"), seed=9), CFR(form_of("kuhn"), "cfr")
    sampled.step(100)
    exact.step(100)
    np.testing.assert_allclose(sampled.average_strategy().values, exact.average_strategy().values, atol=1e-9)


def test_boards_come_as_often_as_they_should():
    """The sums of the last round say how often: on equal boards the same strategy would be added each time."""
    compiled = form_of("leduc, suits kept")
    solver = PublicChanceSampled(compiled, seed=4)
    solver.regret[:] = 1e12  # so large that nothing learnt changes the strategy, which is uniform
    solver.step(6000)
    node = next(n for n in compiled.tree.decisions if compiled.tree.round[n] == 1 and compiled.tree.player[n] == 0)
    sums = solver.average[compiled.layout.offset[node] : compiled.layout.offset[node + 1]].reshape(-1, 30).sum(axis=0)
    shares = np.add.reduceat(sums, compiled.deal.rounds[1].edges[0][:-1]) / sums.sum()
    assert len(shares) == len(public_game(compiled).chains) == 6
    np.testing.assert_allclose(shares, 1 / 6, atol=0.02)  # more than four standard deviations
